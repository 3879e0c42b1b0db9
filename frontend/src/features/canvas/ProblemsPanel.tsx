import { CircleAlert, CircleCheck, TriangleAlert, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { EVERYONE_NODE, SaidWords } from "@/flow";
import { problemMessage, problemRemedy, problemSaid } from "@/i18n/problem";
import { useTeam } from "@/stores/team";
import { useOpenProblems } from "@/stores/trust";
import { useUi } from "@/stores/ui";
import { connectionKey, displayName, findAgent, faceOf, isOfEveryone, type Problem } from "@/topology";
import { Avatar, EmptyState, IconButton, Tabs } from "@/ui";

/** Goes where a problem is: selects it, shows it, draws its path, and puts the cursor in its field. */
export function goToProblem(p: Problem): void {
  const ui = useUi.getState();
  if (p.subject === "binding" || p.subject === "broadcast") ui.setPanel("canvas.routes", { folded: false });
  if (p.subject === "connection" && p.agent && p.target && p.kind)
    ui.choose({ connections: [connectionKey({ from: p.agent, kind: p.kind, to: p.target })] });
  else if (isOfEveryone(p)) ui.choose({ everyone: true });
  else if (p.agent) ui.choose({ agents: [p.agent] });
  ui.setHighlight(p.path ?? []);
  const ends = isOfEveryone(p) ? [EVERYONE_NODE] : [p.agent, p.target].filter((x) => x !== undefined);
  ui.revealAgents(p.path?.length ? p.path : ends);
  if (!p.agent || !p.field) return;
  const inSettings = p.field.startsWith("extra.");
  ui.setTab(
    inSettings
      ? "settings"
      : p.field === "persona" || p.field === "description"
        ? "persona"
        : p.field.startsWith("tools")
          ? "tools"
          : "general",
  );
  const field = inSettings && p.params?.key ? `extra.${p.params.key}` : p.field;
  requestAnimationFrame(() => useUi.getState().askField(field));
}

/** What the linter found, errors first; a click goes there. */
export function ProblemsPanel({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const problems = useOpenProblems();
  const sorted = [...problems].sort((a, b) => Number(b.severity === "error") - Number(a.severity === "error"));
  const list = problems.length ? (
    <ul className="rows">
      {sorted.map((p) => (
        <ProblemRow key={p.id} problem={p} />
      ))}
    </ul>
  ) : (
    <EmptyState icon={CircleCheck} title={t("problems.none")}>
      {t("problems.noneWhy")}
    </EmptyState>
  );
  return (
    <Tabs
      label={t("problems.title")}
      value="problems"
      onValue={() => undefined}
      tabs={[{ value: "problems", label: t("problems.title"), count: problems.length, content: list }]}
      tools={<IconButton icon={X} size="sm" className="self-center" label={t("problems.close")} onClick={onClose} />}
    />
  );
}

function ProblemRow({ problem: p }: { problem: Problem }) {
  const { t } = useTranslation();
  const agent = useTeam((s) => (p.agent ? findAgent(s.topology, p.agent) : undefined)),
    faces = useTeam((s) => s.faces);
  const error = p.severity === "error";
  const Icon = error ? CircleAlert : TriangleAlert;
  const text = [problemMessage(t, p), problemRemedy(t, p)].filter(Boolean).join(" ");
  return (
    <li className={error ? "s-failed" : "s-waiting"}>
      <button type="button" className="trow items-start!" title={text} onClick={() => goToProblem(p)}>
        <Icon size={16} className="sc mt-[3px]" aria-label={p.severity} />
        {agent ? (
          <span className="row flex-none">
            <Avatar size="sm" {...faceOf(faces, agent.id)} />
            <b>{displayName(agent)}</b>
          </span>
        ) : (
          <b className="flex-none">{t("problems.team")}</b>
        )}
        <span className="t2 grow py-px">
          <SaidWords said={problemSaid(t, p)} />
        </span>
      </button>
    </li>
  );
}
