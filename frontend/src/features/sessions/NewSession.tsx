import { Plus } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useGateways } from "@/stores/gateways";
import type { Session } from "@/topology";
import { Avatar, Button, cx, IconButton, Menu, type MenuItem } from "@/ui";
import { useAgentFaces, useTeamAt } from "./faces";

/** A session beside the main one. */
const anotherSession = (agent: string) => `agent:${agent}:chat-${Date.now().toString(36)}`;

/** A session with any agent of the gateway: its main one, or another where that is there already. */
export function NewSession({
  gateway,
  list,
  onOpen,
  large,
}: {
  gateway: string;
  list: readonly Session[];
  onOpen: (key: string) => void;
  /** As a button with words, where nothing else is. */ large?: boolean;
}) {
  const { t } = useTranslation();
  const { team, known } = useTeamAt(gateway),
    reached = useGateways().some((g) => g.name === gateway && g.state === "connected"),
    who = useAgentFaces(gateway);
  const ids = [...new Set([...team.agents.map((a) => a.id), ...list.map((s) => s.agentId)])].filter(Boolean);
  const begin = (id: string) => {
    const main = `agent:${id}:main`;
    onOpen(list.some((s) => s.sessionKey === main) ? anotherSession(id) : main);
  };
  const items: MenuItem[] = ids.length
    ? [
        { kind: "label", label: t("sessions.with") },
        ...ids.map((id): MenuItem => {
          const { name, initials, color } = who(id);
          return {
            label: name,
            lead: <Avatar size="sm" initials={initials} color={color} />,
            onSelect: () => begin(id),
            takesFocus: true,
          };
        }),
      ]
    : [
        {
          label: t(reached && !known ? "common.loading" : "sessions.noAgents"),
          disabled: true,
          onSelect: () => undefined,
        },
      ];
  return (
    <Menu
      align="end"
      trigger={
        large ? (
          <Button icon={Plus}>{t("sessions.start")}</Button>
        ) : (
          <IconButton icon={Plus} label={t("sessions.new")} className={cx("flex-none")} />
        )
      }
      items={items}
    />
  );
}
