import { expect, test } from "vitest";
import type { Question } from "@/topology";
import { gateOf, subjectOf } from "./words";

const question = (more: Partial<Question>): Question => ({ id: "q", agent: "Shop · abc123", state: "waiting", askedAt: "2025-01-01T00:00:00Z", ...more });

test("ME-8 the gates of a plan are told in words, and what a tool asks is shown as it is", () => {
  expect(gateOf(question({ tool: "merge", arguments: { plan: "Shop", task: "Cart" } }))).toBe("merge");
  expect(gateOf(question({ tool: "begin phase", arguments: { plan: "Shop", phase: "Build" } }))).toBe("phase");
  expect(gateOf(question({ tool: "merge", from: "github", arguments: { plan: "x" } }))).toBeUndefined();
  expect(gateOf(question({ tool: "merge", arguments: { branch: "x" } }))).toBeUndefined();
  expect(subjectOf(question({ tool: "merge", arguments: { plan: "Shop", task: "Cart", branch: "" } }))).toEqual({ code: "", rest: [["plan", "Shop"], ["task", "Cart"]] });
});

test("ME-11 what a worker asks leave for is told by its command, and a plan by its tasks", () => {
  const tool = (input?: string) => question({ tool: "worker tool", arguments: { plan: "Shop", task: "Cart", worker: "codex-cli", wants: "Run the tests", does: "execute", ...(input && { input }) } });
  expect(gateOf(tool())).toBe("tool");
  expect(subjectOf(tool('{"command":["npm","test"],"cwd":"/x"}')).code).toBe("npm test");
  expect(subjectOf(tool('{"command":"npm test"}')).code).toBe("npm test");
  expect(subjectOf(tool('{"path":"a"}')).code).toBe('{\n  "path": "a"\n}');
  expect(subjectOf(tool("no { json")).code).toBe("no { json");
  expect(subjectOf(tool())).toEqual({ code: "", rest: [["plan", "Shop"], ["task", "Cart"], ["worker", "codex-cli"], ["wants", "Run the tests"], ["does", "execute"]] });
  expect(subjectOf(question({ tool: "work plan", arguments: { plan: "p-1", understanding: "A cart", tasks: ["One", "Two"], folder: "/r", worker: "codex-cli" } }))).toEqual({ code: "• One\n• Two", rest: [["understanding", "A cart"], ["folder", "/r"], ["worker", "codex-cli"]] });
  expect(gateOf(question({ tool: "constructor", arguments: { plan: "x" } }))).toBeUndefined();
});
