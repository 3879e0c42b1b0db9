import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { later, scriptedHub } from "../api/scriptedHub";
import { readEnded, useEnded } from "./inbox";

const entry = (n: number) => ({ id: String(n).padStart(4, "0") });
const ids = () => useEnded.getState().entries.map((q) => Number(q.id));
const down = (from: number, n: number) => Array.from({ length: n }, (_, i) => from - i);

/** An inbox whose ended questions are numbered from 1 to the newest. */
function hubWith(newest: number) {
  const s = { newest, hub: scriptedHub() };
  s.hub.routes["GET /api/inbox/rules"] = () => ({ rules: [] });
  s.hub.routes["GET /api/inbox"] = ({ query }) => {
    const before = Number(query.get("before") ?? s.newest + 1);
    return { entries: down(before - 1, Math.min(50, before - 1)).map(entry) };
  };
  return s;
}

describe("what does not wait any more", () => {
  beforeEach(() => useEnded.setState(useEnded.getInitialState(), true));
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it("TO-5: stays as far as it was read when something else ends", async () => {
    const s = hubWith(120);
    await readEnded();
    await readEnded(true);
    expect(ids()).toEqual(down(120, 100));
    s.newest = 121;
    await readEnded();
    expect(ids()).toEqual(down(121, 100));
    expect(useEnded.getState().more).toBe(true);
    await readEnded(true);
    expect(ids()).toEqual(down(121, 121));
    expect(useEnded.getState().more).toBe(false);
  });

  it("TO-5: an older page that arrives late adds nothing to a list that was read again meanwhile", async () => {
    const s = hubWith(120),
      read = s.hub.routes["GET /api/inbox"]!,
      held = later();
    await readEnded();
    s.hub.routes["GET /api/inbox"] = async (a) => {
      if (a.query.has("before")) await held.promise;
      return read(a);
    };
    const older = readEnded(true);
    s.newest = 121;
    await readEnded();
    held.resolve();
    await older;
    expect(ids()).toEqual(down(121, 50));
    expect(useEnded.getState().state).toBe("ready");
  });
});
