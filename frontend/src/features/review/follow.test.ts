import { beforeEach, describe, expect, it, vi } from "vitest";
import type * as Applies from "@/stores/applies";
import type { Apply, Preview } from "@/topology";
import { follow } from "./follow";
import { lookAgain, useReview } from "./store";

const { asked, hub, listeners } = vi.hoisted(() => {
  for (const name of ["sessionStorage", "localStorage"])
    vi.stubGlobal(name, { getItem: () => null, setItem: () => undefined, removeItem: () => undefined });
  return {
    asked: [] as ((p: Preview) => void)[],
    hub: { applies: {} },
    listeners: [] as { notify?: (n: object) => void }[],
  };
});
vi.mock("@/stores/applies", async (original) => ({
  ...(await original<typeof Applies>()),
  applyActions: { preview: () => new Promise<Preview>((answer) => asked.push(answer)) },
}));
vi.mock("@/stores/team", () => ({
  useTeam: {
    getState: () => ({
      id: "d",
      gateway: "studio",
      status: "ready",
      topology: { agents: [] },
      flush: () => Promise.resolve(true),
    }),
  },
}));
vi.mock("@/stores/hub", () => ({
  useHub: { getState: () => hub, subscribe: () => () => undefined },
  onHub: (l: { notify?: (n: object) => void }) => {
    listeners.push(l);
    return () => undefined;
  },
}));
vi.mock("./saveConfig", () => ({ saveConfig: vi.fn() }));
vi.mock("@/stores/ui", () => ({ useUi: { getState: () => ({ screen: "review", go: () => undefined }) } }));

const preview = (baseHash: string) =>
  ({ baseHash, changes: [], deletions: [], trust: [], problems: [] }) as unknown as Preview;
const rollback = (id: string, more: Partial<Apply>): Apply =>
  ({
    id,
    team: "d",
    gateway: "studio",
    kind: "rollback",
    steps: [],
    startedAt: "2026-01-01T00:00:00Z",
    ...more,
  }) as Apply;
const interrupted = {
  state: "failed",
  error: { code: "UNAVAILABLE", message: "", details: { reason: "interrupted", sent: true } },
} as unknown as Partial<Apply>;

/** The hub was restarted, and knows these applies. */
function reset(...applies: Apply[]): void {
  hub.applies = Object.fromEntries(applies.map((a) => [a.id, a]));
  for (const l of listeners) l.notify?.({ reset: true });
}
const settled = () => new Promise((done) => setTimeout(done));

describe("the review after a restart of the hub (APP-3)", () => {
  beforeEach(() => {
    asked.length = listeners.length = 0;
    hub.applies = {};
    useReview.setState({ team: "d", watching: undefined, seen: undefined, preview: undefined, status: "none" });
    follow();
  });

  it("the preview from before is dropped, and the gateway is read again", async () => {
    useReview.setState({ preview: preview("old"), status: "ready" });
    reset();
    expect(useReview.getState().preview).toBeUndefined();
    await settled();
    asked[0]!(preview("now"));
    await settled();
    expect(useReview.getState().preview?.baseHash).toBe("now");
  });

  it("a rollback that it interrupted is shown until it is put away", async () => {
    useReview.setState({ preview: preview("old"), status: "ready", watching: "r" });
    reset(rollback("r", interrupted));
    expect(useReview.getState()).toMatchObject({ watching: "r", preview: undefined });
    lookAgain();
    await settled();
    asked[0]!(preview("now"));
    await settled();
    reset(rollback("r", interrupted));
    expect(useReview.getState()).toMatchObject({ watching: undefined, preview: undefined });
  });

  it("a window that didn't start it shows it, too, unless something was begun there since", () => {
    useReview.setState({ preview: preview("old"), status: "ready" });
    reset(rollback("r", interrupted));
    expect(useReview.getState().watching).toBe("r");
    useReview.setState({ watching: undefined, preview: preview("old") });
    reset(rollback("r", interrupted), rollback("s", { state: "done", startedAt: "2026-01-01T00:01:00Z" }));
    expect(useReview.getState().watching).toBeUndefined();
  });

  it("a rollback that the hub doesn't know any more isn't waited for", () => {
    useReview.setState({ watching: "gone" });
    reset();
    expect(useReview.getState().watching).toBeUndefined();
  });
});
