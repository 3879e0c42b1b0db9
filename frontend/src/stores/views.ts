import { create } from "zustand";
import { createJSONStorage, persist } from "zustand/middleware";

/** The last view of a team, and the size of the canvas at that time. */
export type View = { x: number; y: number; zoom: number; width: number; height: number };

const most = 40;

const useViews = create<{ views: Record<string, View> }>()(
  persist(() => ({ views: {} }), { name: "agentflow.views", storage: createJSONStorage(() => sessionStorage) }),
);

/** Remembers the view of the team. Without a view, the team is fitted to the canvas again. */
export function keepView(team: string, view: View | undefined): void {
  const { [team]: _, ...rest } = useViews.getState().views;
  useViews.setState({
    views: Object.fromEntries([...Object.entries(rest), ...(view ? [[team, view] as const] : [])].slice(-most)),
  });
}

/** The last view of the team in this window. */
export const viewOf = (team: string): View | undefined => useViews.getState().views[team];

/** The same for a canvas of another size: what was in the middle is there again. */
export const viewIn = ({ x, y, zoom, width, height }: View, now: { width: number; height: number }) => ({
  x: x + (now.width - width) / 2,
  y: y + (now.height - height) / 2,
  zoom,
});
