import { CircleAlert, CircleCheck, LoaderCircle } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { secretsLeft } from "@/flow/secretsLeft";
import { gatewayName } from "@/i18n/gateway";
import { errorMeaning } from "@/i18n/problem";
import { useApply } from "@/stores/applies";
import { useGateways } from "@/stores/gateways";
import { useHub } from "@/stores/hub";
import { useTeam } from "@/stores/team";
import { Banner, Button } from "@/ui";
import { overtaken } from "./overtaken";

/** How a rollback goes that no team follows; one that a team follows is shown by the review. */
export function RollbackState({ id, gateway, onClose }: { id: string; gateway: string; onClose: () => void }) {
  const { t } = useTranslation();
  const a = useApply(id),
    applies = useHub((s) => s.applies),
    savedAt = useTeam((s) => s.updatedAt),
    hash = useGateways().find((g) => g.name === gateway)?.configHash;
  const [hashes, setHashes] = useState<readonly string[]>([]);
  if (hash && hash !== hashes.at(-1)) setHashes([...hashes, hash]);
  if (!a || overtaken(a, { applies: Object.values(applies), savedAt, hashes })) return null;
  const name = gatewayName(t, gateway);
  if (a.state === "running") return <Banner icon={LoaderCircle}>{t("history.rollingBack", { gateway: name })}</Banner>;
  const close = (
    <Button size="sm" onClick={onClose}>
      {t("common.close")}
    </Button>
  );
  if (a.state === "done")
    return (
      <Banner
        {...(a.secretsLeft ? { tone: "waiting" as const, icon: CircleAlert } : { icon: CircleCheck })}
        actions={close}
      >
        {a.secretsLeft
          ? t("common.sentences", {
              a: t("history.rolledBack", { gateway: name }),
              b: secretsLeft(t, a.secretsLeft),
            })
          : t("history.rolledBack", { gateway: name })}
      </Banner>
    );
  return (
    <Banner tone="failed" icon={CircleAlert} actions={close}>
      <b>{t("history.rollbackFailed")}.</b> {a.error ? errorMeaning(t, a.error) : t(`history.end.${a.state}`)}
    </Banner>
  );
}
