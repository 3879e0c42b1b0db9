import { afterEach, expect, it, vi } from "vitest";
import type { Notify } from "../topology";
import { useTeam } from "./team";
import { followTeam } from "./teamNews";
import { takeNotify } from "./hub";

afterEach(() => vi.unstubAllGlobals());

it("ends what is being typed before the team is gone, so that it can be saved with the team", () => {
  const seen: string[] = [];
  class Field {
    blur = () => seen.push(useTeam.getState().status);
  }
  const quiet = { addEventListener: () => undefined, removeEventListener: () => undefined };
  vi.stubGlobal("HTMLElement", Field);
  vi.stubGlobal("document", { ...quiet, activeElement: new Field() });
  vi.stubGlobal("addEventListener", quiet.addEventListener);
  vi.stubGlobal("removeEventListener", quiet.removeEventListener);
  useTeam.setState({ id: "mine", status: "ready" });
  const end = followTeam();
  takeNotify({ seq: 1, gone: ["mine"] });
  expect([...seen, useTeam.getState().status]).toEqual(["ready", "gone"]);
  end();
});

it("APP-5 asks for the open team when the hub's whole picture lacks it: another backup may be there", () => {
  const quiet = { addEventListener: () => undefined, removeEventListener: () => undefined };
  vi.stubGlobal("document", quiet);
  vi.stubGlobal("addEventListener", quiet.addEventListener);
  vi.stubGlobal("removeEventListener", quiet.removeEventListener);
  const reload = vi.fn(() => Promise.resolve());
  useTeam.setState({ id: "mine", status: "ready", reload });
  const end = followTeam();
  takeNotify({ seq: 1, teams: [{ id: "other" }] } as unknown as Notify);
  expect(reload).not.toHaveBeenCalled(); // it names only what changed
  takeNotify({ seq: 2, reset: true });
  expect(reload).toHaveBeenCalledTimes(1);
  end();
});
