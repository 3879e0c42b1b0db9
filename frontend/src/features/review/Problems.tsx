import { CircleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { problemSaid } from "@/i18n/problem";
import { useUi } from "@/stores/ui";
import { connectionKey, type Problem } from "@/topology";
import { Button } from "@/ui";
import { agentName, SaidWords, type Teams } from "@/flow";

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

/** What must be put right before anything can be applied. */
export function Problems({ problems, teams }: { problems: readonly Problem[]; teams: Teams }) {
  const { t } = useTranslation();
  const errors = problems.filter((p) => p.severity === "error");
  if (!errors.length) return null;
  return (
    <section aria-label={t("review.stops", { count: errors.length })}>
      <h2 className="label text-failed!">
        <CircleAlert size={14} aria-hidden />
        {t("review.stops", { count: errors.length })}
      </h2>
      <ul>
        {errors.map((p) => (
          <li key={p.id} className="review-stop">
            <b className="cut">{p.agent ? agentName(teams, p.agent) : t("review.team")}</b>
            <span className="t2">
              <SaidWords said={problemSaid(t, p)} />
            </span>
            <Button size="sm" onClick={() => goToPlace(p)}>
              {t("review.goThere")}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
