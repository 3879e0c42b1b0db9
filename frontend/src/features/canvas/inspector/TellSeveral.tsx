import { useState } from "react";
import { useTranslation } from "react-i18next";
import { gatewayName } from "@/i18n/gateway";
import { errorMeaning } from "@/i18n/problem";
import { useTarget, useTeam } from "@/stores/team";
import { displayName, type Agent } from "@/topology";
import { Banner, Switch } from "@/ui";
import type { Trouble } from "@/stores/fileEdits";
import { tellAll, told } from "./tellAll";

/** Tells several agents about the team at once, by their AGENTS.md. */
export function TellSeveral({ agents }: { agents: readonly Agent[] }) {
  const { t } = useTranslation();
  const target = useTarget(),
    gateway = gatewayName(t, target?.name ?? ""),
    base = useTeam((s) => s.base);
  const [busy, setBusy] = useState(false),
    [trouble, setTrouble] = useState<Trouble>();
  const on = agents.every(told),
    online = target?.state === "connected";
  const unread =
    !on && !online && agents.some((a) => !a.files?.["AGENTS.md"] && base?.topology.agents.some((b) => b.id === a.id));
  if (target?.builtin && !agents.some(told)) return null;
  const act = (next: boolean) => {
    setBusy(true);
    setTrouble(undefined);
    void tellAll(agents, next, t("inspector.agents", { count: agents.length }))
      .then(setTrouble)
      .finally(() => setBusy(false));
  };
  const who = trouble && agents.find((a) => a.id === trouble.agent);
  const said =
    trouble &&
    t(`workspace.block.${trouble.why}`, { gateway, file: trouble.file, name: who ? displayName(who) : trouble.agent });
  return (
    <div className="pad col">
      <Switch
        label={t("workspace.block.several", { count: agents.length })}
        hint={t(busy ? "workspace.block.reading" : unread ? "workspace.block.offline" : "workspace.block.severalWhy", {
          gateway,
        })}
        checked={on}
        disabled={busy || unread}
        onChecked={act}
      />
      {trouble && (
        <Banner tone="failed">
          {trouble.why === "couldNot" ? t("common.sentences", { a: said, b: errorMeaning(t, trouble.error) }) : said}
        </Banner>
      )}
    </div>
  );
}
