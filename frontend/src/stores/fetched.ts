import { lazy, type ComponentType } from "react";
import { onHub, useHub } from "./hub";

const whenBack = () =>
  new Promise<void>((done) => {
    const off = onHub({
      back: () => {
        off();
        done();
      },
    });
  });

/** Fetches a part of the page; while the hub is gone it waits and tries again when it is back, and once more in any case. */
export async function patiently<M>(get: () => Promise<M>): Promise<M> {
  for (let failed = 0; ; failed++) {
    try {
      return await get();
    } catch (e) {
      if (useHub.getState().link !== "open") await whenBack();
      else if (failed) throw e;
    }
  }
}

/** A style that did not come is asked for again, at once or when the hub is back: its part is shown without it meanwhile. */
function askAgain(e: Event): void {
  const lost = e.target;
  if (!(lost instanceof HTMLLinkElement) || lost.rel !== "stylesheet") return;
  const again = lost.cloneNode() as HTMLLinkElement,
    put = () => lost.replaceWith(again);
  again.nonce = lost.nonce;
  again.dataset.again = "";
  if (useHub.getState().link === "open" && lost.dataset.again === undefined) put();
  else void whenBack().then(put);
}

const later: (() => Promise<unknown>)[] = [];

/** Has something fetched after the page, by `fetchRest`. */
export const fetchLater = (get: () => Promise<unknown>) => void later.push(get);

/** A component that is fetched when it is first shown, or by `fetchRest`. */
export function fetched<P extends object>(get: () => Promise<ComponentType<P>>) {
  fetchLater(get);
  return lazy(() => patiently(get).then((part) => ({ default: part })));
}

/** Has the page's styles that did not come fetched again, for as long as the page lives. */
export function watchStyles(): () => void {
  addEventListener("error", askAgain, true);
  return () => removeEventListener("error", askAgain, true);
}

/** How long what the first picture brought is left alone before the rest is fetched, in milliseconds. */
const patience = 1_000;

/** Fetches everything that was left out of the first load, so that it opens at once and also without the hub. */
export function fetchRest(): () => void {
  const timer = setTimeout(() => {
    for (const get of later) void get().catch(() => undefined);
  }, patience);
  return () => clearTimeout(timer);
}
