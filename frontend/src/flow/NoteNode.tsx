import { NodeResizeControl, type NodeProps } from "@xyflow/react";
import { LockKeyhole } from "lucide-react";
import { memo, type CSSProperties } from "react";
import { useTranslation } from "react-i18next";
import { LEAST_NOTE } from "../topology";
import { composing, cx, Textarea } from "../ui";
import { ChangeMark } from "./ChangeMark";
import { useFlowActions } from "./context";
import type { NoteFlowNode } from "./flowPicture";

/** Paper on the canvas. It is as high as its text, or higher where somebody made it so. */
export const NoteNode = memo(function NoteNode({ data, selected }: NodeProps<NoteFlowNode>) {
  const { t } = useTranslation();
  const { noting, editNote, endNoting, sizeNote } = useFlowActions();
  const { note } = data;
  const style: CSSProperties = {
    ...(note.height ? { minHeight: note.height } : {}),
    ...(note.color ? ({ "--paper": `var(--id-${note.color})` } as CSSProperties) : {}),
  };
  return (
    <div className={cx("note", !!note.color && "note--tinted")} style={style}>
      {data.mark && <ChangeMark mark={data.mark} />}
      {note.locked && <LockKeyhole size={12} className="note-lock" aria-label={t("lock.locked")} />}
      {noting === note.id ? (
        <Textarea
          className="nodrag nopan nowheel"
          grow={320}
          autoFocus
          value={note.text}
          aria-label={t("inspector.noteText")}
          onText={(text) => editNote?.(note.id, text)}
          onBlur={() => endNoting?.()}
          onFocus={(e) => e.currentTarget.setSelectionRange(-1, -1)}
          onKeyDown={(e) => {
            e.stopPropagation();
            if (e.key === "Escape" && !composing(e)) endNoting?.();
          }}
        />
      ) : (
        note.text || " "
      )}
      {sizeNote && selected && !note.locked && (
        <NodeResizeControl
          className="note-size"
          position="bottom-right"
          minWidth={LEAST_NOTE.width}
          minHeight={LEAST_NOTE.height}
          onResize={(_, p) => sizeNote(note.id, p, false)}
          onResizeEnd={(_, p) => sizeNote(note.id, p, true)}
        />
      )}
    </div>
  );
});
