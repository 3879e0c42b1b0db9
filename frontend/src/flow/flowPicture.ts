import type { Edge, Node } from "@xyflow/react";
import type { Agent, Chosen, Faces, Mark, Marks, Note, Problem, Topology } from "../topology";
import type { FoldedFlowNode, GroupFlowNode } from "./frames";
import type { Way } from "./geometry";
import type { LineKind } from "./kindStyle";
import type { Spoken, SpokenLine } from "./spoken";

/** The line below an agent's name: how it is, or what changed. None says neither: a version of the past or a draft in review is at no work. */
export type Foot = { status: "idle" | "failed" | "none"; text: string };
export type AgentData = {
  agent: Agent;
  name: string;
  model: string;
  initials: string;
  color: number;
  mark?: Mark;
  fill?: boolean;
  foot: Foot;
  path?: boolean;
  dim?: boolean;
  locked?: boolean;
  /** What the spoken name follows from, beside the agent. */ said: string;
};
export type NoteData = { note: Note; mark?: Mark };
/** An account of a channel, in the lane beside the team. */
export type ChannelData = {
  channel: string;
  account: string;
  /** What is wrong with it, or how many bindings it has. */ foot: string;
  tone: "none" | "idle" | "waiting" | "failed";
  /** It can take part in a binding. */ dim?: boolean;
};
/** What every agent inherits, as a node above the team. */
export type EveryoneData = {
  title: string;
  /** What is set, in few words. */ sets: string;
  count?: string;
  fault?: string;
  mark?: Mark;
  fill?: boolean;
};
export type EveryoneFlowNode = Node<EveryoneData, "everyone">;
export type ChannelFlowNode = Node<ChannelData, "channel">;
export type AgentFlowNode = Node<AgentData, "agent">;
export type NoteFlowNode = Node<NoteData, "note">;
export type FlowNode =
  AgentFlowNode | NoteFlowNode | ChannelFlowNode | EveryoneFlowNode | GroupFlowNode | FoldedFlowNode;
export type LineData = {
  kind: LineKind;
  label?: string;
  mark?: Mark;
  shift: number;
  path?: boolean;
  dim?: boolean;
  /** It is the answer to a question. */
  won?: boolean;
  /** Where mark and label stand on the line, 0 to 1. */
  spot: number;
  /** Around the cards of others, where it would run through one. */
  way?: Way;
  /** Whether place and way were looked for. */
  seated?: boolean;
  /** Nodes are all along the line, so that what stands on it stands upon one of them. */
  crossing?: boolean;
  /** So many connections are drawn as this one, because an end of each is folded away. */
  count?: number;
  /** What the spoken name follows from, beside the kind. */
  said: string;
};
export type FlowEdge = Edge<LineData, "connection">;

export const noteNodeId = (id: string) => `note:${id}`;

/** The words a drawing needs; given from outside so that nodes hold no hooks. */
export type Words = {
  idle: string;
  added: string;
  removed: string;
  moved: string;
  was: (value: string) => string;
  changed: (fields: string[]) => string;
  problem: (p: Problem) => string;
  spoken: (a: Spoken) => string;
  line: (l: SpokenLine) => string;
  note: (text: string) => string;
  kind: string;
  noteKind: string;
  groupKind: string;
  lineKind: string;
};

export type Picture = {
  topology: Topology;
  marks: Marks;
  faces: Faces;
  chosen: Chosen;
  problems?: readonly Problem[];
  highlight?: readonly string[];
  /** Agents and connections that stand back. */
  dim?: (thing: { agent?: string; connection?: string }) => boolean;
  /** Review, history and merge: marks tint the whole node, and layout moves are marked too. */
  review?: boolean;
  words: Words;
};

/** Objects of the last drawing, and the sizes the page measured (notes grow with their text). */
export type FlowCache = {
  nodes: Map<string, FlowNode>;
  edges: Map<string, FlowEdge>;
  sizes: Map<string, { width: number; height: number }>;
  /** What was returned last, and for what lines. */
  nodeList: FlowNode[];
  edgeList: FlowEdge[];
  picture?: Picture;
  lines?: Picture;
};
export const newCache = (): FlowCache => ({
  nodes: new Map(),
  edges: new Map(),
  sizes: new Map(),
  nodeList: [],
  edgeList: [],
});

/** The list of the last drawing where nothing in it is new, so that React Flow leaves all of it alone. */
export const sameList = <T>(had: T[], made: T[]): T[] =>
  had.length === made.length && made.every((x, i) => x === had[i]) ? had : made;

/** Whether two pictures say the same beside the drawing, in which groups and notes are the same. */
export function alike(a: Picture | undefined, b: Picture): a is Picture {
  return (
    !!a &&
    a.marks === b.marks &&
    a.chosen === b.chosen &&
    a.problems === b.problems &&
    a.highlight === b.highlight &&
    a.dim === b.dim &&
    a.review === b.review &&
    a.words === b.words &&
    a.topology.groups === b.topology.groups &&
    a.topology.notes === b.topology.notes
  );
}

/** Whether two pictures differ in nothing but where agents stand, and no frame is around any. */
export const shifted = (a: Picture | undefined, b: Picture): a is Picture =>
  alike(a, b) && a.faces === b.faces && a.topology.agents === b.topology.agents && !b.topology.groups?.length;
