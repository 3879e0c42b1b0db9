import { useEffect, useState, type RefObject } from "react";
import { useTeam } from "@/stores/team";
import { groupNodeId } from "@/flow";
import { findAgent, findGroup, updateNote, type AgentID } from "@/topology";
import { composing, isEnter, typedOn } from "@/ui";
import { nameAgent } from "./actions";
import { renameGroup } from "./groups";

type Written = { agent?: AgentID; note?: string; group?: string };

/**
 * What is typed between asking to write in an agent, a note or a group and its field being there. Those keys are the field's: none
 * of them is a shortcut. Returns the text for the name; a note has its text at once. `end` is called where writing is over
 * before the field came.
 */
export function useTypedAhead(
  area: RefObject<HTMLElement | null>,
  { agent, note, group }: Written,
  end: () => void,
): string {
  const node = agent ?? (note && `note:${note}`) ?? (group && groupNodeId(group));
  const [ahead, setAhead] = useState({ node, text: "" });
  if (ahead.node !== node) setAhead({ node, text: "" });
  useEffect(() => {
    if (node === undefined) return undefined;
    let text = "";
    const onKey = (e: KeyboardEvent) => {
      const field = area.current?.querySelector<HTMLElement>(
        `.react-flow__node[data-id="${CSS.escape(node)}"] :is(input, textarea)`,
      );
      if (composing(e) || e.target === field || (e.target as HTMLElement).closest("[role=dialog]")) return;
      if (!isThere({ agent, note, group })) {
        end();
        return;
      }
      e.stopPropagation();
      field?.focus();
      if (field && document.activeElement === field) return; // the key goes on to where the focus is
      e.preventDefault();
      if (e.key === "Escape" || ((isEnter(e) || e.key === "Tab") && !note)) {
        if (e.key !== "Escape" && agent && text.trim()) nameAgent(agent, text.trim());
        if (e.key !== "Escape" && group && text.trim()) renameGroup(group, text.trim());
        end();
        return;
      }
      text = isEnter(e) ? `${text}\n` : typedOn(text, e);
      if (note)
        useTeam
          .getState()
          .edit("edit.note", (d) => updateNote(d, note, { text }), { coalesce: `note:${note}`, typing: true });
      else setAhead({ node, text });
    };
    document.addEventListener("keydown", onKey, true);
    return () => document.removeEventListener("keydown", onKey, true);
  }, [area, node, agent, note, group, end]);
  return ahead.node === node ? ahead.text : "";
}

function isThere({ agent, note, group }: Written): boolean {
  const { topology } = useTeam.getState();
  if (group) return !!findGroup(topology, group);
  return agent ? !!findAgent(topology, agent) : !!topology.notes?.some((n) => n.id === note);
}
