import { create } from "zustand";

type Said = { text: string; n: number };
const useSaid = create<Said>()(() => ({ text: "", n: 0 }));

/** How long a text stays: a screen reader has begun to read it by then, and doesn't find it later on another screen. */
const stays = 7000; // ms
let clearing: ReturnType<typeof setTimeout> | undefined;

/** Has a screen reader say what has happened; nothing is seen of it. The newest replaces what was not said yet. */
export function announce(text: string): void {
  if (!text) return;
  useSaid.setState((s) => ({ text, n: s.n + 1 }));
  clearTimeout(clearing);
  clearing = setTimeout(() => useSaid.setState({ text: "" }), stays);
}

/** The live region of the page, once: it must be there before there is anything to say. */
export function Announcer() {
  const { text, n } = useSaid();
  // The same words twice are a change only when they stand in another element.
  return (
    <div className="sr-only" role="status" aria-live="polite" aria-atomic data-announcer>
      <span key={n}>{text}</span>
    </div>
  );
}
