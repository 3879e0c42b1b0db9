import { useState, type FocusEvent, type PointerEvent, type ReactNode } from "react";
import { allWords } from "@/i18n";
import { fetched } from "@/stores/fetched";
import { isChannelNode, isRoute } from "@/flow";
import { useUi } from "@/stores/ui";
import { chosenCount, type Point } from "@/topology";
import { ContextMenu } from "@/ui";
import { chooseEveryone, isEveryone } from "../everyone";
import type { Canvas } from "../keys";

const CanvasMenuList = fetched(() =>
  Promise.all([import("./CanvasMenuList"), allWords()]).then(([m]) => m.CanvasMenuList),
);

export type CanvasMenuActs = {
  write: Canvas["write"];
  add: (what: "agent" | "note", at?: Point) => void;
  paste: (at?: Point) => void;
};

/** What lies under a right click becomes what is chosen, unless it is already among it. */
function chooseUnder(el: HTMLElement): "canvas" | "chosen" {
  const id = el.closest<HTMLElement>(".react-flow__node, .react-flow__edge, .on-line")?.dataset.id;
  const { chosen, choose } = useUi.getState();
  if (!id) return "canvas";
  if (id.startsWith("bundle:") || isRoute(id) || isChannelNode(id)) return "canvas";
  if (isEveryone(id)) {
    if (!chosen.everyone) chooseEveryone();
    return "chosen";
  }
  const [list, key] = id.startsWith("group:")
    ? (["groups", id.slice(6)] as const)
    : id.startsWith("connection:")
      ? (["connections", id] as const)
      : id.startsWith("note:")
        ? (["notes", id.slice(5)] as const)
        : (["agents", id] as const);
  if (!chosen[list].includes(key)) choose({ [list]: [key] });
  return "chosen";
}

// A ring around all of the canvas is for those who came to it by keys, also when a key follows a click.
const byPointer = (e: PointerEvent<HTMLElement>) => {
  e.currentTarget.dataset.pointer = "";
};
const noPointer = (e: FocusEvent<HTMLElement>) => {
  if (e.target === e.currentTarget) delete e.currentTarget.dataset.pointer;
};

/** The menu on a right click, a finger that stays, or the menu key: about what lies under the pointer, or what has the focus. */
export function CanvasMenu({
  children,
  disabled,
  ...acts
}: CanvasMenuActs & { children: ReactNode; disabled?: boolean }) {
  const [about, setAbout] = useState<"canvas" | "chosen">("canvas");
  // The menu key sends it to what has the focus: where that is the canvas itself, it is meant for what is chosen.
  const onAsk = (el: HTMLElement) =>
    setAbout(el.classList.contains("canvas-menu") && chosenCount(useUi.getState().chosen) ? "chosen" : chooseUnder(el));
  return (
    <ContextMenu
      disabled={disabled}
      onAsk={onAsk}
      menu={(place) => <CanvasMenuList {...place} {...acts} about={about} />}
    >
      <div className="canvas-menu" tabIndex={-1} onPointerDown={byPointer} onBlur={noPointer}>
        {children}
      </div>
    </ContextMenu>
  );
}
