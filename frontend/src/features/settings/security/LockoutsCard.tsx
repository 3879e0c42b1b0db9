import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatNumber, formatTime } from "@/i18n/format";
import { attempt } from "@/stores/faults";
import { securityActions } from "@/stores/security";
import type { Lockout } from "@/topology";
import { Button } from "@/ui";
import { Card } from "../Card";

/** Who is refused for now because too many wrong tokens came from there. */
export function LockoutsCard({ lockouts, wrong }: { lockouts: Lockout[]; wrong: number }) {
  const { t } = useTranslation();
  const [lifting, setLifting] = useState("");
  const lift = (address: string) => {
    setLifting(address);
    void attempt("liftLockout", () => securityActions.lift(address)).finally(() => setLifting(""));
  };
  return (
    <Card title={t("security.lockouts.title")}>
      <p className="t2 p-3">
        {lockouts.length
          ? t("security.lockouts.what")
          : wrong
            ? t("security.lockouts.recent", { count: wrong, n: formatNumber(wrong) })
            : t("security.lockouts.none")}
      </p>
      {lockouts.length > 0 && (
        <ul aria-label={t("security.lockouts.title")}>
          {lockouts.map((l) => (
            <li
              key={l.address}
              className="row min-h-11 flex-wrap gap-x-3 gap-y-0.5 border-t border-line py-1 pr-2 pl-3"
              data-lockout={l.address}
            >
              <span className="mono wrap-anywhere" translate="no">
                {l.address}
              </span>
              <span className="cap num">{t("security.lockouts.until", { time: formatTime(l.until) })}</span>
              <span className="cap num">
                {t("security.lockouts.tries", { count: l.tries, n: formatNumber(l.tries) })}
              </span>
              <span className="grow" />
              <Button
                size="sm"
                busy={lifting === l.address}
                aria-label={t("security.lockouts.liftOf", { address: l.address })}
                onClick={() => lift(l.address)}
              >
                {t("security.lockouts.lift")}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
