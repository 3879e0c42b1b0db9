const firstText = /^\{\s*"(?:[^"\\]|\\.)*"\s*:\s*"((?:[^"\\]|\\.)*)/;

/** What went into a tool, in a few words: the first text of its input, also of one that is cut off. */
export function inShort(input: string): string {
  try {
    const value: unknown = JSON.parse(input);
    const first = value && typeof value === "object" ? Object.values(value).find((v) => typeof v === "string") : value;
    return typeof first === "string" ? first : input === "{}" ? "" : input;
  } catch {
    return firstText.exec(input)?.[1] ?? input;
  }
}
