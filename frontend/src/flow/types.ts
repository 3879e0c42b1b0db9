import { AgentNode } from "./AgentNode";
import { ConnectionEdge } from "./ConnectionEdge";
import { GroupFrame, NoteNode } from "./NoteNode";

export const nodeTypes = { agent: AgentNode, note: NoteNode, frame: GroupFrame };
export const edgeTypes = { connection: ConnectionEdge };
