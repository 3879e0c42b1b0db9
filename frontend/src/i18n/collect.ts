/** All words of a language; each file is one branch: canvas.json holds "canvas.…". */
export function collect(files: Record<string, object>): Record<string, object> {
  return Object.fromEntries(
    Object.entries(files).map(([path, words]) => [path.slice(path.lastIndexOf("/") + 1, -".json".length), words]),
  );
}
