import type { Agent } from "./types";

/** What offers tools in the built-in gateway, each with the tools that it offers. */
export const builtInTools = {
  files: ["file_read", "file_write", "file_list", "file_search"],
  shell: ["shell_exec"],
} as const;

const known = new Set<string>(Object.entries(builtInTools).flatMap(([from, tools]) => [from, ...tools]));

/** Names that the built-in gateway offers no tool for. With MCP servers an agent may have tools of any name. */
export function unknownTools(agent: Agent, names: readonly string[]): string[] {
  return agent.extra?.mcpServers ? [] : names.filter((n) => !known.has(n));
}
