import { Check, CircleHelp, CircleX, LoaderCircle } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Apply, ApplyStep } from "@/topology";

/** The stages of an apply in a line: done, running, still to come. */
export function ApplySteps({ steps }: { steps: readonly ApplyStep[] }) {
  const { t } = useTranslation();
  return (
    <ol className="steps" aria-label={t("apply.steps")}>
      {steps.map((s) => {
        const name = s.name === "wait" && s.expectedSeconds ? "restart" : s.name;
        return (
          <li
            key={s.name}
            className={
              s.state === "done"
                ? "is-done"
                : s.state === "running" || s.state === "unknown"
                  ? "is-on"
                  : s.state === "failed"
                    ? "is-failed"
                    : undefined
            }
            title={s.state === "failed" ? s.detail : undefined}
            aria-current={s.state === "running" ? "step" : undefined}
          >
            {s.state === "done" ? (
              <Check size={14} aria-hidden />
            ) : s.state === "running" ? (
              <LoaderCircle size={14} className="spin" aria-hidden />
            ) : s.state === "failed" ? (
              <CircleX size={14} aria-hidden />
            ) : s.state === "unknown" ? (
              <CircleHelp size={14} aria-hidden />
            ) : null}
            {t(`apply.step.${name}${s.state === "done" ? "Done" : ""}`)}
            <span className="sr-only">{t(`apply.state.${s.state}`)}</span>
          </li>
        );
      })}
    </ol>
  );
}

/** A clock that runs while something is on: when it began, and now. Undefined until the first tick. */
function useClock(key: string | undefined): { from: number; now: number } | undefined {
  const [at, setAt] = useState<{ key: string; from: number; now: number }>();
  useEffect(() => {
    if (!key) return;
    const from = Date.now();
    const tick = () => setAt({ key, from, now: Date.now() });
    tick();
    const timer = setInterval(tick, 500);
    return () => clearInterval(timer);
  }, [key]);
  return at?.key === key ? at : undefined;
}

/** What happens right now, in a sentence: the countdown of a limit, or of a restart. */
export function ApplyNow({ apply: a }: { apply: Apply }) {
  const { t } = useTranslation();
  const on = a.steps.find((s) => s.state === "running");
  const clock = useClock(a.waitUntil ?? (on && `${a.id} ${on.name}`));
  if (a.waitUntil) {
    return (
      clock && (
        <span className="cap text-waiting!" role="timer">
          {t("apply.limited", { seconds: Math.max(0, Math.ceil((Date.parse(a.waitUntil) - clock.now) / 1000)) })}
        </span>
      )
    );
  }
  if (a.steps.some((s) => s.state === "unknown"))
    return <span className="cap text-waiting!">{t("apply.now.checking")}</span>;
  if (!on) return <span className="cap">{t("apply.starting")}</span>;
  if (!on.expectedSeconds) return <span className="cap">{t(`apply.now.${on.name}`)}</span>;
  const left = Math.ceil(on.expectedSeconds - (clock ? (clock.now - clock.from) / 1000 : 0));
  return (
    <span className="cap" role="timer">
      {left > 0 ? t("apply.now.restart", { seconds: left }) : t("apply.now.restartLong")}
    </span>
  );
}
