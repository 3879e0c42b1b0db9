/** A part of a sentence: a word of ours, or something that somebody else wrote. */
export type Said = { text: string; code?: true };

const begin = "\uE000",
  end = "\uE001";

/** Writes a sentence in which each value that `place` was given is a separate part, whatever characters it has. */
export function sayApart(write: (place: (value: string) => string) => string): Said[] {
  const all: string[] = [];
  const text = write((value) => `${begin}${all.push(value) - 1}${end}`);
  return text.split(new RegExp(`(${begin}\\d+${end})`)).flatMap((part): Said[] => {
    if (!part) return [];
    return part.startsWith(begin) ? [{ text: all[Number(part.slice(1, -1))] ?? "", code: true }] : [{ text: part }];
  });
}
