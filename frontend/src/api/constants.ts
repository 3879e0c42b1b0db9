// Made from the Go code: go test ./backend -run PageConstants -update

/** The size of an agent on the canvas, in pixels. */
export const NODE_W = 180;
export const NODE_H = 70;
/** How far the frame of a group reaches beyond its members: aside, above for its name, below. */
export const FRAME = { side: 16, head: 30, foot: 14 };
/** What the id of an agent looks like. */
export const ID_SHAPE = /^[a-z0-9_][a-z0-9_-]{0,63}$/;
/** The kinds of connections, in the order of the keys 1 2 3. */
export const KINDS = ["command", "communication", "review"] as const;
/** The kinds that join two agents alike. Any other leads from its source to its target. */
export const MUTUAL: readonly string[] = ["communication"];
/** The types of tasks, in the order in which people see them. */
export const TASK_TYPES = ["chat", "command_execution", "file_operation", "complex_task"] as const;
/** The fields of an agent, each with the type of its value. */
export const AGENT_FIELDS = {
  name: "text",
  role: "text",
  model: "text",
  fallbacks: "texts",
  persona: "text",
  workspace: "text",
  files: "files",
  description: "text",
  tools: "tools",
  temperature: "number",
  maxTokens: "whole",
  url: "text",
  secretEnv: "text",
  fingerprint: "text",
  allowAny: "flag",
} as const;
/** How many bytes the text of a field of an agent can have. */
export const FIELD_BYTES = {
  name: 16384,
  role: 16384,
  model: 16384,
  persona: 262144,
  workspace: 16384,
  description: 16384,
  url: 16384,
  secretEnv: 16384,
  fingerprint: 16384,
} as const;
/** What one team can hold: numbers of things, bytes of texts, and the largest number. */
export const LIMITS = {
  agents: 20000,
  connections: 200000,
  items: 20000,
  listed: 10000,
  extra: 500,
  id: 256,
  text: 16384,
  persona: 262144,
  file: 1048576,
  total: 33554432,
  number: 10000000,
} as const;
/** The sender of what the hub itself says in a room. */
export const HUB_NAME = "AgentFlow";
