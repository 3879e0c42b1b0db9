import { MessageSquare } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { chatWords } from "@/i18n/chat";
import { useTarget } from "@/stores/team";
import { useGateways } from "@/stores/gateways";
import { viewOf } from "@/stores/sessions";
import { Boundary, EmptyState, ScreenHead, useMedia } from "@/ui";
import { ChatWordsProvider } from "@/ui/chat";
import { useSessionsAddress } from "./address";
import { NoSessions } from "./NoSessions";
import { SessionList } from "./SessionList";
import { SessionPanel } from "./SessionPanel";
import "./sessions.css";

/** Live sessions with a gateway's agents, several side by side. On a phone the list and the session are a page each. */
export function SessionsScreen() {
  const { t } = useTranslation();
  const { gateway: named, keys, go } = useSessionsAddress();
  const gateways = useGateways(),
    target = useTarget();
  const gateway = gateways.some((g) => g.name === named)
    ? named
    : (target?.name ?? gateways.find((g) => g.default)?.name ?? gateways[0]?.name ?? "");
  const words = useMemo(() => chatWords(t), [t]);
  const phone = useMedia("(max-width: 639px)"),
    narrow = useMedia("(max-width: 959px)"),
    wide = useMedia("(min-width: 1200px)");
  if (!gateway)
    return (
      <ScreenHead>
        <h1>{t("sessions.title")}</h1>
      </ScreenHead>
    );
  return (
    <ChatWordsProvider value={words}>
      {phone && !keys.length && (
        <ScreenHead>
          <h1>{t("sessions.title")}</h1>
        </ScreenHead>
      )}
      <OneGateway
        key={gateway}
        gateway={gateway}
        keys={keys}
        most={narrow ? 1 : wide ? 3 : 2}
        phone={phone}
        onGo={go}
      />
    </ChatWordsProvider>
  );
}

type Props = {
  gateway: string;
  keys: string[];
  most: number;
  phone: boolean;
  onGo: (gateway: string, keys: readonly string[]) => void;
};

function OneGateway({ gateway, keys, most, phone, onGo }: Props) {
  const { t } = useTranslation();
  const view = viewOf(gateway);
  const [last, setLast] = useState("");
  useEffect(() => view.start(), [view]);
  const none = view.use((s) => s.status === "ready" && !s.list.length);
  const shown = keys.slice(-most);
  const open = (key: string) => {
    setLast(key);
    onGo(
      gateway,
      keys.includes(key) && shown.includes(key) ? keys : [...keys.filter((k) => k !== key), key].slice(-most),
    );
  };
  return (
    <div className="body sessions">
      {(!phone || !keys.length) && (
        <Boundary>
          <SessionList
            gateway={gateway}
            view={view}
            open={shown}
            phone={phone}
            onOpen={open}
            onGateway={(name) => onGo(name, [])}
          />
        </Boundary>
      )}
      {shown.map((key) => (
        <Boundary key={key}>
          <SessionPanel
            gateway={gateway}
            view={view}
            sessionKey={key}
            phone={phone}
            focus={key === last}
            onOpen={open}
            onClose={() =>
              onGo(
                gateway,
                keys.filter((k) => k !== key),
              )
            }
          />
        </Boundary>
      ))}
      {!phone && !keys.length && (
        <div className="grid flex-1 place-items-center">
          {none ? (
            <NoSessions gateway={gateway} onOpen={open} onGateway={(name) => onGo(name, [])} />
          ) : (
            <EmptyState icon={MessageSquare} title={t("sessions.choose")}>
              {t("sessions.chooseWhy")}
            </EmptyState>
          )}
        </div>
      )}
    </div>
  );
}
