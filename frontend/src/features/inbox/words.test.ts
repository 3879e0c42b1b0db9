import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Question } from "@/topology";
import { marked, markedLine } from "@/ui/unseen";
import { afterDenial, gateOf, outcomeOf, runsHere, subjectOf, takes } from "./words";

const question = (more: Partial<Question>): Question => ({
  id: "q",
  agent: "Shop · abc123",
  state: "waiting",
  askedAt: "2025-01-01T00:00:00Z",
  ...more,
});

test("ME-8 the gates of a plan are described in words, and a tool's request is shown as it is", () => {
  expect(gateOf(question({ tool: "merge", arguments: { plan: "Shop", task: "Cart" } }))).toBe("merge");
  expect(gateOf(question({ tool: "begin phase", arguments: { plan: "Shop", phase: "Build" } }))).toBe("phase");
  expect(gateOf(question({ tool: "merge", from: "github", arguments: { plan: "x" } }))).toBeUndefined();
  expect(gateOf(question({ tool: "merge", arguments: { branch: "x" } }))).toBeUndefined();
  expect(subjectOf(question({ tool: "merge", arguments: { plan: "Shop", task: "Cart", branch: "" } }))).toEqual({
    code: "",
    rest: [
      ["plan", "Shop"],
      ["task", "Cart"],
    ],
    line: "Cart",
  });
});

test("ME-11 a worker's approval request shows its command, and a plan's shows its tasks", () => {
  const tool = (input?: string) =>
    question({
      tool: "worker tool",
      arguments: {
        plan: "Shop",
        task: "Cart",
        worker: "codex-cli",
        wants: "Run the tests",
        does: "execute",
        ...(input && { input }),
      },
    });
  expect(gateOf(tool())).toBe("tool");
  expect(subjectOf(tool('{"command":["npm","test"]}')).code).toBe("npm test");
  expect(subjectOf(tool('{"command":"npm test"}')).code).toBe("npm test");
  expect(subjectOf(tool('{"path":"a"}')).code).toBe('{\n  "path": "a"\n}');
  expect(subjectOf(tool("no { json")).code).toBe("no { json");
  expect(subjectOf(tool())).toEqual({
    code: "",
    rest: [
      ["plan", "Shop"],
      ["task", "Cart"],
      ["worker", "codex-cli"],
      ["wants", "Run the tests"],
      ["does", "execute"],
    ],
    line: "Run the tests",
  });
  expect(
    subjectOf(
      question({
        tool: "work plan",
        arguments: { plan: "p-1", understanding: "A cart", tasks: ["One", "Two"], folder: "/r", worker: "codex-cli" },
      }),
    ),
  ).toEqual({
    code: "• One\n• Two",
    rest: [
      ["understanding", "A cart"],
      ["folder", "/r"],
      ["worker", "codex-cli"],
    ],
    line: "A cart",
  });
  expect(
    subjectOf(
      question({
        tool: "merge",
        arguments: { plan: "p", task: "Cart", branch: "agentflow/x", files: "A made.txt", diff: "+++ b/made.txt" },
      }),
    ),
  ).toEqual({
    code: "+++ b/made.txt",
    rest: [
      ["plan", "p"],
      ["task", "Cart"],
      ["branch", "agentflow/x"],
      ["files", "A made.txt"],
    ],
    line: "Cart",
  });
  expect(gateOf(question({ tool: "constructor", arguments: { plan: "x" } }))).toBeUndefined();
});

test("TR-2 F5 all keys of a worker's request are shown, and the line says what the input says", () => {
  const input = { command: "ls", cwd: "/", env: { LD_PRELOAD: "/tmp/x.so" }, sandbox: "danger-full-access" };
  const { code, line } = subjectOf(
    question({
      tool: "worker tool",
      arguments: { plan: "p", task: "Cart", worker: "codex-cli", wants: "Look at the files", input },
    }),
  );
  expect(JSON.parse(code)).toEqual(input);
  expect(line).toBe("ls");
  expect(
    subjectOf(
      question({
        tool: "worker tool",
        arguments: { plan: "p", wants: "x", input: { command: ["bash", "-c", "a  b"] } },
      }),
    ).code,
  ).toBe('bash -c "a  b"');
});

test("TR-2 F4 an empty value and a key of another case are shown, too", () => {
  expect(
    subjectOf(
      question({ tool: "shell_exec", from: "shell", arguments: { command: "git status", Command: "", dir: "x" } }),
    ),
  ).toEqual({
    code: "git status",
    rest: [
      ["Command", '""'],
      ["dir", "x"],
    ],
    line: "git status",
  });
});

test("OC-5 what a gateway asks is shown whole, the important first, and who answered it is named", () => {
  const at = { name: "studio", choices: ["once" as const, "deny" as const] };
  const exec = question({
    tool: "exec",
    arguments: { ask: "on-miss", command: "ls", cwd: "/srv", elevated: true, warningText: "Look!" },
    gateway: { ...at, kind: "exec" },
  });
  expect(subjectOf(exec)).toEqual({
    code: "ls",
    rest: [
      ["warningText", "Look!"],
      ["cwd", "/srv"],
      ["ask", "on-miss"],
      ["elevated", "true"],
    ],
    line: "ls",
  });
  expect([takes(exec, "once"), takes(exec, "always"), takes(exec, "deny")]).toEqual([true, false, true]);
  const stale = { ...exec, gateway: { ...at, kind: "exec" as const, stale: true } };
  expect([takes(stale, "once"), takes(stale, "deny")]).toEqual([false, false]);
  const t = ((key: string, values?: object) =>
    [key, ...Object.values<string>((values ?? {}) as Record<string, string>)].join(" ")) as never;
  const ended = { ...exec, state: "answered" as const, choice: "deny" as const };
  expect(outcomeOf(t, { ...ended, by: "owner" })).toBe("inbox.outcome.deny");
  expect(outcomeOf(t, { ...ended, by: "Telegram" })).toBe("inbox.gateway.by inbox.outcome.deny Telegram");
});

test("TR-2 F5 F19 what nobody sees is shown as a mark", () => {
  const cases = JSON.parse(
    readFileSync(new URL("../../../../backend/cli/internal/term/testdata/marks.json", import.meta.url), "utf8"),
  ) as { text: string; marked: string }[];
  for (const c of cases) expect(marked(c.text)).toBe(c.marked); // the terminal's marks are the same
  expect(marked(`git status${" ".repeat(400)}; touch x`)).toBe("git status␣×400; touch x");
  expect(marked(`git status${"\n".repeat(400)}touch x`)).toBe("git status⏎×400\ntouch x");
  expect(markedLine("a\n\nb")).toBe("a ⏎ b");
});

test("TR-3 a command that would run here shows its sandbox, but only while it can be allowed", () => {
  const shell = question({ tool: "shell_exec", from: "shell", arguments: { command: "make" } });
  expect([runsHere(shell), runsHere({ ...shell, elsewhere: true }), runsHere({ ...shell, state: "answered" })]).toEqual(
    [true, false, false],
  );
  expect(runsHere(question({ tool: "worker tool", arguments: { plan: "p", wants: "x" } }))).toBe(true);
  expect(runsHere(question({ tool: "merge", arguments: { plan: "p", task: "Cart" } }))).toBe(false);
  expect(runsHere(question({ tool: "file_read", from: "files", arguments: { path: "a" } }))).toBe(false);
});

test("a denial with a reply says how the work goes on: a command ends, an agent goes on", () => {
  const q = question({ tool: "shell_exec", from: "shell", task: "01ARZ3NDEKTSV4RRFFQ69G5FAV" });
  expect(afterDenial(q, { type: "command_execution" })).toBe("ends");
  expect(afterDenial(q, { type: "chat" })).toBe("goesOn");
  expect(afterDenial(q, undefined)).toBe("open");
  expect(afterDenial(question({ tool: "file_write", from: "files" }), undefined)).toBe("goesOn");
  expect(afterDenial(question({ tool: "merge", arguments: { plan: "Shop" } }), undefined)).toBe("open");
});
