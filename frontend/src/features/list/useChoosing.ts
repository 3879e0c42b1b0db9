import { useRef, useState, type KeyboardEvent, type MouseEvent } from "react";
import { useUi } from "@/stores/ui";
import { nothing, type AgentID } from "@/topology";
import { composing, mod } from "@/ui";
import type { Row } from "./rows";

type Move = { rows: readonly Row[]; page: number; show: (index: number) => void };

/** The selection of the canvas, worked from the list: one row is current, and a range begins at the anchor. */
export function useChoosing({ rows, page, show }: Move) {
  const [current, setCurrent] = useState<AgentID>();
  const anchor = useRef<AgentID>(undefined);
  /** Rows were ticked one by one: moving on unticks none of them. */
  const ticking = useRef(false);
  const at = (id?: AgentID) => rows.findIndex((r) => r.id === id);
  const choose = (agents: AgentID[]) => {
    ticking.current = false;
    useUi.getState().choose({ ...nothing, agents });
  };
  const toggle = (id: AgentID) => {
    ticking.current = true;
    const { chosen, choose: put } = useUi.getState();
    put({
      ...chosen,
      agents: chosen.agents.includes(id) ? chosen.agents.filter((x) => x !== id) : [...chosen.agents, id],
    });
  };
  const range = (to: number) => {
    const from = Math.max(0, at(anchor.current)),
      [a, b] = from < to ? [from, to] : [to, from];
    choose(rows.slice(a, b + 1).map((r) => r.id));
  };
  const only = (id: AgentID) => {
    anchor.current = id;
    choose([id]);
  };
  const reveal = (id: AgentID) => {
    only(id);
    useUi.getState().revealAgents([id]);
  };

  const onRow = (e: MouseEvent, row: Row, index: number) => {
    setCurrent(row.id);
    if (e.shiftKey && anchor.current) range(index);
    else if (mod(e)) {
      anchor.current = row.id;
      toggle(row.id);
    } else only(row.id);
  };
  const onCheck = (e: MouseEvent, row: Row, index: number) => {
    e.stopPropagation();
    setCurrent(row.id);
    if (e.shiftKey && anchor.current) range(index);
    else {
      anchor.current = row.id;
      toggle(row.id);
    }
  };
  const steps: Record<string, (i: number) => number> = {
    ArrowDown: (i) => i + 1,
    ArrowUp: (i) => i - 1,
    PageDown: (i) => i + page,
    PageUp: (i) => i - page,
    Home: () => 0,
    End: () => rows.length - 1,
  };
  const onKeyDown = (e: KeyboardEvent) => {
    if (composing(e) || !rows.length || e.altKey) return;
    const i = at(current),
      step = steps[e.key],
      row = rows[i];
    if (step) {
      const to = Math.min(rows.length - 1, Math.max(0, i < 0 && e.key !== "End" ? 0 : step(i))),
        next = rows[to];
      if (!next) return;
      setCurrent(next.id);
      show(to);
      if (e.shiftKey) {
        anchor.current ??= row?.id ?? next.id;
        range(to);
      } else if (!mod(e) && !ticking.current) only(next.id);
    } else if (e.key === " " && row) {
      anchor.current = row.id;
      toggle(row.id);
    } else if (e.key === "Enter" && row) reveal(row.id);
    else if (e.key === "Escape") choose([]);
    else if (mod(e) && e.key.toLowerCase() === "a") choose(rows.map((r) => r.id));
    else return;
    e.preventDefault();
    e.stopPropagation();
  };
  // What is current may have been deleted or filtered away.
  return {
    current: at(current) < 0 ? undefined : current,
    onRow,
    onCheck,
    onKeyDown,
    reveal,
    all: () => choose(rows.map((r) => r.id)),
    none: () => choose([]),
  };
}
