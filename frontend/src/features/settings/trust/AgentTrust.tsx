import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { AskList, Refusal } from "@/flow";
import { formatWhen } from "@/i18n/format";
import { attempt } from "@/stores/faults";
import { trustActions } from "@/stores/trust";
import type { TrustStanding } from "@/topology";
import { Button, marked, StatusBadge, toast, useSeen, type Status } from "@/ui";

const statuses: Record<TrustStanding["state"], Status> = {
  asked: "waiting",
  changed: "waiting",
  allowed: "done",
  refused: "failed",
};

/** One agent: everything it asks for, how that stands, and the way to allow or revoke it. */
export function AgentTrust({ team, of: a }: { team: string; of: TrustStanding }) {
  const { t } = useTranslation();
  const name = marked(a.name || a.agent),
    list = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState(""),
    [busy, setBusy] = useState(false);
  useSeen(list, a.hash, () => setSeen(a.hash));
  const run = (what: "trustAllow" | "trustRevoke", done: string, work: () => Promise<unknown>) => {
    setBusy(true);
    void attempt(what, work)
      .then((ok) => {
        if (ok) toast({ tone: "done", text: done, closeLabel: t("common.close") });
        else void trustActions.load();
      })
      .finally(() => setBusy(false));
  };
  const asked = a.state === "asked" || a.state === "changed",
    read = seen === a.hash;
  return (
    <article
      className="overflow-hidden rounded-[var(--r-2)] border border-line-2"
      aria-label={name}
      data-agent={a.agent}
    >
      <header className="row min-h-11 flex-wrap gap-y-1 bg-surface-2 py-1.5 px-3">
        <h3 className="wrap-anywhere">{name}</h3>
        {a.name && a.name !== a.agent && (
          <span className="cap mono wrap-anywhere" translate="no">
            {marked(a.agent)}
          </span>
        )}
        <StatusBadge status={statuses[a.state]}>{t(`trust.state.${a.state}`)}</StatusBadge>
        {a.state === "allowed" && a.allowedAt && (
          <time className="cap" dateTime={a.allowedAt}>
            {t("trust.allowedAt", { when: formatWhen(a.allowedAt, true) })}
          </time>
        )}
      </header>
      <div ref={list} className="col gap-3 border-t border-line p-3">
        {a.problem && <Refusal problem={a.problem} />}
        {a.state === "changed" && a.allowedAt && (
          <p className="text-waiting">{t("trust.changedSince", { when: formatWhen(a.allowedAt, true) })}</p>
        )}
        <AskList asks={a.asks} unset={a.unset} label={t("trust.asksOf", { name })} />
      </div>
      {a.before && (
        <details className="border-t border-line px-3 py-2">
          <summary className="cap cursor-pointer">{t("trust.before")}</summary>
          <div className="pt-2">
            <AskList asks={a.before} label={t("trust.before")} />
          </div>
        </details>
      )}
      {a.state !== "refused" && (
        <footer className="row flex-wrap gap-y-1 border-t border-line px-3 py-2">
          {asked && (
            <Button
              tone="main"
              size="sm"
              busy={busy}
              disabled={!read}
              aria-label={t("trust.allowOf", { name })}
              onClick={() => run("trustAllow", t("trust.allowedNow", { name }), () => trustActions.allow(team, a))}
            >
              {t("trust.allow")}
            </Button>
          )}
          {asked && !read && (
            <span className="cap" role="status">
              {t("trust.readFirst")}
            </span>
          )}
          {(a.state === "allowed" || a.state === "changed") && (
            <Button
              size="sm"
              busy={busy}
              aria-label={t("trust.revokeOf", { name })}
              onClick={() =>
                run("trustRevoke", t("trust.revokedNow", { name }), () => trustActions.revoke(team, a.agent))
              }
            >
              {t("trust.revoke")}
            </Button>
          )}
        </footer>
      )}
    </article>
  );
}
