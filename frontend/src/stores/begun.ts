import { useCallback } from "react";
import { create } from "zustand";

/** Texts that were begun and not given yet, by what they are for: they outlive the field they are written in, not the page. */
const useTexts = create<Record<string, string>>()(() => ({}));

export function begin(key: string, text: string): void {
  useTexts.setState({ [key]: text });
}

/** A text that stays where its field goes and comes again: another screen in between, or a part that broke. */
export function useBegun(key: string): [text: string, set: (text: string) => void] {
  const text = useTexts((s) => s[key] ?? "");
  return [text, useCallback((next: string) => begin(key, next), [key])];
}
