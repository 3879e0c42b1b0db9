import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { builtInTools, unknownTools } from "./tools";

const backend = (path: string) => readFileSync(new URL(`../../../backend/model/tool/${path}`, import.meta.url), "utf8");

it("the built-in tools are those that the hub offers", () => {
  for (const [from, path] of [
    ["files", "files/files.go"],
    ["shell", "shell/shell.go"],
  ] as const) {
    const text = backend(path);
    expect(text).toContain(`= "${from}"`);
    for (const tool of builtInTools[from]) expect(text).toContain(`= "${tool}"`);
  }
});

it("an unknown tool is reported, unless an MCP server could offer it", () => {
  expect(unknownTools({ id: "a" }, ["files", "bash", "shell_exec"])).toEqual(["bash"]);
  expect(unknownTools({ id: "a", extra: { mcpServers: { browser: {} } } }, ["browser_open"])).toEqual([]);
});
