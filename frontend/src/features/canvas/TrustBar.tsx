import { ShieldAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useTeam } from "@/stores/team";
import { useAsking, waitingFor } from "@/stores/trust";
import { Banner, Button } from "@/ui";

/** The open team asks for what its owner has not allowed. It is in nobody's way, and goes once everything is allowed. */
export function TrustBar({ onShow }: { onShow: (team: string) => void }) {
  const { t } = useTranslation();
  const id = useTeam((s) => s.id),
    asking = useAsking(),
    waiting = waitingFor({ agents: asking }),
    some = waiting.length < asking.length;
  if (!waiting.length) return null;
  return (
    <Banner
      tone="waiting"
      icon={ShieldAlert}
      actions={
        <Button size="sm" onClick={() => onShow(id)}>
          {t("canvas.asksShow")}
        </Button>
      }
    >
      {t("common.sentences", {
        a: t("canvas.asks"),
        b: t(some ? "canvas.asksSome" : "canvas.asksAll", { count: waiting.length }),
      })}
    </Banner>
  );
}
