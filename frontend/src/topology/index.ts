export * from "./arrange";
export * from "./edit";
export * from "./groups";
export * from "./identity";
export * from "./kinds";
export * from "./marks";
export type * from "./types";
