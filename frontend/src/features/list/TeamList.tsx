import { Check, ChevronDown, ChevronUp, CircleAlert, Minus, SearchX, TriangleAlert, Users, X } from "lucide-react";
import { useDeferredValue, useMemo, useRef, type MouseEvent } from "react";
import { useTranslation } from "react-i18next";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import { ChangeMark } from "@/flow";
import { useTeam } from "@/stores/team";
import { useOpenProblems } from "@/stores/trust";
import { useUi } from "@/stores/ui";
import { faceOf, marksOf, shortModel, type Face } from "@/topology";
import { Avatar, Button, cx, EmptyState, IconButton, PanelHead, Skeleton, useTextScale } from "@/ui";
import { BulkBar } from "./BulkBar";
import { Facets } from "./Facets";
import { anyFacet, columns, filterRows, noFacets, rowsOf, sortRows, type Row } from "./rows";
import { useList } from "./store";
import { useChoosing } from "./useChoosing";
import "./list.css";

/** Of a row, where text is 100 %. */
const usualHeight = 32;

/** All agents as a table beside the canvas; both show and change the same selection. */
export function TeamList({ onClose }: { onClose: () => void }) {
  const { t, i18n } = useTranslation();
  const topology = useTeam((s) => s.topology),
    changes = useTeam((s) => s.changes),
    problems = useOpenProblems(),
    faces = useTeam((s) => s.faces),
    status = useTeam((s) => s.status);
  const chosen = useUi((s) => s.chosen.agents),
    everyone = useUi((s) => !!s.chosen.everyone);
  const { order, facets, sortBy, filter } = useList(),
    rowHeight = usualHeight * useTextScale();
  const box = useRef<HTMLDivElement>(null),
    virtual = useRef<VirtualizerHandle>(null);
  const late = useDeferredValue(facets),
    drawn = useDeferredValue(topology);
  const all = useMemo(() => rowsOf(drawn, marksOf(changes), problems), [drawn, changes, problems]);
  const rows = useMemo(() => sortRows(filterRows(all, late), order, i18n.language), [all, late, order, i18n.language]);
  const there = useMemo(() => new Set(chosen), [chosen]);
  const hands = useChoosing({ rows, page: 12, show: (i) => virtual.current?.scrollToIndex(i, { align: "nearest" }) });
  const shownChosen = useMemo(() => rows.reduce((n, r) => n + Number(there.has(r.id)), 0), [rows, there]);
  const whole = rows.length > 0 && shownChosen === rows.length;
  if (status !== "ready") return <Skeleton lines={8} label={t("common.loading")} />;
  return (
    <div className="col h-full min-h-0">
      <PanelHead>
        <b>{t("agents.title")}</b>
        <span className="cap num grow" aria-live="polite">
          {rows.length === all.length
            ? t("counts.agents", { count: all.length })
            : t("agents.shown", { n: rows.length, of: all.length })}
        </span>
        <IconButton icon={X} size="sm" label={t("agents.hide")} onClick={onClose} />
      </PanelHead>
      <Facets rows={all} />
      <button
        type="button"
        className={cx("agents-everyone", everyone && "agents-everyone--on")}
        aria-pressed={everyone}
        onClick={() => useUi.getState().choose({ everyone: true })}
      >
        <Users size={14} aria-hidden />
        <span className="cut">{t("canvas.everyone.title")}</span>
        <span className="cap cut grow">{t("everyone.what")}</span>
      </button>
      <div
        ref={box}
        className="scroll agents"
        role="grid"
        tabIndex={0}
        aria-label={t("agents.title")}
        aria-multiselectable
        aria-rowcount={rows.length + 1}
        aria-activedescendant={hands.current ? `agents-${hands.current}` : undefined}
        onKeyDown={hands.onKeyDown}
      >
        <div className="agents-head" role="row" aria-rowindex={1}>
          <span role="columnheader">
            <CheckBox
              on={whole ? true : shownChosen > 0 ? "mixed" : false}
              label={t("agents.chooseAll")}
              onClick={() => {
                if (whole) hands.none();
                else hands.all();
              }}
            />
          </span>
          {columns.map((c) => {
            const sorted = order.by === c,
              Arrow = order.down ? ChevronDown : ChevronUp;
            return (
              <span
                key={c}
                role="columnheader"
                aria-sort={sorted ? (order.down ? "descending" : "ascending") : "none"}
                className={cx(numeric.has(c) && "num")}
              >
                <button type="button" tabIndex={-1} title={t(`agents.column.${c}`)} onClick={() => sortBy(c)}>
                  <span className="cut">{t(`agents.column.${c}`)}</span>
                  {sorted && <Arrow size={12} className="flex-none" aria-hidden />}
                </button>
              </span>
            );
          })}
        </div>
        {rows.length > 0 && (
          <Virtualizer
            ref={virtual}
            scrollRef={box}
            key={rowHeight}
            startMargin={rowHeight}
            itemSize={rowHeight}
            data={rows}
          >
            {(row, i) => (
              <RowLine
                key={row.id}
                row={row}
                index={i}
                face={faceOf(faces, row.id)}
                chosen={there.has(row.id)}
                current={hands.current === row.id}
                hands={hands}
              />
            )}
          </Virtualizer>
        )}
        {!rows.length && (
          <div className="agents-none">
            {all.length && anyFacet(facets) ? (
              <EmptyState
                icon={SearchX}
                title={t("agents.nothing")}
                action={
                  <Button size="sm" onClick={() => filter(noFacets)}>
                    {t("agents.showAll")}
                  </Button>
                }
              >
                {t("agents.nothingWhy")}
              </EmptyState>
            ) : (
              <EmptyState icon={Users} title={t("agents.empty")}>
                {t("agents.emptyWhy")}
              </EmptyState>
            )}
          </div>
        )}
      </div>
      {chosen.length > 0 && <BulkBar ids={chosen} />}
    </div>
  );
}

const numeric = new Set<string>(["tools", "in", "out"]);

type LineProps = {
  row: Row;
  index: number;
  face: Face;
  chosen: boolean;
  current: boolean;
  hands: ReturnType<typeof useChoosing>;
};

function RowLine({ row, index, face, chosen, current, hands }: LineProps) {
  const { t } = useTranslation();
  const cell = (text: string, mono = false) => (
    <span role="gridcell" className={cx("cut", mono && "mono")} title={text || undefined}>
      {text}
    </span>
  );
  const num = (n: number) => (
    <span role="gridcell" className="num">
      {n || ""}
    </span>
  );
  return (
    <div
      id={`agents-${row.id}`}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={chosen}
      data-agent={row.id}
      data-current={current || undefined}
      className="agents-row"
      onClick={(e) => hands.onRow(e, row, index)}
      onDoubleClick={() => hands.reveal(row.id)}
    >
      <span role="gridcell">
        <CheckBox
          on={chosen}
          label={t("agents.choose", { name: row.name })}
          onClick={(e) => hands.onCheck(e, row, index)}
        />
      </span>
      <span role="rowheader" className="row" title={row.name}>
        <Avatar size="sm" {...face} />
        <b className="cut">{row.name}</b>
      </span>
      {cell(row.id, true)}
      {cell(row.role)}
      <span role="gridcell" className="cut mono" title={row.model || undefined}>
        {shortModel(row.model)}
      </span>
      {num(row.tools)}
      {num(row.in)}
      {num(row.out)}
      {cell(row.group)}
      <span role="gridcell" className="row gap-1">
        {row.errors > 0 && (
          <span className="row s-failed gap-0.5" title={t("agents.errors", { count: row.errors })}>
            <CircleAlert size={14} className="sc" aria-label={t("agents.errors", { count: row.errors })} />
            <span className="num" aria-hidden>
              {row.errors}
            </span>
          </span>
        )}
        {row.warnings > 0 && (
          <span className="row s-waiting gap-0.5" title={t("agents.warnings", { count: row.warnings })}>
            <TriangleAlert size={14} className="sc" aria-label={t("agents.warnings", { count: row.warnings })} />
            <span className="num" aria-hidden>
              {row.warnings}
            </span>
          </span>
        )}
      </span>
      <span role="gridcell">
        {row.mark && (
          <span title={t(`agents.mark.${row.mark}`)}>
            <ChangeMark mark={row.mark} inline />
            <span className="sr-only">{t(`agents.mark.${row.mark}`)}</span>
          </span>
        )}
      </span>
    </div>
  );
}

function CheckBox({ on, label, onClick }: { on: boolean | "mixed"; label: string; onClick: (e: MouseEvent) => void }) {
  return (
    <button
      type="button"
      tabIndex={-1}
      role="checkbox"
      aria-checked={on}
      aria-label={label}
      className="check"
      data-state={on === "mixed" ? "indeterminate" : on ? "checked" : "unchecked"}
      onClick={onClick}
    >
      {on === "mixed" ? (
        <Minus size={12} strokeWidth={2.5} aria-hidden />
      ) : on ? (
        <Check size={12} strokeWidth={2.5} aria-hidden />
      ) : null}
    </button>
  );
}
