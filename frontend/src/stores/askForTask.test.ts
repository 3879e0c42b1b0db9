// @vitest-environment happy-dom
import { afterEach, expect, it } from "vitest";
import type { Gateway } from "@/topology";
import { useHub } from "./hub";
import { askForTask, useTaskDraft } from "./taskDraft";
import { useTeam } from "./team";

afterEach(() => useTaskDraft.setState({ agent: "" }));

it("OC-5 a task for an agent of the open team goes to the gateway that runs it", () => {
  useHub.setState({
    gateways: [{ name: "local", dialect: "local" } as Gateway, { name: "home", dialect: "framed" } as Gateway],
  });
  for (const [gateway, want] of [
    ["local", "writer"],
    ["home", "writer@home"],
    ["gone", "writer"],
  ] as const) {
    useTeam.setState({ gateway });
    askForTask("writer");
    expect(useTaskDraft.getState().agent).toBe(want);
  }
  const { asked } = useTaskDraft.getState();
  askForTask();
  expect(useTaskDraft.getState()).toMatchObject({ agent: "writer", asked: asked + 1 });
});
