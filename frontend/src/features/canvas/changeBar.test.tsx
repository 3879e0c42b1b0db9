// @vitest-environment happy-dom
import { act } from "react";
import { createRoot } from "react-dom/client";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { loadLanguage, startLanguage } from "@/i18n";
import { useTeam } from "@/stores/team";
import { ChangeBar } from "./ChangeBar";

beforeAll(async () => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  await startLanguage();
  await loadLanguage("en");
});
afterAll(() => vi.unstubAllGlobals());

it("APP-1 the bar counts changes from what the gateway runs, and nothing where the team was never applied", () => {
  const box = document.createElement("div"),
    root = createRoot(box);
  useTeam.setState({ unsent: 3, base: { topology: { agents: [] } } as never });
  act(() => root.render(<ChangeBar phone />));
  expect(box.textContent).toContain("3 changes");
  act(() => useTeam.setState({ base: undefined }));
  expect(box.textContent).toContain("Not applied yet");
  expect(box.textContent).not.toContain("3");
  act(() => root.unmount());
});
