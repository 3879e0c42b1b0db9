// @vitest-environment happy-dom
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { loadLanguage, startLanguage } from "@/i18n";
import { useTeam } from "@/stores/team";

const said: string[] = [];
vi.mock("@/ui", () => ({ announce: (text: string) => said.push(text) }));
const { speak } = await import("./speak");

const before = useTeam.getState();
let stop = () => undefined as void;
beforeAll(() => startLanguage().then(() => loadLanguage("en")));
beforeEach(() => {
  useTeam.setState({ ...before, id: "d", updatedAt: "1", save: { state: "saved" } }, true);
  stop = speak();
});
afterEach(() => {
  stop();
  said.length = 0;
});

const travel = (way: "undo" | "redo", to: { undoLabel?: string; redoLabel?: string; updatedAt?: string }) => {
  useTeam.setState({ busy: way });
  useTeam.setState(to);
  useTeam.setState({ busy: undefined });
};

it("APP-4 an undo says what was undone, also where the hub knew the edit only on the way", () => {
  travel("undo", { redoLabel: "edit.addAgent|Critic", updatedAt: "2" });
  travel("redo", { undoLabel: "edit.addAgent|Critic", redoLabel: undefined, updatedAt: "3" });
  expect(said).toEqual(["Undone: Added Critic", "Redone: Added Critic"]);
});

it("APP-4 an undo that found nothing to undo says nothing", () => {
  travel("undo", {});
  travel("undo", { redoLabel: "edit.addAgent|Critic" });
  expect(said).toEqual([]);
});

it("APP-4 an undo past what reached a gateway says that only the draft went back", () => {
  for (const [label, text] of [
    ["rollback|local", "Rolled back Built-in gateway"],
    ["apply|local", "Applied to Built-in gateway"],
  ] as const) {
    said.length = 0;
    travel("undo", { redoLabel: label, updatedAt: `${label} undone` });
    expect(said).toEqual([`Undone in the draft: ${text}. The gateway stays as it is.`]);
  }
});
