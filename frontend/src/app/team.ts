import { useTeam } from "@/stores/team";
import { showTeam } from "@/stores/teams";
import { attempt } from "@/stores/faults";
import { useHub } from "@/stores/hub";
import { keepRoute } from "@/stores/routes";
import { useUi } from "@/stores/ui";
import { EVERYONE } from "@/topology";

/** Keeps the open team and the selected agent in the canvas's address. */
export function followTeamAddress(): () => void {
  /** What the address names, until that team is here or another one is opened. */
  let wanted: { team: string; agent?: string } | undefined,
    asked = ""; // the team that is being opened
  const choose = () => {
    const { id, status, topology } = useTeam.getState();
    if (!wanted || id !== wanted.team || status !== "ready") return;
    const { agent } = wanted;
    wanted = undefined;
    if (agent === EVERYONE) useUi.getState().choose({ everyone: true });
    else if (agent && topology.agents.some((a) => a.id === agent)) useUi.getState().choose({ agents: [agent] });
  };
  /** Opens the wanted team once the hub lists it. One that was made a moment ago may come later than its address. */
  const open = () => {
    const { known, teams } = useHub.getState();
    if (!wanted || !known || wanted.team === useTeam.getState().id) return;
    const { team } = wanted;
    if (asked === team || !teams.some((d) => d.id === team)) return;
    asked = team;
    void attempt("open", () => showTeam(team)).then((opened) => {
      asked = "";
      if (!opened && wanted?.team === team) wanted = undefined; // the person was told why
    });
  };
  const off = [
    keepRoute("canvas", {
      read: () => {
        const { agents, everyone } = useUi.getState().chosen;
        const [agent, ...others] = everyone ? [EVERYONE] : agents;
        const { id: team, status } = useTeam.getState();
        if (status !== "ready") return wanted ?? {};
        if (wanted?.team === team) return wanted;
        return { team, agent: others.length ? undefined : agent };
      },
      show: ({ team = "", agent }) => {
        wanted = team ? { team, agent } : undefined;
        choose();
        open();
      },
      follow: (on) => {
        const offs = [useUi.subscribe(on), useTeam.subscribe(on)];
        return () => offs.forEach((end) => end());
      },
    }),
    useTeam.subscribe((now, before) => {
      if (now.id !== before.id && now.id !== wanted?.team) wanted = undefined;
      choose();
    }),
    useHub.subscribe(open),
  ];
  return () => off.forEach((end) => end());
}
