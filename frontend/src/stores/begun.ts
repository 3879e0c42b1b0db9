import { useCallback, useEffect } from "react";
import { keepDraft, loadDesk, useDesk } from "./desk";

const placeOf = (key: string) => `begun:${key}`;

/** The text that is kept, as far as the hub has told. */
export const begunText = (key: string) => useDesk.getState().places[placeOf(key)]?.draft ?? "";

/** Keeps a text, or forgets it if it is empty. */
export function begin(key: string, text: string): void {
  if (text || begunText(key)) keepDraft(placeOf(key), text);
}

/**
 * A text that was begun and not given yet, by what it is for. It stays where its field goes and comes again: another
 * screen in between, a part that broke, a reload, or a hub that was away.
 */
export function useBegun(key: string): [text: string, set: (text: string) => void] {
  const text = useDesk((s) => s.places[placeOf(key)]?.draft ?? "");
  useEffect(() => {
    loadDesk().catch(() => undefined); // without the hub's answer, the field is empty and can be written in
  }, []);
  return [text, useCallback((next: string) => begin(key, next), [key])];
}
