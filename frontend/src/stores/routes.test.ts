import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { create } from "zustand";
import {
  enterAddress,
  formatRoute,
  keepRoute,
  keptRoute,
  parseRoute,
  routeOf,
  routes,
  stillHere,
  type RouteScreen,
} from "./routes";

const address = { hash: "" };
let came: (() => void)[] = [];
/** Goes to an address as a link does. */
const open = (hash: string) => {
  address.hash = hash;
  for (const on of came) on();
};
beforeEach(() => {
  address.hash = "";
  came = [];
  vi.stubGlobal("location", address);
  vi.stubGlobal("addEventListener", (_: string, on: () => void) => came.push(on));
  vi.stubGlobal("removeEventListener", (_: string, on: () => void) => (came = came.filter((x) => x !== on)));
  vi.stubGlobal("history", { replaceState: (_: unknown, __: string, hash: string) => (address.hash = hash) });
});
afterEach(() => vi.unstubAllGlobals());

for (const screen of Object.keys(routes) as RouteScreen[]) {
  it(`${screen}: every address opens and comes back`, () => {
    const names = routes[screen];
    for (let n = 0; n <= names.length; n++) {
      const params = Object.fromEntries(names.slice(0, n).map((name) => [name, `${name}/#%:日本 1`]));
      const hash = formatRoute(screen, params),
        route = parseRoute(hash);
      expect(route).toEqual({ screen, params, rest: [] });
      expect(formatRoute(screen, route?.params)).toBe(hash);
    }
  });
}

it("sessions: the keys of those that are open come back", () => {
  const hash = formatRoute("sessions", { gateway: "local" }, ["agent:a:main", "agent:b:main"]);
  expect(hash).toBe("#/sessions/local/agent%3Aa%3Amain/agent%3Ab%3Amain");
  expect(parseRoute(hash)?.rest).toEqual(["agent:a:main", "agent:b:main"]);
});

it("what was written by hand and can't be read is left out", () => {
  expect(parseRoute("#/tasks/%ZZ")).toEqual({ screen: "tasks", params: {}, rest: [] });
  expect(["", "#", "#/", "#/nowhere", "#/toString", "#invite=x"].map(parseRoute)).toEqual(Array(6).fill(undefined));
});

it("a store and the address of its screen stay the same, after reload too", () => {
  const useShown = create<{ question?: string }>()(() => ({}));
  const keep = () =>
    keepRoute("inbox", { read: useShown.getState, show: (p) => useShown.setState(p), follow: useShown.subscribe });
  open("#/inbox/q1");
  const end = keep();
  expect(useShown.getState().question).toBe("q1");
  useShown.setState({ question: "q2" });
  expect(routeOf("inbox")?.params.question).toBe("q2");
  open("#/inbox/q3");
  expect(useShown.getState().question).toBe("q3");
  open("#/inbox");
  expect(address.hash).toBe("#/inbox/q3");
  open("#/tasks");
  useShown.setState({ question: "q4" });
  expect(address.hash).toBe("#/tasks");
  expect(keptRoute("inbox")).toBe("#/inbox/q4");
  end();
  expect(came).toEqual([]);
  expect(keptRoute("inbox")).toBeUndefined();
});

it("what the store shows meanwhile doesn't replace an address that was gone to a moment ago", () => {
  const useShown = create<{ question?: string }>()(() => ({}));
  open("#/inbox/q1");
  const end = keepRoute("inbox", {
    read: useShown.getState,
    show: (p) => useShown.setState(p),
    follow: useShown.subscribe,
  });
  address.hash = "#/inbox/q3"; // the browser tells of it later
  useShown.setState({ question: "q2" });
  expect(address.hash).toBe("#/inbox/q3");
  open("#/inbox/q3");
  expect(useShown.getState().question).toBe("q3");
  end();
});

it("what is chosen on the way to a screen counts, and not the address of before", () => {
  const useShown = create<{ question?: string }>()(() => ({}));
  open("#/inbox/q1");
  const end = keepRoute("inbox", {
    read: useShown.getState,
    show: (p) => useShown.setState(p),
    follow: useShown.subscribe,
  });
  open("#/tasks");
  enterAddress(keptRoute("inbox")!);
  useShown.setState({ question: "q2" });
  open(address.hash); // the event comes
  expect(useShown.getState().question).toBe("q2");
  expect(address.hash).toBe("#/inbox/q2");
  end();
});

it("a person who went elsewhere isn't still here", () => {
  open("#/tasks/t1");
  const here = stillHere();
  expect(here()).toBe(true);
  open("#/tasks");
  expect(here()).toBe(false);
});
