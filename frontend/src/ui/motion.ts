/** True where the person has asked for a page that does not move, on the computer or in the settings. */
export const still = () =>
  document.documentElement.dataset.motion === "reduced" || matchMedia("(prefers-reduced-motion: reduce)").matches;

/** How long a movement lasts that CSS does not make: not at all where nothing is to move. */
export const lasting = (ms: number) => (still() ? 0 : ms);
