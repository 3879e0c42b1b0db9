import { useDrawing } from "@/stores/drawing";
import { showDrawing } from "@/stores/drawings";
import { attempt } from "@/stores/faults";
import { useHub } from "@/stores/hub";
import { keepRoute } from "@/stores/routes";
import { useUi } from "@/stores/ui";

/** Keeps the open team and the selected agent in the canvas's address. */
export function followTeam(): () => void {
  /** What the address names, until that team is here. */
  let wanted: { team: string; agent?: string } | undefined;
  const choose = () => {
    const { id, status, topology } = useDrawing.getState();
    if (!wanted || id !== wanted.team || status !== "ready") return;
    const { agent } = wanted;
    wanted = undefined;
    if (agent && topology.agents.some((a) => a.id === agent)) useUi.getState().choose({ agents: [agent] });
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
        const { known, drawings } = useHub.getState();
        wanted = known && !drawings.some((d) => d.id === team) ? undefined : { team, agent };
        choose();
        if (known && wanted && team !== useDrawing.getState().id) void attempt("open", () => showDrawing(team));
      },
      follow: (on) => {
        const offs = [useUi.subscribe(on), useDrawing.subscribe(on)];
        return () => offs.forEach((end) => end());
      },
    }),
    useDrawing.subscribe(choose),
  ];
  return () => off.forEach((end) => end());
}
