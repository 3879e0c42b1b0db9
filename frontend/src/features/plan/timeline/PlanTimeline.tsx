import { Diamond, SearchX } from "lucide-react";
import { useEffect, useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import { formatDateTime, formatNumber, formatShortDay, formatTime } from "@/i18n/format";
import { criticalPath, scheduleOf } from "@/stores/planTime";
import { everything, rowsOf, type PlanModel } from "@/stores/planTree";
import { choosePlanTask, filterPlan, foldPlan, usePlan } from "@/stores/plans";
import type { PlanWhole } from "@/topology";
import { Button, composing, EmptyState, focusHolder, Segmented, useMedia, useRowFocus } from "@/ui";
import { fitsOf } from "../filter";
import { perMinute, scales, ticksOf, type Scale } from "./axis";
import { TimelineRow } from "./TimelineRow";
import { useTime } from "./useTime";

const minute = 60_000,
  page = 12;

type Props = { model: PlanModel; whole: PlanWhole };

/** The plan in time: what was worked and when, and when the rest is expected. */
export function PlanTimeline({ model, whole }: Props) {
  const { t } = useTranslation();
  const chosen = usePlan((s) => s.chosen),
    filter = usePlan((s) => s.filter),
    folded = usePlan((s) => s.folded);
  const phone = useMedia("(max-width: 639px)"),
    names = phone ? 132 : 248;
  const working = whole.work?.state === "working",
    now = useTime(working),
    parallel = whole.work?.parallel ?? 2;
  const [scale, setScale] = useState<Scale>("fit");
  const rows = useMemo(() => rowsOf(model, folded, fitsOf(filter)), [model, folded, filter]);
  const schedule = useMemo(
      () => scheduleOf(model, whole.progress, parallel, now),
      [model, whole.progress, parallel, now],
    ),
    critical = useMemo(() => criticalPath(model), [model]);
  const box = useRef<HTMLDivElement>(null),
    virtual = useRef<VirtualizerHandle>(null);
  const { focusRow, rowOf } = useRowFocus(box, "data-row");
  const [view, setView] = useState({ left: 0, width: 800 });
  const perMin = perMinute(scale, schedule.from, schedule.to, view.width - names),
    xOf = (at: number) => 16 + ((at - schedule.from) / minute) * perMin;
  const width = Math.max(view.width - names, Math.ceil(xOf(schedule.to)) + 96);
  useLayoutEffect(() => {
    const el = box.current;
    if (!el) return;
    const read = () =>
      setView((had) => {
        const left = Math.round(el.scrollLeft / 200) * 200;
        return had.left === left && had.width === el.clientWidth ? had : { left, width: el.clientWidth };
      });
    const seen = new ResizeObserver(read);
    seen.observe(el);
    el.addEventListener("scroll", read, { passive: true });
    return () => {
      seen.disconnect();
      el.removeEventListener("scroll", read);
    };
  }, [rows.length === 0]); // eslint-disable-line react-hooks/exhaustive-deps -- the box is there once there are rows
  // A nearer look begins at what goes on now.
  useEffect(() => {
    const el = box.current;
    if (el) el.scrollLeft = scale === "fit" ? 0 : Math.max(0, xOf(now) - (el.clientWidth - names) / 3);
  }, [scale]); // eslint-disable-line react-hooks/exhaustive-deps -- only when the scale changes
  const { ticks, step } = ticksOf(
    schedule.from + ((view.left - 400) / perMin) * minute,
    schedule.from + ((view.left + view.width + 400) / perMin) * minute,
    perMin,
  );
  const focus = (i: number) => {
    const row = rows[i];
    if (!row) return;
    if (row.item) choosePlanTask(row.key);
    virtual.current?.scrollToIndex(i, { align: "nearest" });
    focusRow(row.key);
  };
  const onKeyDown = (e: KeyboardEvent) => {
    if (composing(e) || e.ctrlKey || e.metaKey || e.altKey) return;
    const key = rowOf(e.target),
      i = rows.findIndex((r) => r.key === key),
      row = rows[i];
    const to = {
        ArrowDown: i + 1,
        ArrowUp: i - 1,
        PageDown: i + page,
        PageUp: i - page,
        Home: 0,
        End: rows.length - 1,
      }[e.key],
      side = { ArrowLeft: -1, ArrowRight: 1 }[e.key],
      near = { "+": 1, "=": 1, "-": -1 }[e.key];
    if (!row) return;
    if (to !== undefined) focus(Math.min(rows.length - 1, Math.max(0, to)));
    else if (side && row.inner && row.folded === side < 0) {
      if (box.current) box.current.scrollLeft += side * 200;
    } else if (side && row.inner) foldPlan(row.key, side < 0);
    else if (side) {
      if (box.current) box.current.scrollLeft += side * 200;
    } else if (near) setScale(scales[Math.min(scales.length - 1, Math.max(0, scales.indexOf(scale) + near))] ?? "fit");
    else if (e.key === "0") setScale("fit");
    else if (e.key === "Enter" && row.item) document.getElementById("plan-title")?.focus();
    else return;
    e.preventDefault();
    e.stopPropagation();
  };
  if (!rows.length)
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
  const at = rows.findIndex((r) => r.key === chosen),
    open = schedule.expected.size > 0;
  return (
    <div className="plan-timeline" style={{ "--names": `${names}px`, "--track": `${width}px` } as React.CSSProperties}>
      <div className="plan-time-bar">
        <Segmented
          size="sm"
          label={t("plan.time.scale")}
          value={scale}
          onValue={setScale}
          options={scales.map((value) => ({ value, label: t(`plan.time.${value}`) }))}
        />
        <span className="cap grow plan-time-why">
          {open ? t("plan.time.ends", { at: formatDateTime(schedule.to) }) : t("plan.time.done")}
          {open &&
            !phone &&
            ` · ${t("plan.time.parallel", { count: parallel })} · ${schedule.pace.measured ? t("plan.time.measured", { count: schedule.pace.measured, factor: formatNumber(Math.round(schedule.pace.factor * 10) / 10) }) : t("plan.time.guessed")}`}
        </span>
      </div>
      <div ref={box} {...focusHolder} className="plan-time-box" onKeyDown={onKeyDown}>
        <div className="plan-axis" aria-hidden>
          <div className="plan-axis-corner" />
          {ticks.map((k) => (
            <span key={k.at} className={k.day ? "plan-tick is-day" : "plan-tick"} style={{ left: names + xOf(k.at) }}>
              {k.day || step >= 86_400_000 ? formatShortDay(k.at) : formatTime(k.at)}
            </span>
          ))}
          <span className="plan-now-label" style={{ left: names + xOf(now) }}>
            {t("plan.time.now")}
          </span>
        </div>
        <div className="plan-time-rows">
          <div className="plan-lines" aria-hidden>
            <b />
            {ticks.map((k) => (
              <i key={k.at} className={k.day ? "is-day" : undefined} style={{ left: names + xOf(k.at) }} />
            ))}
            <i className="plan-now" style={{ left: names + xOf(now) }} />
          </div>
          <div className="relative z-1" role="tree" aria-label={t("plan.time.label")}>
            <Virtualizer ref={virtual} scrollRef={box} startMargin={28} itemSize={phone ? 44 : 30} data={rows}>
              {(row, i) => (
                <TimelineRow
                  key={row.key}
                  row={row}
                  position={i + 1}
                  current={row.key === chosen}
                  reachable={at < 0 ? i === 0 : i === at}
                  blocker={model.blocker === row.key}
                  critical={critical.tasks.has(row.key)}
                  now={now}
                  schedule={schedule}
                  progress={whole.progress}
                  model={model}
                  x={{ from: schedule.from, perMin }}
                />
              )}
            </Virtualizer>
          </div>
        </div>
      </div>
      <div className="plan-time-legend cap">
        <span className="row gap-1.5">
          <i className="plan-key plan-key--ran" aria-hidden />
          {t("plan.time.ran")}
        </span>
        <span className="row gap-1.5">
          <i className="plan-key plan-key--expected" aria-hidden />
          {t("plan.time.expected")}
        </span>
        {critical.tasks.size > 1 && (
          <span className="row gap-1.5">
            <i className="plan-key plan-key--critical" aria-hidden />
            {t("plan.graph.critical")}
          </span>
        )}
        <span className="row gap-1.5">
          <Diamond size={12} aria-hidden />
          {t("plan.field.milestone")}
        </span>
      </div>
    </div>
  );
}
