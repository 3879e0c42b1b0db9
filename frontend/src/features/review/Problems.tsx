import { CircleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { problemSaid } from "@/i18n/problem";
import { useTeam } from "@/stores/team";
import { useUi } from "@/stores/ui";
import { connectionKey, findAgent, updateAgents, type Problem } from "@/topology";
import { Button } from "@/ui";
import { agentName, SaidWords, type Teams } from "@/flow";
import { loadPreview } from "./store";

/** Returns to the canvas, to a problem. */
export function goToPlace(p: Pick<Problem, "subject" | "agent" | "target" | "kind" | "field" | "path">): void {
  const ui = useUi.getState();
  ui.go("canvas");
  if (p.subject === "connection" && p.agent && p.target && p.kind)
    ui.choose({ connections: [connectionKey({ from: p.agent, kind: p.kind, to: p.target })] });
  else if (p.agent) ui.choose({ agents: [p.agent] });
  ui.setHighlight(p.path ?? []);
  requestAnimationFrame(() => {
    useUi.getState().revealAgents(p.path?.length ? p.path : [p.agent, p.target].filter((x) => x !== undefined));
    if (p.agent && p.field) useUi.getState().askField(p.field);
  });
}

const isRejected = (p: Problem) => p.code === "refused_key" || p.code === "refused_value";

/** What must be put right before anything can be applied, and what the gateway rejects by its own schema. */
export function Problems({ problems, teams }: { problems: readonly Problem[]; teams: Teams }) {
  const { t } = useTranslation();
  const errors = problems.filter((p) => p.severity === "error"),
    rejected = problems.filter((p) => p.severity !== "error" && isRejected(p));
  return (
    <>
      <Listed title={t("review.stops", { count: errors.length })} problems={errors} teams={teams} />
      <Listed title={t("review.rejects", { count: rejected.length })} problems={rejected} teams={teams} />
    </>
  );
}

function Listed({ title, problems, teams }: { title: string; problems: readonly Problem[]; teams: Teams }) {
  const { t } = useTranslation();
  if (!problems.length) return null;
  return (
    <section aria-label={title}>
      <h2 className="label text-failed!">
        <CircleAlert size={14} aria-hidden />
        {title}
      </h2>
      <ul>
        {problems.map((p) => (
          <li key={p.id} className="review-stop">
            <b className="cut">{p.agent ? agentName(teams, p.agent) : t("review.team")}</b>
            <span className="t2">
              <SaidWords said={problemSaid(t, p)} />
            </span>
            <span className="row flex-wrap gap-1">
              {isWholeField(p) && (
                <Button size="sm" onClick={() => void removeField(p, agentName(teams, p.agent ?? ""))}>
                  {t("review.removeField")}
                </Button>
              )}
              <Button size="sm" onClick={() => goToPlace(p)}>
                {t("review.goThere")}
              </Button>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The gateway knows nothing by this name: it isn't only a part of the field that it rejects. */
const isWholeField = (p: Problem) => p.code === "refused_key" && p.field === `extra.${p.params?.key}`;

/** Takes the field out of the team, as one step that can be undone, and reviews again. */
async function removeField(p: Problem, who: string): Promise<void> {
  const id = p.agent ?? "",
    key = p.params?.key ?? "";
  useTeam.getState().edit(`edit.setting|${who}: ${key}`, (d) => {
    const extra = Object.entries(findAgent(d, id)?.extra ?? {}).filter(([k]) => k !== key);
    return updateAgents(d, [id], { extra: extra.length ? Object.fromEntries(extra) : undefined });
  });
  await loadPreview();
}
