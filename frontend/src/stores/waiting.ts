import { create } from "zustand";

/** How much there is to read on a screen, for its place in the rail; filled by the screens' own stores, which come later. */
export const useWaiting = create<Record<string, number>>()(() => ({}));
