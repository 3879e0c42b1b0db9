import type { Setting } from "@/topology";
import { ANY, formsOf, pathText, type Path } from "./tree";

// The settings that people want most, in sections above the list of all others. The name of a setting, its help and its
// values come from the gateway. A test names each key that a recorded gateway lacks.

export const sections = {
  identity: ["identity.name", "identity.emoji", "identity.avatar", "identity.theme"],
  thinking: ["thinkingDefault", "reasoningDefault", "fastModeDefault", "utilityModel", "params"],
  skills: ["skills"],
  tools: ["tools.alsoAllow", "tools.exec.mode", "tools.fs.workspaceOnly", "tools.elevated.enabled"],
  sandbox: ["sandbox.mode", "sandbox.scope", "sandbox.workspaceAccess"],
  subagents: ["subagents.delegationMode", "subagents.model", "subagents.thinking", "subagents.requireAgentId"],
  heartbeat: ["heartbeat.every", "heartbeat.activeHours.start", "heartbeat.activeHours.end", "heartbeat.prompt"],
  mentions: ["groupChat.mentionPatterns"],
  memory: ["memory.search.enabled", "memory.search.rememberAcrossConversations"],
  runtime: ["runtime.type", "cwd"],
  limits: ["bootstrapMaxChars", "contextLimits.memoryGetMaxChars"],
} as const satisfies Record<string, readonly string[]>;

export type SectionName = keyof typeof sections;
export type Placed = { setting: Setting; path: Path };
type Split = { sections: { name: SectionName; settings: Placed[] }[]; rest: Setting[] };

function find(settings: readonly Setting[] | undefined, path: Path): Setting | undefined {
  const [key, ...rest] = path;
  const here = settings?.find((s) => s.key === key);
  return rest.length ? find(here?.settings, rest) : here;
}

/** The settings without those at the paths. A group goes with its last setting, unless it can have a value itself. */
function without(settings: readonly Setting[], taken: ReadonlySet<string>, path: Path = []): Setting[] {
  return settings.flatMap((s) => {
    const here = [...path, s.key];
    const isTaken = taken.has(pathText(here));
    if (!s.settings?.length) return isTaken ? [] : [s];
    const below = without(s.settings, taken, here);
    if (isTaken && !below.length) return [];
    if (!below.length && !formsOf(s).length) return [];
    return below.length === s.settings.length && below.every((x, i) => x === s.settings?.[i])
      ? [s]
      : [{ ...s, settings: below }];
  });
}

/** The settings in their sections, and all others. A section without any of them is left out. */
export function inSections(settings: readonly Setting[]): Split {
  const found = Object.entries(sections).map(([name, keys]) => ({
    name: name as SectionName,
    settings: keys.flatMap((text) => {
      const path = text.split("."),
        setting = find(settings, path);
      return setting && formsOf(setting).length ? [{ setting, path }] : [];
    }),
  }));
  const plain = found.flatMap((s) => s.settings.filter((x) => !x.setting.settings?.length));
  return {
    sections: found.filter((s) => s.settings.length),
    rest: without(settings, new Set(plain.map((x) => pathText(x.path)))),
  };
}

/** Which settings of subagents count for a Delegate connection, by whose they are. */
export type DelegationParts = { from: Placed[]; to: Placed[]; everyone: Placed[] };

/**
 * An agent's `subagents` has settings of both ends: `model` is that of the agent that is delegated to, `thinking` of
 * both, and the others are those of the agent that delegates. Limits are only in what everyone inherits.
 * Undefined where a gateway has none of them.
 */
export function delegation(agent: readonly Setting[], everyone: readonly Setting[] = []): DelegationParts | undefined {
  const of = (settings: readonly Setting[]) =>
    (settings.find((s) => s.key === "subagents")?.settings ?? [])
      .filter((s) => s.key !== ANY && s.key !== "allowAgents") // the connections themselves
      .map((setting): Placed => ({ setting, path: ["subagents", setting.key] }));
  const all = of(agent),
    known = new Set(all.map((s) => s.setting.key));
  const parts = {
    from: all.filter((s) => s.setting.key !== "model"),
    to: all.filter((s) => s.setting.key === "model" || s.setting.key === "thinking"),
    everyone: of(everyone).filter((s) => !known.has(s.setting.key)),
  };
  return all.length || parts.everyone.length ? parts : undefined;
}
