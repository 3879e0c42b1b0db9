import { AGENT_FIELDS, FIELD_BYTES, LIMITS } from "../api/constants";

export { AGENT_FIELDS, FIELD_BYTES, LIMITS };

/** The name of an agent's field; the id, the connections and the extra keys are not among them. */
export type AgentField = keyof typeof AGENT_FIELDS;

/** The name of a field that is one text. */
export type TextFieldName = { [K in AgentField]: (typeof AGENT_FIELDS)[K] extends "text" ? K : never }[AgentField];
