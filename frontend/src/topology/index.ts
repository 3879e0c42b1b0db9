export * from "./arrange";
export * from "./clip";
export * from "./edit";
export * from "./groups";
export * from "./identity";
export * from "./kinds";
export * from "./marks";
export { holdsSecret } from "./secrets";
export type * from "./types";
