import { afterEach, beforeEach, expect, it, vi } from "vitest";

const page = vi.hoisted(() => {
  const window = new EventTarget();
  const location = { hash: "" };
  vi.stubGlobal("location", location);
  vi.stubGlobal("history", { state: null, replaceState: (_: unknown, __: string, to: string) => (location.hash = to) });
  vi.stubGlobal("addEventListener", window.addEventListener.bind(window));
  vi.stubGlobal("removeEventListener", window.removeEventListener.bind(window));
  vi.stubGlobal("navigator", { languages: ["en"], userAgent: "" });
  return {
    go: (hash: string) => {
      location.hash = hash;
      window.dispatchEvent(new Event("hashchange"));
    },
  };
});
const show = vi.hoisted(() => vi.fn<(id: string) => Promise<void>>());
vi.mock("@/stores/teams", () => ({ showTeam: show }));

const { followTeamAddress } = await import("./team");
const { useTeam } = await import("@/stores/team");
const { useHub } = await import("@/stores/hub");

const team = (id: string) => ({ id, updatedAt: "" }) as never;
const list = (...ids: string[]) => useHub.setState({ known: true, teams: ids.map(team) });
const open = (id: string) => useTeam.setState({ id, status: "ready" });

let over = () => {};
beforeEach(() => {
  show.mockReset().mockImplementation((id) => {
    open(id);
    return Promise.resolve();
  });
  list("old");
  open("old");
  location.hash = "#/canvas/old";
  over = followTeamAddress();
});
afterEach(() => over());

it("opens the team that the address names", () => {
  list("old", "new");
  page.go("#/canvas/new");
  expect(show.mock.calls).toEqual([["new"]]);
  expect(location.hash).toBe("#/canvas/new");
});

it("opens a team that is listed after its address was asked for, however late", () => {
  page.go("#/canvas/new");
  expect(show).not.toHaveBeenCalled();
  expect(location.hash).toBe("#/canvas/old");
  list("old");
  list("old", "new");
  expect(show.mock.calls).toEqual([["new"]]);
  expect(location.hash).toBe("#/canvas/new");
});

it("forgets what the address named once another team is opened", () => {
  page.go("#/canvas/new");
  open("other");
  list("old", "other", "new");
  expect(show).not.toHaveBeenCalled();
});

it("tries a team that can't be opened once, not at everything that the hub says", async () => {
  show.mockImplementation(() => Promise.reject(new Error("not saved")));
  list("old", "new");
  page.go("#/canvas/new");
  await vi.waitFor(() => expect(show).toHaveBeenCalledTimes(1));
  await Promise.resolve();
  list("old", "new");
  list("old", "new");
  expect(show).toHaveBeenCalledTimes(1);
});
