import { useTeam } from "@/stores/team";
import { displayName, faceOf, findAgent } from "@/topology";
import { Avatar } from "@/ui";

/** An agent's face and name; of one that isn't in the team, its ID. */
export function AgentFace({ id }: { id: string }) {
  const agent = useTeam((s) => findAgent(s.topology, id)),
    faces = useTeam((s) => s.faces);
  return (
    <span className="row min-w-0 gap-2">
      {agent && <Avatar size="sm" {...faceOf(faces, id)} />}
      <b className="cut" translate="no">
        {agent ? displayName(agent) : id}
      </b>
    </span>
  );
}
