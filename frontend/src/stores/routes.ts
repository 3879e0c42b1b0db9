import { useMemo, useSyncExternalStore } from "react";

/** Every address of the page: a screen, and what its address can name, in this order. */
export const routes = {
  canvas: ["team", "agent"],
  sessions: ["gateway"], // the keys of the sessions side by side come after it
  rooms: ["room", "message"],
  review: ["change"],
  merge: [],
  drift: [],
  teams: [],
  tasks: ["task"],
  plan: ["plan"],
  inbox: ["question"],
  history: ["version"],
  settings: ["section", "team"],
} as const satisfies Record<string, readonly string[]>;

export type RouteScreen = keyof typeof routes;
export type RouteParams<S extends RouteScreen> = { [P in (typeof routes)[S][number]]?: string };
/** An address that was read. `rest` has what comes after the parameters. */
export type Route<S extends RouteScreen> = { screen: S; params: RouteParams<S>; rest: string[] };

const isScreen = (name: string): name is RouteScreen => Object.hasOwn(routes, name);

/** A part of the page's address; "" where it was written by hand and can't be read. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
}

/** The address of a screen, as a link has it. A parameter that is missing ends it. */
export function formatRoute<S extends RouteScreen>(
  screen: S,
  params: RouteParams<S> = {},
  rest: readonly string[] = [],
): string {
  const values = routes[screen].map((name) => (params as Record<string, string | undefined>)[name] ?? ""),
    end = values.indexOf("");
  return `#/${[screen, ...(end < 0 ? [...values, ...rest] : values.slice(0, end))].map(encodeURIComponent).join("/")}`;
}

/** What an address names; undefined where it is no address of the page. */
export function parseRoute(hash: string): Route<RouteScreen> | undefined {
  const [screen = "", ...parts] = hash.replace(/^#\//, "").split("/").map(decoded);
  if (!isScreen(screen)) return undefined;
  const names: readonly string[] = routes[screen],
    end = parts.indexOf(""),
    named = end < 0 ? parts : parts.slice(0, end);
  return {
    screen,
    params: Object.fromEntries(names.flatMap((name, i) => (named[i] ? [[name, named[i]]] : []))),
    rest: named.slice(names.length),
  };
}

/** What the address of the page names on this screen; undefined while another is shown. */
export function routeOf<S extends RouteScreen>(screen: S): Route<S> | undefined {
  const route = parseRoute(location.hash);
  return route?.screen === screen ? (route as Route<S>) : undefined;
}

export function goTo<S extends RouteScreen>(screen: S, params?: RouteParams<S>, rest?: readonly string[]): void {
  location.hash = formatRoute(screen, params, rest);
}

/** Returns a function that reports whether the address is still the same: only then may a request open its result. */
export function stillHere(): () => boolean {
  const place = location.hash;
  return () => location.hash === place;
}

function subscribe(on: () => void): () => void {
  addEventListener("hashchange", on);
  return () => removeEventListener("hashchange", on);
}

/** What the address names on this screen; nothing while another is shown. */
export function useRoute<S extends RouteScreen>(screen: S): Omit<Route<S>, "screen"> {
  const hash = useSyncExternalStore(subscribe, () => (routeOf(screen) ? location.hash : ""));
  return useMemo(() => (parseRoute(hash) as Route<S> | undefined) ?? { params: {}, rest: [] }, [hash]);
}

const kept = new Map<RouteScreen, () => string>();

/** The last address that the stores read or wrote. If location.hash differs, its hashchange event is still to come. */
let seen: string | undefined;

/** Replaces the present address without a hashchange event. */
export function replaceAddress(hash: string): void {
  history.replaceState(history.state, "", hash);
  seen = location.hash;
}

/** Goes to the address of what the stores show. They may replace it before its hashchange event comes. */
export function enterAddress(hash: string): void {
  location.hash = hash;
  seen = location.hash;
}

/** The address that a screen is opened with, where a store keeps what it shows. */
export const keptRoute = (screen: string) => (isScreen(screen) ? kept.get(screen)?.() : undefined);

type Kept<S extends RouteScreen> = {
  /** What the store shows now. */ read: () => RouteParams<S>;
  /** Shows what an address names. */ show: (params: RouteParams<S>) => void;
  /** Calls back when the store shows something else. */ follow: (on: () => void) => () => void;
};

/**
 * Keeps what a store shows and the address of its screen the same. What is shown replaces the address, so that Back
 * leads to where the person was before, and not through each choice.
 */
export function keepRoute<S extends RouteScreen>(screen: S, { read, show, follow }: Kept<S>): () => void {
  const address = () => formatRoute(screen, read());
  const put = () => {
    if (location.hash !== seen || !routeOf(screen) || location.hash === address()) return;
    try {
      replaceAddress(address());
    } catch {
      // WebKit allows a hundred in half a minute. The next change brings the address.
    }
  };
  const take = () => {
    seen = location.hash;
    const route = routeOf(screen);
    if (route && location.hash !== address() && Object.keys(route.params).length) show(route.params);
    put();
  };
  kept.set(screen, address);
  take();
  const off = [follow(put), subscribe(take)];
  return () => {
    kept.delete(screen);
    for (const end of off) end();
  };
}
