/** A name in which what turns the direction of writing is seen: it would show other words than are there. */
export const plainName = (name: string) =>
  name.replace(
    /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g,
    (c) => `⟨U+${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`,
  );
