import { ChevronRight, Search } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { errorMeaning } from "@/i18n/problem";
import { useRead } from "@/stores/read";
import { licences, type Licence } from "@/stores/licences";
import { Button, EmptyState, ErrorState, Input, Skeleton } from "@/ui";

/** What AgentFlow is built from, and under which terms. */
export function LicencesSection() {
  const { t } = useTranslation();
  const { data: lists, error, again } = useRead({ key: ["licences"], read: licences });
  const [sought, setSought] = useState("");
  if (error)
    return (
      <ErrorState
        title={t("settings.licences.failed")}
        actions={
          <Button size="sm" onClick={again}>
            {t("common.retry")}
          </Button>
        }
      >
        {errorMeaning(t, error)}
      </ErrorState>
    );
  if (!lists) return <Skeleton lines={8} label={t("common.loading")} />;
  const wanted = sought.trim().toLowerCase();
  const fits = (l: Licence) => `${l.name} ${l.identifier}`.toLowerCase().includes(wanted);
  const groups = (["program", "page"] as const)
    .map((key) => ({ key, parts: lists[key].filter(fits) }))
    .filter((g) => g.parts.length);
  return (
    <>
      <p className="t2 max-w-[60ch]">{t("settings.licences.why")}</p>
      <Input
        value={sought}
        onText={setSought}
        icon={Search}
        aria-label={t("settings.licences.find")}
        placeholder={t("settings.licences.find")}
        className="max-w-80"
      />
      {!groups.length && <EmptyState title={t("settings.licences.none")} />}
      {groups.map((g) => (
        <section
          key={g.key}
          className="overflow-hidden rounded-[var(--r-2)] border border-line-2"
          aria-label={t(`settings.licences.${g.key}`)}
        >
          <h2 className="row border-b border-line bg-surface-2 px-3 py-2">
            <span className="grow">{t(`settings.licences.${g.key}`)}</span>
            <span className="cap num">{g.parts.length}</span>
          </h2>
          {g.parts.map((l) => (
            <Part key={`${l.name} ${l.version}`} part={l} />
          ))}
        </section>
      ))}
    </>
  );
}

function Part({ part }: { part: Licence }) {
  const { t } = useTranslation();
  return (
    <details className="group border-line not-first:border-t">
      <summary className="row licence min-h-9 w-full! cursor-pointer list-none gap-2 px-3 py-1.5" translate="no">
        <ChevronRight size={14} className="t3 shrink-0 group-open:rotate-90" aria-hidden />
        <span className="mono cut grow" title={part.name}>
          {part.name}
        </span>
        <span className="cap num">{part.version}</span>
        <span className="cap w-36 truncate text-right phone:w-20" title={part.identifier}>
          {part.identifier || t("settings.licences.own")}
        </span>
      </summary>
      {part.text ? (
        <pre
          className="mono max-h-80 overflow-auto border-t border-line bg-surface-2 px-3 py-2 text-12 whitespace-pre-wrap select-text"
          tabIndex={0}
          aria-label={part.name}
          translate="no"
        >
          {part.text}
        </pre>
      ) : (
        <div className="cap border-t border-line bg-surface-2 px-3 py-2">{t("settings.licences.noText")}</div>
      )}
    </details>
  );
}
