import { AgentNode } from "./AgentNode";
import { ChannelNode } from "./ChannelNode";
import { ConnectionEdge } from "./ConnectionEdge";
import { FoldedGroup, GroupFrame } from "./GroupFrame";
import { NoteNode } from "./NoteNode";

export const nodeTypes = {
  agent: AgentNode,
  note: NoteNode,
  channel: ChannelNode,
  frame: GroupFrame,
  folded: FoldedGroup,
};
export const edgeTypes = { connection: ConnectionEdge };
