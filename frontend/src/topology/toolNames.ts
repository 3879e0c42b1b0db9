import type { AgentTools } from "./types";

/** Names that gateways take for other tools. */
const aliases = new Set(["bash", "apply-patch"]);

/** Whether the entry stands for tools that no gateway lists: a group, a pattern, or a tool of an MCP server. */
const isOpen = (name: string) => /^group:|[*]|__|^bundle-mcp$/.test(name);

/** Entries of a list of tools that the gateway doesn't know. None while it isn't known what it knows. */
export function unlistedTools({ catalog, effective }: AgentTools, names: readonly string[]): string[] {
  if (!catalog || catalog.partial) return [];
  const known = new Set(aliases);
  for (const tool of catalog.tools) {
    known.add(tool.name.toLowerCase());
    if (tool.plugin) known.add(tool.plugin.toLowerCase());
  }
  for (const name of effective?.tools ?? []) known.add(name.toLowerCase());
  return names.filter((n) => {
    const name = n.trim().toLowerCase();
    return name && !isOpen(name) && !known.has(name);
  });
}

/** Entries of a list of skills that the gateway doesn't have, and those that it has but that can't be used there. */
export function unreadySkills({ skills }: AgentTools, names: readonly string[]) {
  const listed = new Map(skills?.skills.map((s) => [s.name, s]));
  const given = names.map((n) => n.trim()).filter(Boolean);
  return {
    unknown: skills && !skills.partial ? given.filter((n) => !listed.has(n)) : [],
    unready: given.flatMap((n) => listed.get(n) ?? []).filter((s) => !s.ready),
  };
}
