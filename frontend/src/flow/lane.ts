import type { ChannelFlowNode, FlowEdge } from "./flowPicture";

/** What a gesture or a key does to the bindings of the lane. Those that return a boolean say whether it was done. */
export type LaneActs = {
  /** Adds a binding from a card to an agent, and opens the form on it. */ bind: (
    card: string,
    agent: string,
  ) => boolean;
  /** Has a line's binding go to another agent. */ move: (line: string, agent: string) => boolean;
  /** Deletes the bindings of a line in one step. */ remove: (line: string) => boolean;
  /** Chooses a line and shows its bindings in the panel. */ pick: (line: string) => void;
  /** Opens the form on a line's binding. */ edit: (line: string) => void;
};

/** The channels beside the team, and a line for each binding. */
export type Lane = { nodes: readonly ChannelFlowNode[]; edges: readonly FlowEdge[]; acts?: LaneActs };
export const emptyLane: Lane = { nodes: [], edges: [] };

/** The size of a channel's card, and the room for labels between the lane and the team. */
export const LANE = { w: 180, h: 52, aside: 280 };

export const channelNodeId = (channel: string, account: string) => `channel:${channel}:${account}`;
export const isChannelNode = (node: string) => node.startsWith("channel:");
/** Whether a line stands for bindings, or for an agent of a broadcast group. */
export const isRoute = (line: string) => /^(?:bindings?|rest|cast):/.test(line);
