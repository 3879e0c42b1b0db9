/** A command as one line, with the limits of its words where they are not plain. */
export const commandLine = (words: readonly unknown[]): string =>
  words
    .map((word) => (typeof word === "string" && /^[\w./:=@%+,-]+$/.test(word) ? word : JSON.stringify(word)))
    .join(" ");
