import { Lock, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { formatTime } from "@/i18n/format";
import type { Gateway } from "@/topology";
import { Button, cx, OwnWords, statusIcon } from "@/ui";
import { CopyCommand } from "../CopyCommand";
import { Fingerprint } from "./Certificate";
import {
  causeText,
  needsPerson,
  pairingCommand,
  presented,
  statusOf,
  troubleOf,
  troubleText,
  troubleTitle,
} from "./state";

/** What keeps a gateway from being used, what it means, and the way out. Nothing when all is well. */
export function GatewayTrouble({
  gateway: g,
  onEdit,
  onRetry,
}: {
  gateway: Gateway;
  onEdit?: () => void;
  onRetry: () => void;
}) {
  const { t } = useTranslation();
  const status = statusOf(g.state),
    Icon = statusIcon[status];
  return (
    <>
      {needsPerson(g.state) && (
        <Notice tone={status === "failed" ? "failed" : "waiting"} icon={<Icon size={16} aria-hidden />}>
          <b>{troubleTitle(t, g)}</b>
          {causeText(t, g) && <p>{causeText(t, g)}</p>}
          <p>{troubleText(t, g)}</p>
          {presented(g) && <Fingerprint text={presented(g)} />}
          {g.state === "down" && g.error?.message && <Raw text={g.error.message} />}
          {g.state === "pairing" && (
            <>
              {g.pairingRequestId && (
                <p className="t2">
                  {t("settings.gateways.request")} <code translate="no">{g.pairingRequestId}</code>
                </p>
              )}
              <CopyCommand text={pairingCommand(g.pairingRequestId)} />
            </>
          )}
          <span className="row mt-1 flex-wrap">
            {troubleOf(g) === "readable" && onEdit && (
              <Button size="sm" onClick={onEdit}>
                {t("settings.gateways.checkAddress")}
              </Button>
            )}
            {(troubleOf(g) === "unauthorized" || g.state === "no_scope") && onEdit && (
              <Button size="sm" onClick={onEdit}>
                {t("settings.gateways.enterToken")}
              </Button>
            )}
            {g.state === "down" && onEdit && (
              <Button size="sm" onClick={onEdit}>
                {t(presented(g) ? "settings.gateways.checkCertificate" : "settings.gateways.checkAddress")}
              </Button>
            )}
            <Button size="sm" onClick={onRetry}>
              {t("settings.gateways.tryAgain")}
            </Button>
            {g.state === "down" && g.nextRetryAt && (
              <span className="cap">{t("settings.gateways.nextTry", { time: formatTime(g.nextRetryAt) })}</span>
            )}
          </span>
        </Notice>
      )}
      {g.state === "starting" && (
        <Notice tone="waiting" icon={<Icon size={16} className="spin" aria-hidden />}>
          <b>{t("settings.gateways.trouble.startingTitle")}</b>
          <p>{t("settings.gateways.trouble.startingWhy")}</p>
          {g.error?.message && <Raw text={g.error.message} />}
        </Notice>
      )}
      {g.readOnly && (
        <Notice tone="waiting" icon={<Lock size={16} aria-hidden />}>
          <b>{t(`apply.fail.${g.readOnly}.title`)}</b>
          <p>{t(`settings.gateways.readOnly.${g.readOnly}`)}</p>
        </Notice>
      )}
      {g.insecure && (
        <Notice tone="waiting" icon={<TriangleAlert size={16} aria-hidden />}>
          <b>{t("settings.gateways.insecureTitle")}</b>
          <p>{t("settings.gateways.insecure")}</p>
        </Notice>
      )}
    </>
  );
}

/** The hub's own words, in English, for who wants to know more. */
export function Raw({ text }: { text: string }) {
  const { t } = useTranslation();
  return <OwnWords summary={t("models.details")} text={text} />;
}

function Notice({ tone, icon, children }: { tone: "failed" | "waiting"; icon: ReactNode; children: ReactNode }) {
  return (
    <div
      className={cx(
        "flex gap-2 border-t border-line px-3 py-2.5",
        tone === "failed" ? "bg-failed-soft" : "bg-waiting-soft",
      )}
      role="note"
    >
      <span className={cx("mt-px", tone === "failed" ? "text-failed" : "text-waiting")}>{icon}</span>
      <div className="col grow gap-1">{children}</div>
    </div>
  );
}
