import { SearchX } from "lucide-react";
import { useEffect, useMemo, useRef, type KeyboardEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import { rowsOf, everything, type PlanModel, type PlanRow as Row } from "@/stores/planTree";
import { choosePlanTask, filterPlan, foldPlan, planActions, usePlan } from "@/stores/plans";
import { Button, composing, EmptyState, focusHolder, takeShortcut, useRowFocus } from "@/ui";
import { fitsOf } from "./filter";
import { type Drop, canDrop, dropOperations, stepOf } from "./moves";
import { placeIn, PlanRow } from "./PlanRow";
import { tellRefusal } from "./refused";
import { removeTask } from "./remove";
import { useHold } from "./useHold";
import { short } from "./words";

const rowHeight = 30,
  page = 12;

/** The plan as a tree. Arrows walk and fold it; with Alt they move the chosen task. */
export function PlanTree({
  model,
  still,
}: {
  model: PlanModel;
  /** A proposal is looked at: nothing is moved. */ still: boolean;
}) {
  const { t } = useTranslation();
  const chosen = usePlan((s) => s.chosen),
    folded = usePlan((s) => s.folded),
    filter = usePlan((s) => s.filter);
  const box = useRef<HTMLDivElement>(null),
    virtual = useRef<VirtualizerHandle>(null),
    wants = useRef("");
  const rows = useMemo(() => rowsOf(model, folded, fitsOf(filter)), [model, folded, filter]);
  const at = rows.findIndex((r) => r.key === chosen);
  const { focusRow, rowOf } = useRowFocus(box, "data-row");
  const focus = (i: number) => {
    const row = rows[i];
    if (!row) return;
    if (row.item) choosePlanTask(row.key);
    virtual.current?.scrollToIndex(i, { align: "nearest" });
    wants.current = row.key;
    focusRow(row.key);
  };
  // What was moved or added by keyboard keeps the focus where it stands now.
  useEffect(() => {
    if (!wants.current) return;
    const i = rows.findIndex((r) => r.key === wants.current),
      el = box.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(wants.current)}"]`);
    if (i >= 0 && !el) virtual.current?.scrollToIndex(i, { align: "nearest" });
    if (el && (document.activeElement === document.body || box.current?.contains(document.activeElement))) el.focus();
  }, [rows]);
  const drop = (id: string, where: Drop | undefined) => {
    const ops = where ? dropOperations(model, id, where) : [];
    if (ops.length)
      void planActions.edit(ops, t("plan.did.move", { title: short(model.items.get(id)?.task.title ?? "") }));
  };
  const [aim, setAim] = useState<Drop>();
  const aimOf = (id: string, at: Element | null, y: number): Drop | undefined => {
    const el = at?.closest<HTMLElement>("[data-row]"),
      key = el?.dataset.row ?? "",
      to = el && model.items.has(key) && key !== id ? { at: key, where: placeIn(el, y) } : undefined;
    return to && canDrop(model, id, to) ? to : undefined;
  };
  useHold(
    box,
    {
      take: (at) => {
        const item = model.items.get(at.closest<HTMLElement>("[data-row]")?.dataset.row ?? "");
        return item && { id: item.id, name: item.task.title || t("plan.untitled") };
      },
      over: (id, at, y) => {
        const to = aimOf(id, at, y);
        setAim((had) => (had?.at === to?.at && had?.where === to?.where ? had : to));
      },
      drop: (id, at, y) => drop(id, aimOf(id, at, y)),
      end: () => setAim(undefined),
    },
    !still && rows.length > 0,
  );
  const onKeyDown = (e: KeyboardEvent) => {
    if (composing(e) || e.ctrlKey || e.metaKey) return;
    const key = rowOf(e.target),
      i = rows.findIndex((r) => r.key === key),
      row = rows[i];
    if (!row) return;
    const taken = takeShortcut(
      "planTree",
      {
        moveTask: (n) => {
          if (!row.item) return;
          const to = stepOf(model, row.key, (["up", "down", "in", "out"] as const)[n]!);
          if (still || !to) {
            tellRefusal(t, still ? "still" : "end", row.item);
            return;
          }
          wants.current = row.key;
          drop(row.key, to);
        },
        deleteTask: () => {
          if (row.item && !still) removeTask(t, row.item);
        },
      },
      e.nativeEvent,
      { even: ["dialog", "prevented"] },
    );
    if (taken || keyDone(e, { rows, row, i, focus })) {
      e.preventDefault();
      e.stopPropagation();
    }
  };
  if (!rows.length) {
    return (
      <div className="grid flex-1 place-items-center p-4">
        <EmptyState
          icon={SearchX}
          title={t("plan.nothing")}
          action={
            <Button size="sm" onClick={() => filterPlan(everything)}>
              {t("plan.showAll")}
            </Button>
          }
        >
          {t("plan.nothingWhy")}
        </EmptyState>
      </div>
    );
  }
  return (
    <div
      ref={box}
      {...focusHolder}
      className="scroll rows plan-tree"
      role="tree"
      aria-label={t("plan.tree")}
      onFocus={(e) => {
        // Once the person has gone to another row, the row that was moved no longer takes the focus.
        if (rowOf(e.target) !== wants.current) wants.current = "";
      }}
      onKeyDown={onKeyDown}
    >
      <Virtualizer ref={virtual} scrollRef={box} itemSize={rowHeight} data={rows}>
        {(row, i) => (
          <PlanRow
            key={row.key}
            row={row}
            position={i + 1}
            current={row.key === chosen}
            reachable={at < 0 ? i === 0 : i === at}
            blocker={model.blocker === row.key}
            aim={aim?.at === row.key ? aim.where : undefined}
            onDrop={still ? undefined : drop}
          />
        )}
      </Virtualizer>
    </div>
  );
}

type Hands = {
  rows: Row[];
  row: Row;
  i: number;
  focus: (i: number) => void;
};

function keyDone(e: KeyboardEvent, { rows, row, i, focus }: Hands): boolean {
  if (e.altKey) return false;
  const to = { ArrowDown: i + 1, ArrowUp: i - 1, PageDown: i + page, PageUp: i - page, Home: 0, End: rows.length - 1 }[
    e.key
  ];
  if (to !== undefined) {
    focus(Math.min(rows.length - 1, Math.max(0, to)));
    return true;
  }
  switch (e.key) {
    case "ArrowRight":
      if (row.inner && row.folded) foldPlan(row.key, false);
      else if (row.inner) focus(i + 1);
      return true;
    case "ArrowLeft":
      if (row.inner && !row.folded) foldPlan(row.key, true);
      else
        for (let up = i - 1; up >= 0; up--)
          if (rows[up]!.depth < row.depth) {
            focus(up);
            break;
          }
      return true;
    case "Enter":
      document.getElementById("plan-title")?.focus();
      return true;
  }
  return false;
}
