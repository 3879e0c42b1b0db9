// @vitest-environment happy-dom
import { act } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { loadLanguage, startLanguage } from "@/i18n";
import { useTeam } from "@/stores/team";
import type { Caller } from "@/topology";
import { CallerDialog } from "./CallerDialog";

const team = useTeam.getState();
beforeAll(() => startLanguage().then(() => loadLanguage("en")));
beforeEach(() => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  useTeam.setState({ topology: { agents: [{ id: "writer-1", name: "Writer" }] } });
});
afterEach(() => {
  useTeam.setState(team, true);
  vi.unstubAllGlobals();
});

function shown(as: string) {
  const at = document.body.appendChild(document.createElement("div")),
    root = createRoot(at);
  const caller: Caller = { id: "c", name: "laptop", role: "rooms", rooms: ["dev"], as, madeAt: "" };
  act(() => root.render(<CallerDialog caller={caller} onClose={() => undefined} onMade={() => undefined} />));
  const text = document.body.textContent;
  act(() => root.unmount());
  at.remove();
  return text;
}

it("TR-4 a token that would talk under the name of an agent of the open team warns of it", () => {
  expect(shown("writer")).toContain("The open team has an agent named Writer.");
  expect(shown("Planner")).not.toContain("The open team has an agent");
});
