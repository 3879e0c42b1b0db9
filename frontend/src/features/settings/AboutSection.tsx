import { Save, Signpost } from "lucide-react";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import type { KeyIn } from "@/i18n/textKeys";
import { formatDateTime } from "@/i18n/format";
import { gapsText, sandboxText } from "@/i18n/sandbox";
import { errorMeaning } from "@/i18n/problem";
import { attempt } from "@/stores/faults";
import { useHub } from "@/stores/hub";
import { providerActions, useProviders } from "@/stores/providers";
import { useRead } from "@/stores/read";
import { about, inWindow, saveText } from "@/stores/settings";
import { Button, ErrorState, Skeleton } from "@/ui";
import { CopyButton } from "./CopyCommand";
import { diagnostics } from "./report";

export function AboutSection({ onTour }: { onTour: () => void }) {
  const { t } = useTranslation();
  const { data: facts, error, again } = useRead({ key: ["about"], read: about });
  const gateways = useHub((s) => s.gateways),
    teams = useHub((s) => s.teams),
    settings = useHub((s) => s.settings);
  const providers = useProviders((s) => s.providers);
  useEffect(() => {
    void providerActions.load();
  }, []);
  if (error && !facts)
    return (
      <ErrorState
        title={t("settings.about.failed")}
        actions={
          <Button size="sm" onClick={again}>
            {t("common.retry")}
          </Button>
        }
      >
        {errorMeaning(t, error)}
      </ErrorState>
    );
  if (!facts) return <Skeleton lines={6} label={t("common.loading")} />;
  const report = diagnostics({
    about: facts,
    gateways,
    providers,
    teams,
    settings,
    page: {
      agent: navigator.userAgent,
      language: document.documentElement.lang,
      width: innerWidth,
      height: innerHeight,
      window: inWindow(),
    },
  });
  const rows: [key: KeyIn<"settings.about"> | "sandbox" | "gaps", value: string | undefined, mono?: boolean][] = [
    ["version", facts.version],
    ["commit", facts.commit, true],
    ["builtAt", facts.builtAt && formatDateTime(facts.builtAt)],
    ["system", `${facts.os} ${facts.arch}`],
    ["go", facts.go],
    ["dataDir", facts.dataDir, true],
    ["database", facts.database, true],
    ["settings", facts.settings, true],
    ["sandbox", sandboxText(t, facts.sandbox)],
    ["gaps", facts.sandbox.active ? gapsText(t, facts.sandbox) : undefined],
  ];
  return (
    <>
      <section className="overflow-hidden rounded-[var(--r-2)] border border-line-2">
        <header className="row border-b border-line bg-surface-2 py-1.5 pr-1.5 pl-3">
          <h2>AgentFlow</h2>
          <span className="grow" />
          <Button size="sm" icon={Signpost} onClick={onTour}>
            {t("settings.about.tour")}
          </Button>
        </header>
        <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5 px-3 py-3">
          {rows
            .filter((r) => r[1])
            .map(([key, value, mono]) => (
              <div key={key} className="contents">
                <dt className="t3">
                  {key === "sandbox"
                    ? t("common.sandbox.label")
                    : key === "gaps"
                      ? t("common.sandbox.gaps")
                      : t(`settings.about.${key}`)}
                </dt>
                <dd className={mono ? "mono break-all select-text" : "select-text"} translate="no">
                  {value}
                </dd>
              </div>
            ))}
        </dl>
      </section>
      <section className="overflow-hidden rounded-[var(--r-2)] border border-line-2">
        <header className="row border-b border-line bg-surface-2 py-1.5 pr-1.5 pl-3">
          <h2>{t("settings.about.report")}</h2>
          <span className="grow" />
          <Button
            size="sm"
            icon={Save}
            onClick={() => void attempt("export", () => saveText("agentflow-report.txt", report))}
          >
            {t("settings.about.saveReport")}
          </Button>
          <CopyButton text={report} label={t("settings.about.copyReport")} />
        </header>
        <p className="cap px-3 pt-2">{t("settings.about.reportWhy")}</p>
        <pre
          className="mono max-h-72 overflow-auto px-3 py-2 text-12 whitespace-pre-wrap select-text"
          tabIndex={0}
          aria-label={t("settings.about.report")}
          translate="no"
        >
          {report}
        </pre>
      </section>
    </>
  );
}
