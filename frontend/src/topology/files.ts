import { LIMITS } from "../api/constants";
import type { Agent } from "./types";

/** The workspace files that a team can hold, in the order in which people see them; see backend/team/topology. */
export const FILE_NAMES = [
  "SOUL.md",
  "AGENTS.md",
  "IDENTITY.md",
  "USER.md",
  "TOOLS.md",
  "HEARTBEAT.md",
  "BOOTSTRAP.md",
  "MEMORY.md",
] as const;

/** How many bytes one file of a team can have. */
export const FILE_BYTES = LIMITS.file;
const PROMPT_CHARS = 20_000;

type Settings = Readonly<Record<string, unknown>> | undefined;

/** How many characters of each file an agent gets in its prompt: as it is set, for everyone, or OpenClaw's default. */
export function promptChars(own: Settings, inherited?: unknown): number {
  const most = own?.bootstrapMaxChars ?? (inherited as Settings)?.bootstrapMaxChars;
  return typeof most === "number" && most > 0 ? most : PROMPT_CHARS;
}

/** The name of the file that a field of a change is about. */
export const fileOf = (field: string | undefined): string | undefined =>
  field?.startsWith("files.") ? field.slice("files.".length) : undefined;

type Files = NonNullable<Agent["files"]>;

/** A file as the gateway has it. */
export type There = { missing: boolean; content?: string; hash?: string };

/**
 * The files of a draft after an edit of one. The text that the edit began from and its hash go along, so that a review
 * finds out whether the gateway's file changed since, and what both sides changed. A text that is the gateway's own is
 * no edit, unless the team was applied with the file.
 */
export function withFile(files: Files | undefined, name: string, content: string, there?: There, base?: Files): Files {
  const { [name]: was, ...rest } = files ?? {};
  const theirs = there && !there.missing ? (there.content ?? "") : undefined;
  if (there && content === (theirs ?? "") && !base?.[name]) return rest;
  const edited = was && was.content !== theirs;
  const from =
    there?.hash && !edited ? { basedOn: there.hash, base: theirs } : { basedOn: was?.basedOn, base: was?.base };
  return { ...rest, [name]: { content, ...from } };
}

/** Why a text can't be a workspace file of a team. */
export function fileFault(content: string): "long" | "binary" | undefined {
  if (content.includes("\0")) return "binary";
  return content.length > FILE_BYTES / 3 && new TextEncoder().encode(content).length > FILE_BYTES ? "long" : undefined;
}

/** A text field speaks of lines with LF alone; a file that has CRLF keeps it. */
export const asWritten = (typed: string, was: string): string =>
  was.includes("\r\n") ? typed.replace(/\r?\n/g, "\r\n") : typed;

/** About how many tokens a text is: four letters for one, or a little more than one character of Japanese. */
export function aboutTokens(text: string): number {
  const wide = text.match(/[^\0-\u02ff]/g)?.length ?? 0;
  return Math.ceil((text.length - wide) / 4 + wide * 0.8);
}
