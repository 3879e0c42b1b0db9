import { create } from "zustand";
import { persist } from "zustand/middleware";
import { chosenOf, nothing, type AgentID, type Chosen } from "../topology";

export type Tool = "select" | "hand";
export type PanelState = { size: number; folded?: boolean };

type Kept = {
  /** By screen and panel: "canvas.side". */
  panels: Record<string, PanelState>;
  legend: boolean;
  minimap: boolean;
  /** The channels beside the team. */
  lane: boolean;
  /** What the person at this browser is called in rooms; "" until they have said so. */
  person: string;
  /** What they were called before, the last one last. */
  formerly: string[];
};

type Passing = {
  /** The canvas has been painted once; what is not needed for it may come. */
  painted: boolean;
  screen: string;
  chosen: Chosen;
  tool: Tool;
  /** Agents drawn as the path of a problem. */
  highlight: AgentID[];
  /** A place the canvas should bring into view; a new object each time. */
  reveal?: { agents: AgentID[] };
  /** A group the canvas should let the person name; a new object each time. */
  toName?: { group: string };
  /** A field the inspector should focus; a new object each time. */
  focusField?: { field: string };
  inspectorTab: "general" | "persona" | "files" | "tools" | "settings" | "schedule";
  palette: boolean;
  /** What was typed into the palette before it was here. */
  paletteText: string;
  /** The list of all keys lies over the page. */
  cheatSheet: boolean;
  /** The screen over whose entry agents are held that are dragged. */
  dropOn?: string;
};

type Actions = {
  go: (screen: string) => void;
  choose: (c: Partial<Chosen>) => void;
  setTool: (t: Tool) => void;
  setPanel: (key: string, p: Partial<PanelState>) => void;
  setHighlight: (ids: AgentID[]) => void;
  revealAgents: (ids: AgentID[]) => void;
  askField: (field: string) => void;
  /** Asks for the name of what is chosen, on the tab that has it. */
  askName: () => void;
  /** The asked field has the focus, so nothing else takes it. */
  fieldFocused: () => void;
  setTab: (t: Passing["inspectorTab"]) => void;
  toggle: (what: "legend" | "minimap" | "lane" | "palette" | "cheatSheet", on?: boolean) => void;
};

export const panelDefaults: Record<string, PanelState> = {
  "canvas.side": { size: 320 },
  "canvas.list": { size: 440, folded: true },
  "canvas.routes": { size: 420, folded: true },
  "canvas.bottom": { size: 158, folded: true },
  "review.list": { size: 304 },
  "review.text": { size: 272 },
  "history.list": { size: 344 },
  "inbox.list": { size: 376 },
  "tasks.list": { size: 420 },
  "plan.side": { size: 340 },
  "plan.history": { size: 264 },
  "rooms.side": { size: 264 },
  "sessions.list": { size: 232 },
};

/** Where the person is and what they have chosen; nothing the hub knows. */
export const useUi = create<Kept & Passing & Actions>()(
  persist(
    (set) => ({
      panels: {},
      legend: true,
      minimap: true,
      lane: true,
      person: "",
      formerly: [],
      painted: false,
      screen: "canvas",
      chosen: nothing,
      tool: "select",
      highlight: [],
      inspectorTab: "general",
      palette: false,
      paletteText: "",
      cheatSheet: false,
      go: (screen) => set({ screen }),
      choose: (c) => set({ chosen: chosenOf(c), highlight: [], focusField: undefined }),
      setTool: (tool) => set({ tool }),
      setPanel: (key, p) =>
        set((s) => ({ panels: { ...s.panels, [key]: { size: 0, ...panelDefaults[key], ...s.panels[key], ...p } } })),
      setHighlight: (highlight) => set({ highlight }),
      revealAgents: (agents) => set({ reveal: { agents } }),
      askField: (field) => set({ focusField: { field } }),
      askName: () => set({ focusField: { field: "name" }, inspectorTab: "general" }),
      fieldFocused: () => set({ focusField: undefined }),
      setTab: (inspectorTab) => set({ inspectorTab }),
      toggle: (what, on) => set((s) => ({ [what]: on ?? !s[what] })),
    }),
    {
      name: "agentflow.ui",
      partialize: ({ panels, legend, minimap, lane, person, formerly }): Kept => ({
        panels,
        legend,
        minimap,
        lane,
        person,
        formerly,
      }),
    },
  ),
);

// The palette belongs to the screen that it was opened on.
useUi.subscribe((s, was) => {
  if (s.palette && s.screen !== was.screen) useUi.setState({ palette: false });
});

const mostNames = 50;
/** From now on the person is called so. */
export const callPerson = (name: string, was: string) =>
  useUi.setState((s) => ({
    person: name,
    formerly: [...s.formerly.filter((n) => n !== name && n !== was), ...(was === name ? [] : [was])].slice(-mostNames),
  }));

const fallback: PanelState = { size: 248 };
/** Size and fold of a panel, remembered. */
/** How much of the canvas stays beside its panels, in pixels. */
const leastCanvas = 360;

/**
 * Opens or closes the list or the routes beside the canvas. Where both would leave too little of the canvas, the one
 * that was open closes.
 */
export function toggleBeside(key: "canvas.list" | "canvas.routes"): void {
  const { panels, setPanel } = useUi.getState(),
    at = (k: string): PanelState => ({ ...fallback, ...panelDefaults[k], ...panels[k] }),
    width = (k: string) => (at(k).folded ? 0 : at(k).size),
    other = key === "canvas.list" ? "canvas.routes" : "canvas.list",
    opens = !!at(key).folded;
  setPanel(key, { folded: !opens });
  if (opens && innerWidth - at(key).size - width(other) - width("canvas.side") < leastCanvas)
    setPanel(other, { folded: true });
}

export const usePanel = (key: string): PanelState => useUi((s) => s.panels[key] ?? panelDefaults[key] ?? fallback);
