import { afterEach, expect, it, vi } from "vitest";
import type { Notify } from "../topology";
import { useTeam } from "./team";
import { followTeam } from "./teamNews";
import { takeNotify } from "./hub";

afterEach(() => vi.unstubAllGlobals());

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
