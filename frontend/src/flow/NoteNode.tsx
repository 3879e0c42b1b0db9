import type { NodeProps } from "@xyflow/react";
import { memo } from "react";
import { composing, Textarea } from "../ui";
import { ChangeMark } from "./ChangeMark";
import { useFlowActions } from "./context";
import type { GroupFlowNode, NoteFlowNode } from "./toFlow";

/** Paper on the canvas. */
export const NoteNode = memo(function NoteNode({ data }: NodeProps<NoteFlowNode>) {
  const { noting, editNote, endNoting } = useFlowActions();
  const { note } = data;
  return (
    <div className="note" style={note.height ? { height: note.height } : undefined}>
      {data.mark && <ChangeMark mark={data.mark} />}
      {noting === note.id ? (
        <Textarea className="nodrag nopan nowheel" grow={320} autoFocus value={note.text} aria-label={note.text.slice(0, 40)} onText={(text) => editNote?.(note.id, text)} onBlur={() => endNoting?.()} onFocus={(e) => e.currentTarget.setSelectionRange(-1, -1)}
          onKeyDown={(e) => { e.stopPropagation(); if (e.key === "Escape" && !composing(e)) endNoting?.(); }} />
      ) : note.text || " "}
    </div>
  );
});

/** A frame around agents. */
export const GroupFrame = memo(function GroupFrame({ data }: NodeProps<GroupFlowNode>) {
  return <div className="frame"><span className="frame-name">{data.group.name ?? data.group.id}</span></div>;
});
