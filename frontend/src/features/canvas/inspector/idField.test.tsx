// @vitest-environment happy-dom
import { act } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { useTeam } from "@/stores/team";
import type { Agent } from "@/topology";
import { IdField } from "./IdField";
import type { AgentNotes } from "./use";

vi.mock("react-i18next", async (own) => ({
  ...(await own<object>()),
  useTranslation: () => ({ t: (key: string) => key }),
}));

const notes: AgentNotes = { applied: false, was: {}, problem: () => undefined } as unknown as AgentNotes;
let shut: (() => void) | undefined;

beforeEach(() => {
  (globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;
});
afterEach(() => shut?.());

function show() {
  const agents = [{ id: "agent-1" }, { id: "writer" }] as Agent[];
  useTeam.setState((s) => ({ topology: { ...s.topology, agents } }));
  const box = document.body.appendChild(document.createElement("div")),
    root = createRoot(box);
  act(() => root.render(<IdField agent={agents[0]!} notes={notes} />));
  shut = () => {
    act(() => root.unmount());
    box.remove();
  };
  const input = box.querySelector("input")!;

  return {
    box,
    input,
    type: (text: string) =>
      act(() => {
        input.focus();
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(input, text);
        input.dispatchEvent(new Event("input", { bubbles: true }));
      }),
    press: (key: string) => act(() => void input.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }))),
    leave: () => act(() => input.blur()),
  };
}

it.each([
  ["writer", "taken"],
  ["Not An ID", "shape"],
  ["", "empty"],
])("keeps the wrong ID %j with its message until Escape", (wrong, why) => {
  const { box, input, type, press, leave } = show();
  type(wrong);
  press("Enter");
  leave();
  expect(input.value).toBe(wrong);
  expect(box.textContent).toContain(`inspector.id.${why}`);
  expect(useTeam.getState().topology.agents[0]?.id).toBe("agent-1");
  act(() => input.focus());
  press("Escape");
  expect(input.value).toBe("agent-1");
  expect(box.textContent).not.toContain("inspector.id");
});

it("takes an ID on Enter, and not on Escape", () => {
  const edit = vi.fn();
  useTeam.setState({ edit });
  const { input, type, press } = show();
  type("helper");
  press("Escape");
  expect(input.value).toBe("agent-1");
  expect(edit).not.toHaveBeenCalled();
  type("helper");
  press("Enter");
  expect(edit.mock.calls.map(([label]) => label as string)).toEqual(["edit.id|helper"]);
});
