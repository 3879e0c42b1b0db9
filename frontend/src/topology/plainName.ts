/** A name with visible marks for what turns the direction of writing or has no width: it would show other words. */
export const plainName = (name: string) =>
  name.replace(
    /[\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u2064\u2066-\u206F\uFEFF\uFFF9-\uFFFB]/g,
    (c) => `⟨U+${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`,
  );
