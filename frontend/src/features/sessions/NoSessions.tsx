import { MessageSquare } from "lucide-react";
import { useTranslation } from "react-i18next";
import { gatewayName } from "@/i18n/gateway";
import { useGateways } from "@/stores/gateways";
import { unreadAt, useSessionNews } from "@/stores/sessionNews";
import { Button, EmptyState } from "@/ui";
import { NewSession } from "./NewSession";

type Props = { gateway: string; onOpen: (key: string) => void; onGateway: (name: string) => void };

/** A gateway without sessions, with the way to other gateways where something is unread. */
export function NoSessions({ gateway, onOpen, onGateway }: Props) {
  const { t } = useTranslation();
  const gateways = useGateways(),
    news = useSessionNews();
  const unread = gateways
    .map(({ name }) => ({ name, count: unreadAt(news, name) }))
    .filter(({ name, count }) => count && name !== gateway);
  const several = gateways.length > 1;
  return (
    <EmptyState
      icon={MessageSquare}
      title={several ? t("sessions.emptyOn", { gateway: gatewayName(t, gateway) }) : t("sessions.empty")}
      action={
        <>
          {unread.map(({ name, count }) => (
            <Button key={name} onClick={() => onGateway(name)}>
              {t("sessions.unreadOn", { gateway: gatewayName(t, name), unread: t("sessions.unread", { count }) })}
            </Button>
          ))}
          <NewSession gateway={gateway} list={[]} onOpen={onOpen} large />
        </>
      }
    >
      {several
        ? t("common.sentences", { a: t("sessions.emptyWhy"), b: t("sessions.emptyOther") })
        : t("sessions.emptyWhy")}
    </EmptyState>
  );
}
