import { CirclePause, Clock } from "lucide-react";
import { useTranslation } from "react-i18next";
import { formatList, formatTime } from "@/i18n/format";
import { attempt } from "@/stores/faults";
import { modelsLink } from "@/stores/providers";
import { taskActions, useTasks } from "@/stores/tasks";
import { useUi } from "@/stores/ui";
import { trustLink } from "@/stores/trust";
import type { Waits } from "@/topology";
import { Banner, Button } from "@/ui";
import { useNow } from "./useNow";
import { useCause } from "./Why";

/** These go away only if a person does something. */
const needsPerson: ReadonlySet<string> = new Set([
  "no_team",
  "unknown_agent",
  "no_connection",
  "unable",
  "away",
  "trust",
  "restored",
]);

/** The first three reasons, each once, as part of a sentence. */
const different = (reasons: string[]) =>
  [...new Set(reasons.map((r) => r.replace(/[.。]$/, "")))].slice(0, 3).join("; ");

/** Why nobody works on the task, and what would help. */
export function WaitsFor({
  task,
  waits,
  onConnect,
}: {
  task: string;
  waits: Waits;
  onConnect: (from: string, to: string) => void;
}) {
  const { t } = useTranslation();
  const go = useUi((s) => s.go),
    known = useTasks((s) => s.agents);
  const why = useCause();
  const now = useNow(waits.reason === "retry");
  const name = (id: string) => known.find((a) => a.id === id)?.name || id;
  const agents = waits.agents ?? [],
    first = agents[0]?.agent,
    from = waits.from ?? [];
  const seconds = waits.until ? Math.max(0, Math.ceil((new Date(waits.until).getTime() - now) / 1000)) : 0;
  const text = {
    no_team: () => t("tasks.waits.no_team"),
    unknown_agent: () => t("tasks.waits.unknown_agent", { name: first }),
    no_connection: () => t("tasks.waits.no_connection", { from: formatList(from.map(name)), to: name(first ?? "") }),
    unable: () =>
      t("tasks.waits.unable", {
        why: different(agents.map((a) => (a.why ? why(a.cause, a.why) : a.agent))),
      }),
    retry: () =>
      first
        ? t("tasks.waits.rejected", {
            name: name(first),
            why: why(agents[0]?.cause, agents[0]?.why ?? first).replace(/[.。]$/, ""),
            count: seconds,
          })
        : seconds > 90 && waits.until
          ? t("tasks.waits.retryAt", { time: formatTime(waits.until) })
          : t("tasks.waits.retry", { count: seconds }),
    away: () =>
      t("tasks.waits.away", {
        why: different(agents.map((a) => why(a.cause, a.why ?? a.agent))),
      }),
    trust: () => t("tasks.waits.trust", { names: formatList(agents.slice(0, 3).map((a) => name(a.agent))) }),
    busy: () =>
      t("tasks.waits.busy", { names: formatList(agents.slice(0, 3).map((a) => name(a.agent))), count: agents.length }),
    next: () => t("tasks.waits.next"),
    restored: () => t("tasks.waits.restored"),
  }[waits.reason]();
  const need = needsPerson.has(waits.reason),
    connect = waits.reason === "no_connection" && from[0] && first ? { from: from[0], to: first } : undefined;
  return (
    <Banner
      tone={need ? "waiting" : undefined}
      icon={need ? CirclePause : Clock}
      actions={
        waits.reason === "restored" ? (
          <Button size="sm" onClick={() => void attempt("answer", () => taskActions.resume(task))}>
            {t("tasks.resume")}
          </Button>
        ) : connect ? (
          <Button size="sm" onClick={() => onConnect(connect.from, connect.to)}>
            {t("tasks.drawIt")}
          </Button>
        ) : waits.reason === "trust" ? (
          <a className="btn btn--sm" href={trustLink()}>
            {t("trust.open")}
          </a>
        ) : agents.some((a) => a.cause?.code === "no_provider") ? (
          <a className="btn btn--sm" href={modelsLink}>
            {t("rooms.mute.add")}
          </a>
        ) : need ? (
          <Button size="sm" onClick={() => go("canvas")}>
            {t("tasks.toCanvas")}
          </Button>
        ) : undefined
      }
    >
      {text}
      {!!waits.ahead && ` ${t("tasks.waits.ahead", { count: waits.ahead })}`}
    </Banner>
  );
}
