import { afterEach, expect, it } from "vitest";
import type { AgentWork, Question } from "../topology";
import { emptyPicture } from "./apply";
import { useHub } from "./hub";
import { useInbox } from "./inbox";
import { useUi } from "./ui";
import { atWork, ofApplied } from "./work";

afterEach(() => useHub.setState({ ...emptyPicture }));

const running: AgentWork = {
  agent: "backend",
  state: "running",
  task: "t1",
  title: "List the files",
  since: "2026-11-22T10:00:00Z",
};
const question = (id: string, patch: Partial<Question> = {}): Question => ({
  id,
  agent: "backend",
  askedAt: "2026-11-22T10:00:05Z",
  state: "waiting",
  tool: "shell",
  task: "t1",
  ...patch,
});

it("an agent whose question waits for the person waits, and runs again after the answer", () => {
  useHub.setState({ work: { running: 1, waiting: 0, agents: [running] } });
  expect(atWork.of("backend")?.state).toBe("running");
  let heard = 0;
  const off = atWork.subscribe(() => heard++);
  useHub.setState({ inbox: [question("q1"), question("q2", { tool: "files" })] });
  expect(heard).toBe(1);
  expect(atWork.of("backend")).toMatchObject({ state: "waiting", title: "shell", question: "q1" });
  expect(atWork.of("backend")).toBe(atWork.of("backend"));
  atWork.answer("q1");
  expect([useInbox.getState().chosen, useUi.getState().screen]).toEqual(["q1", "inbox"]);
  useHub.setState({ inbox: [] });
  expect(atWork.of("backend")?.state).toBe("running");
  off();
});

it("APP-4 a team shows only what the agents it was applied with are at, whatever its other agents are called", () => {
  const asks = question("q1");
  useHub.setState({ work: { running: 1, waiting: 0, agents: [running] }, inbox: [asks] });
  const never = ofApplied(atWork, undefined),
    other = ofApplied(atWork, { agents: [{ id: "frontend" }] }),
    applied = ofApplied(atWork, { agents: [{ id: "backend" }] });
  expect([never, other, applied].map((w) => w.of("backend")?.question)).toEqual([undefined, undefined, "q1"]);
  let heard = 0;
  const off = [never, applied].map((w) => w.subscribe(() => heard++));
  useHub.setState({ inbox: [] });
  expect(heard).toBe(1);
  expect([never.of("backend")?.state, applied.of("backend")?.state]).toEqual([undefined, "running"]);
  off.forEach((end) => end());
});
