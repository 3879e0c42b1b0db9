import { AgentNode } from "./AgentNode";
import { ChannelNode } from "./ChannelNode";
import { ConnectionEdge } from "./ConnectionEdge";
import { EveryoneNode } from "./EveryoneNode";
import { FoldedGroup, GroupFrame } from "./GroupFrame";
import { NoteNode } from "./NoteNode";

export const nodeTypes = {
  agent: AgentNode,
  note: NoteNode,
  channel: ChannelNode,
  everyone: EveryoneNode,
  frame: GroupFrame,
  folded: FoldedGroup,
};
export const edgeTypes = { connection: ConnectionEdge };
