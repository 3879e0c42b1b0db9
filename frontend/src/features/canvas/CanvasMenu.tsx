import { Copy, Pencil, Spline, Trash2, Workflow } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useUi } from "@/stores/ui";
import { chosenCount, type AgentID } from "@/topology";
import { ContextMenu, type MenuItem } from "@/ui";
import { deleteChosen, duplicateChosen, layOut, selectAll } from "./actions";
import { startConnecting } from "./connecting";

/** The menu on a right click: about what lies under the pointer, which becomes the selection. */
export function CanvasMenu({ children, onRename }: { children: ReactNode; onRename: (id: AgentID) => void }) {
  const { t } = useTranslation();
  const chosen = useUi((s) => s.chosen);
  const [on, setOn] = useState(false);
  const only = chosen.agents.length === 1 ? chosen.agents[0] : undefined;
  const items: MenuItem[] = on && chosenCount(chosen) ? [
    ...(only ? [
      { label: t("canvas.rename"), icon: Pencil, keys: "F2", onSelect: () => onRename(only) },
      { label: t("canvas.connect"), icon: Spline, keys: "C", onSelect: () => startConnecting(only, true) },
    ] : []),
    ...(chosen.agents.length || chosen.notes.length ? [{ label: t("common.duplicate"), icon: Copy, keys: "Mod+D", onSelect: duplicateChosen }] : []),
    ...(chosen.agents.length > 1 ? [{ label: t("canvas.layOutChosen"), icon: Workflow, onSelect: () => void layOut(chosen.agents) }] : []),
    { kind: "separator" }, { label: t("common.delete"), icon: Trash2, keys: "Delete", danger: true, onSelect: deleteChosen },
  ] : [{ label: t("canvas.layOut"), icon: Workflow, onSelect: () => void layOut() }, { label: t("canvas.selectAll"), keys: "Mod+A", onSelect: selectAll }];
  return (
    <ContextMenu items={items}>
      <div className="h-full w-full" onContextMenu={(e) => {
        const el = (e.target as HTMLElement).closest<HTMLElement>(".react-flow__node, .react-flow__edge");
        const id = el?.dataset.id;
        setOn(!!id);
        if (!id) return;
        const { choose } = useUi.getState();
        if (el?.classList.contains("react-flow__edge")) { if (!chosen.connections.includes(id)) choose({ connections: [id] }); }
        else if (id.startsWith("note:")) { if (!chosen.notes.includes(id.slice(5))) choose({ notes: [id.slice(5)] }); }
        else if (!chosen.agents.includes(id)) choose({ agents: [id] });
      }}>{children}</div>
    </ContextMenu>
  );
}
