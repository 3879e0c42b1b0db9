import { useTranslation } from "react-i18next";
import { formatNumber, formatWhen } from "@/i18n/format";
import type { AuditEntry } from "@/topology";
import { StatusBadge } from "@/ui";
import { senderOf } from "./words";

/** One request: who, what, from where, and how it was decided. */
export function AuditRow({ entry: e }: { entry: AuditEntry }) {
  const { t } = useTranslation();
  const { kind, name } = senderOf(e.who);
  const refused = e.status >= 400;
  return (
    <li className="col gap-0.5 border-t border-line px-3 py-1.5 first:border-t-0" data-entry={e.seq}>
      <div className="row flex-wrap gap-x-3 gap-y-0.5">
        <StatusBadge status={refused ? "failed" : "done"}>
          {t(refused ? "security.audit.refused" : "security.audit.done")}
        </StatusBadge>
        <b className="cut max-w-48">
          <bdi>{t(`security.sender.${kind}`, { name })}</bdi>
        </b>
        <span className="mono min-w-0 flex-1 basis-48 text-12 wrap-anywhere select-text" translate="no">
          {e.method} {e.path}
        </span>
        <span className="cap mono" translate="no">
          {e.address}
        </span>
        <time className="cap num" dateTime={e.at}>
          {formatWhen(e.at)}
        </time>
      </div>
      {refused && (
        <p className="cap" translate="no">
          {[e.status, e.code, e.reason].filter(Boolean).join(" · ")}
          {(e.count ?? 0) > 1 && ` · ${t("security.audit.times", { count: e.count, n: formatNumber(e.count ?? 0) })}`}
        </p>
      )}
      {e.said && <p className="t2 text-12 whitespace-pre-wrap select-text wrap-anywhere">{e.said}</p>}
    </li>
  );
}
