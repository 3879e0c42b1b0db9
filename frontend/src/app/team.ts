import { useDrawing } from "@/stores/drawing";
import { showDrawing } from "@/stores/drawings";
import { attempt } from "@/stores/faults";
import { useHub } from "@/stores/hub";
import { keepRoute } from "@/stores/routes";
import { useUi } from "@/stores/ui";

/** For how long a team that isn't listed is waited for, in milliseconds. */
const patience = 5_000;

/** Keeps the open team and the selected agent in the canvas's address. */
export function followTeam(): () => void {
  /** What the address names, until that team is here. */
  let wanted: { team: string; agent?: string } | undefined,
    until = 0,
    asked = ""; // the team that is being opened
  const choose = () => {
    const { id, status, topology } = useDrawing.getState();
    if (!wanted || id !== wanted.team || status !== "ready") return;
    const { agent } = wanted;
    wanted = undefined;
    if (agent && topology.agents.some((a) => a.id === agent)) useUi.getState().choose({ agents: [agent] });
  };
  /** Opens the wanted team once the hub lists it. One that was made a moment ago may come later than its address. */
  const open = () => {
    const { known, drawings } = useHub.getState();
    if (!wanted || !known || wanted.team === useDrawing.getState().id) return;
    const { team } = wanted;
    if (asked === team) return;
    if (!drawings.some((d) => d.id === team)) {
      if (Date.now() > until) wanted = undefined;
      return;
    }
    asked = team;
    void attempt("open", () => showDrawing(team)).finally(() => (asked = ""));
  };
  const off = [
    keepRoute("canvas", {
      read: () => {
        const [agent, ...others] = useUi.getState().chosen.agents;
        const { id: team, status } = useDrawing.getState();
        if (status !== "ready") return wanted ?? {};
        if (wanted?.team === team) return wanted;
        return { team, agent: others.length ? undefined : agent };
      },
      show: ({ team = "", agent }) => {
        wanted = team ? { team, agent } : undefined;
        until = Date.now() + patience;
        choose();
        open();
      },
      follow: (on) => {
        const offs = [useUi.subscribe(on), useDrawing.subscribe(on)];
        return () => offs.forEach((end) => end());
      },
    }),
    useDrawing.subscribe(choose),
    useHub.subscribe(open),
  ];
  return () => off.forEach((end) => end());
}
