import { Bot, Group, Hand, MousePointer2, StickyNote, Users, type LucideIcon } from "lucide-react";
import { memo, type DragEvent } from "react";
import { useTranslation } from "react-i18next";
import { useUi } from "@/stores/ui";
import { IconButton, keysOf, type ShortcutId } from "@/ui";
import { groupChosen } from "./groups";

export const dragType = "application/x-agentflow-new";
export type NewThing = "agent" | "note";

/** Select, pan, and what can be added: by a click, or by dragging it onto the canvas. */
export const CanvasToolbar = memo(function CanvasToolbar({ onAdd }: { onAdd: (what: NewThing) => void }) {
  const { t } = useTranslation();
  const tool = useUi((s) => s.tool),
    setTool = useUi((s) => s.setTool),
    everyone = useUi((s) => !!s.chosen.everyone);
  const drag = (what: NewThing) => (e: DragEvent) => {
    e.dataTransfer.setData(dragType, what);
    e.dataTransfer.effectAllowed = "copy";
  };
  const adder = (what: NewThing, icon: LucideIcon, label: string, keys: ShortcutId) => (
    <IconButton
      icon={icon}
      label={label}
      keys={keysOf(keys)}
      side="right"
      draggable
      onDragStart={drag(what)}
      onClick={() => onAdd(what)}
    />
  );
  return (
    <div
      className="float col"
      style={{ left: 8, top: 12 }}
      role="toolbar"
      aria-orientation="vertical"
      aria-label={t("canvas.tools")}
    >
      <IconButton
        icon={MousePointer2}
        label={t("canvas.select")}
        keys={keysOf("select")}
        side="right"
        pressed={tool === "select"}
        onClick={() => setTool("select")}
      />
      <IconButton
        icon={Hand}
        label={t("canvas.hand")}
        keys={keysOf("hand")}
        side="right"
        pressed={tool === "hand"}
        onClick={() => setTool("hand")}
      />
      <span className="hr w-5" />
      {adder("agent", Bot, t("canvas.addAgent"), "addAgent")}
      <IconButton
        icon={Group}
        label={t("group.group")}
        keys={keysOf("makeGroup")}
        side="right"
        onClick={() => void groupChosen()}
      />
      {adder("note", StickyNote, t("canvas.addNote"), "addNote")}
      <span className="hr w-5" />
      <IconButton
        icon={Users}
        label={t("everyone.open")}
        side="right"
        pressed={everyone}
        onClick={() => useUi.getState().choose(everyone ? {} : { everyone: true })}
      />
    </div>
  );
});
