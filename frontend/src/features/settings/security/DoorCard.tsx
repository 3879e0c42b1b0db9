import { TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Security } from "@/topology";
import { Banner } from "@/ui";
import { CopyCommand } from "../CopyCommand";
import { Card } from "../Card";

/** How AgentFlow listens, as it was started. */
export function DoorCard({ stand: s }: { stand: Security }) {
  const { t } = useTranslation();
  return (
    <Card title={t("security.door")}>
      {s.readable && (
        <Banner tone="waiting" icon={TriangleAlert}>
          {t("security.readable")}
        </Banner>
      )}
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-6 gap-y-1.5 p-3">
        <dt className="t3">{t("security.address")}</dt>
        <dd>
          <span className="mono wrap-anywhere select-text" translate="no">
            {s.address}
          </span>
          <br />
          <span className="cap">{t(s.beyond ? "security.beyond" : "security.onlyHere")}</span>
        </dd>
        <dt className="t3">TLS</dt>
        <dd>{t(`security.tls.${s.tls}`)}</dd>
        {s.fingerprint && (
          <>
            <dt className="t3 self-center">{t("security.fingerprint")}</dt>
            <dd>
              <CopyCommand text={s.fingerprint} />
            </dd>
          </>
        )}
      </dl>
      <p className="cap px-3 pb-3">{t("security.doorHow")}</p>
    </Card>
  );
}
