import { useTranslation } from "react-i18next";
import { formatBytes, formatNumber } from "@/i18n/format";
import { databaseActions } from "@/stores/database";
import { useRead } from "@/stores/read";
import { about } from "@/stores/settings";
import type { DatabaseSize } from "@/topology";
import { Button, ErrorState, Skeleton } from "@/ui";
import { Card } from "../Card";
import { BackupCard } from "./BackupCard";
import { CleanUpCard } from "./CleanUpCard";
import { trouble } from "./trouble";

/** What the hub keeps: how large it is, a backup of it, one put back, and the past cleared away. */
export function DataSection() {
  const { t } = useTranslation();
  const { data: size, error, again } = useRead({ key: ["databaseSize"], read: databaseActions.size });
  const { data: facts } = useRead({ key: ["about"], read: about }); // without them the place stays open
  return (
    <>
      <p className="t2">
        {t("settings.data.what", {
          secrets: facts ? t(`settings.data.secretsIn.${facts.secretsIn}`, { file: facts.secrets }) : "…",
        })}
      </p>
      <Card title={t("settings.data.sizes")} aside={size && <b className="num">{formatBytes(size.bytes)}</b>}>
        {error && !size ? (
          <div className="p-3">
            <ErrorState
              title={t("settings.data.sizeFailed")}
              actions={
                <Button size="sm" onClick={again}>
                  {t("common.retry")}
                </Button>
              }
            >
              {trouble(t, error)}
            </ErrorState>
          </div>
        ) : size ? (
          <SizeTable size={size} />
        ) : (
          <Skeleton lines={6} label={t("common.loading")} />
        )}
      </Card>
      {size?.elsewhere ? (
        <Card title={t("settings.data.backup")}>
          <p className="t2 p-3">{t("settings.data.elsewhere")}</p>
        </Card>
      ) : (
        <BackupCard now={size} />
      )}
      <CleanUpCard onCleaned={again} />
    </>
  );
}

/** What there is, with its share of the whole. */
function SizeTable({ size }: { size: DatabaseSize }) {
  const { t } = useTranslation();
  const most = Math.max(1, ...size.parts.map((p) => p.bytes ?? 0));
  return (
    <table className="w-full border-collapse text-left">
      <thead className="sr-only">
        <tr>
          <th>{t("settings.data.kind")}</th>
          <th>{t("settings.data.count")}</th>
          <th>{t("settings.data.bytes")}</th>
        </tr>
      </thead>
      <tbody>
        {size.parts.map((p) => (
          <tr key={p.kind} className="h-8 border-b border-line last:border-b-0">
            <th scope="row" className="py-1 pl-3 font-[400]">
              {t(`settings.data.kinds.${p.kind}`)}
            </th>
            <td className="w-28 px-3 phone:hidden">
              <div className="progress" aria-hidden>
                <i style={{ width: `${Math.round((100 * (p.bytes ?? 0)) / most)}%` }} />
              </div>
            </td>
            <td className="num w-20 px-2 text-right">{formatNumber(p.count)}</td>
            <td className="num t2 w-24 pr-3 text-right whitespace-nowrap">{formatBytes(p.bytes ?? 0)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
