import { create } from "zustand";

type Place = {
  view: "tree" | "raw";
  query: string;
  /** Only what is set. */ only: boolean;
  /** Which groups are open, by their paths. */ open: Record<string, boolean>;
  /** JSON that can't be saved as it is, by agent. */ raw: Record<string, string>;
};

/** Where the person is in the settings. It stays when they choose another agent, to compare the two. */
export const usePlace = create<Place>()(() => ({ view: "tree", query: "", only: false, open: {}, raw: {} }));

export const setPlace = (p: Partial<Place>) => usePlace.setState(p);
export const openGroup = (path: string, open: boolean) =>
  usePlace.setState((s) => ({ open: { ...s.open, [path]: open } }));
export function keepRaw(agent: string, text: string | undefined): void {
  usePlace.setState(({ raw: { [agent]: _, ...rest } }) => ({
    raw: text === undefined ? rest : { ...rest, [agent]: text },
  }));
}
