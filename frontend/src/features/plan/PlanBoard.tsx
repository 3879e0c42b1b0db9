import { Lock } from "lucide-react";
import { memo, useMemo, useRef, useState, type DragEvent, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { Virtualizer } from "virtua";
import { leavesOf, markOf, type PlanFilter, type PlanItem, type PlanModel, type Standing } from "@/stores/planTree";
import { choosePlanTask, planActions, usePlan } from "@/stores/plans";
import type { PlanProgress } from "@/topology";
import { Badge, composing, cx, Marked, statusIcon, takeShortcut } from "@/ui";
import { fitsOf } from "./filter";
import { dropOperations } from "./moves";
import { useHold } from "./useHold";
import { statusRefusal, tellRefusal } from "./refused";
import { byHand, isByHand, short, standings, toneOf } from "./words";

const kind = "application/x-agentflow-plan-card";
type Progresses = Record<string, PlanProgress>;

/** The tasks by how they stand. A card that nobody reports on is dragged to another column, or with Alt and an arrow. */
export function PlanBoard({ model, progress, still }: { model: PlanModel; progress: Progresses; still: boolean }) {
  const { t } = useTranslation();
  const filter = usePlan((s) => s.filter);
  const [dragged, setDragged] = useState<PlanItem>();
  const lanes = useMemo(() => lanesOf(model, filter), [model, filter]);
  const set = (item: PlanItem, to: Standing) => {
    if (still || !isByHand(to) || to === item.standing || progress[item.id] || !isByHand(item.standing)) return;
    void planActions.status(
      item.id,
      byHand[to],
      t("plan.did.status", { title: short(item.task.title), status: t(`plan.standing.${to}`) }),
    );
  };
  const place = (item: PlanItem, at: PlanItem) => {
    if (still || item.id === at.id || item.parent !== at.parent) return;
    const ops = dropOperations(model, item.id, { at: at.id, where: "before" });
    if (ops.length) void planActions.edit(ops, t("plan.did.move", { title: short(item.task.title) }));
  };
  const board = useRef<HTMLDivElement>(null);
  const cardAt = (at: Element | null) => model.items.get(at?.closest<HTMLElement>("[data-card]")?.dataset.card ?? "");
  useHold(
    board,
    {
      take: (at) => {
        const item = cardAt(at);
        if (!item || progress[item.id]) return undefined;
        setDragged(item);
        return { id: item.id, name: item.task.title || t("plan.untitled") };
      },
      over: () => undefined,
      drop: (id, at) => {
        const item = model.items.get(id),
          on = cardAt(at),
          to = at?.closest<HTMLElement>("[data-lane]")?.dataset.lane as Standing | undefined;
        if (item && to && to !== item.standing) set(item, to);
        else if (item && on) place(item, on);
      },
      end: () => setDragged(undefined),
    },
    !still,
  );
  const may = (to: Standing) =>
    !!dragged && to !== dragged.standing && isByHand(to) && isByHand(dragged.standing) && !progress[dragged.id];
  return (
    <div ref={board} className="plan-board" role="group" aria-label={t("plan.board")}>
      {standings.map((s) => (
        <Lane
          key={s}
          standing={s}
          items={lanes[s]}
          model={model}
          may={may(s)}
          still={still}
          progress={progress}
          dragged={dragged}
          onDragged={setDragged}
          onStanding={set}
          onPlace={place}
        />
      ))}
    </div>
  );
}

function lanesOf(model: PlanModel, filter: PlanFilter): Record<Standing, PlanItem[]> {
  const out: Record<Standing, PlanItem[]> = { todo: [], running: [], held: [], failed: [], done: [] },
    fits = fitsOf(filter);
  for (const item of leavesOf(model)) if (!fits || fits(item)) out[item.standing].push(item);
  return out;
}

type LaneProps = {
  standing: Standing;
  items: PlanItem[];
  model: PlanModel;
  may: boolean;
  still: boolean;
  progress: Progresses;
  dragged?: PlanItem;
  onDragged: (item?: PlanItem) => void;
  onStanding: (item: PlanItem, to: Standing) => void;
  onPlace: (item: PlanItem, at: PlanItem) => void;
};

function Lane({ standing, items, model, may, still, progress, dragged, onDragged, onStanding, onPlace }: LaneProps) {
  const { t } = useTranslation();
  const box = useRef<HTMLDivElement>(null),
    chosen = usePlan((s) => s.chosen);
  const tone = toneOf[standing],
    Icon = statusIcon[tone],
    name = t(`plan.standing.${standing}`);
  const onKeyDown = (e: KeyboardEvent) => {
    if (composing(e)) return;
    const id = (e.target as HTMLElement).closest<HTMLElement>("[data-card]")?.dataset.card,
      i = items.findIndex((x) => x.id === id),
      item = items[i];
    if (!item) return;
    const way = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    const setStatus = (n: number) => {
      const hand = standings.filter(isByHand),
        to = hand[hand.indexOf(item.standing as keyof typeof byHand) + (n ? -1 : 1)];
      const why = statusRefusal(item, to, { still, progress: progress[item.id] });
      if (why) tellRefusal(t, why, item);
      else if (to) onStanding(item, to);
    };
    if (takeShortcut("planBoard", { setStatus }, e.nativeEvent, { even: ["dialog", "prevented"] })) return;
    if (way && !e.altKey) {
      const next = items[i + way];
      e.preventDefault();
      if (next) {
        choosePlanTask(next.id);
        box.current?.querySelector<HTMLElement>(`[data-card="${CSS.escape(next.id)}"]`)?.focus();
      }
    }
  };
  const over = (e: DragEvent) => {
    if (may && e.dataTransfer.types.includes(kind)) e.preventDefault();
  };
  const drop = (e: DragEvent) => {
    if (!may || !dragged) return;
    e.preventDefault();
    onStanding(dragged, standing);
    onDragged(undefined);
  };
  return (
    <section
      data-lane={standing}
      className={cx("plan-lane", may && "plan-lane--may")}
      aria-label={name}
      onDragOver={over}
      onDrop={drop}
    >
      <h3>
        <Icon size={14} className={`s-${tone} sc flex-none`} aria-hidden />
        {name}
        <span className="cap num">{items.length}</span>
      </h3>
      <div ref={box} className="scroll plan-cards" role="list" aria-label={name} onKeyDown={onKeyDown}>
        <Virtualizer scrollRef={box} data={items} itemSize={78}>
          {(item) => (
            <Card
              key={item.id}
              item={item}
              above={model.items.get(item.parent)?.task.title ?? item.task.phase_name}
              blocker={model.blocker === item.id}
              current={chosen === item.id}
              fixed={still || !!progress[item.id]}
              onDragged={onDragged}
              onOver={
                dragged &&
                !still &&
                dragged.id !== item.id &&
                dragged.parent === item.parent &&
                dragged.standing === standing
                  ? () => onPlace(dragged, item)
                  : undefined
              }
            />
          )}
        </Virtualizer>
      </div>
    </section>
  );
}

type CardProps = {
  item: PlanItem;
  above: string;
  blocker: boolean;
  current: boolean;
  fixed: boolean;
  onDragged: (item?: PlanItem) => void;
  onOver?: () => void;
};

const Card = memo(function Card({ item, above, blocker, current, fixed, onDragged, onOver }: CardProps) {
  const { t } = useTranslation();
  const mark = markOf(item.change);
  return (
    <div
      role="listitem"
      className="plan-item"
      onDragOver={onOver && ((e) => e.preventDefault())}
      onDrop={
        onOver &&
        ((e) => {
          e.preventDefault();
          e.stopPropagation();
          onOver();
          onDragged(undefined);
        })
      }
    >
      <button
        type="button"
        className={cx("plan-card", mark && `d-${mark} plan-${mark}`, blocker && "plan-blocker")}
        data-card={item.id}
        aria-current={current || undefined}
        draggable={!fixed}
        onDragStart={(e) => {
          e.dataTransfer.setData(kind, item.id);
          e.dataTransfer.effectAllowed = "move";
          requestAnimationFrame(() => onDragged(item));
        }}
        onDragEnd={() => onDragged(undefined)}
        onClick={() => choosePlanTask(item.id)}
      >
        <span className="plan-name">
          <Marked text={item.task.title || t("plan.untitled")} />
        </span>
        <span className="row gap-2 cap w-full">
          <span className="cut grow text-left">{above && <Marked text={above} />}</span>
          {mark && <Badge tone={mark}>{t(`plan.mark.${mark}`)}</Badge>}
          {blocker ? (
            <span className="plan-blocks num">{t("plan.blocks", { n: item.blocks })}</span>
          ) : (
            item.waits > 0 &&
            item.standing !== "done" && (
              <span className="row gap-1 flex-none num">
                <Lock size={12} aria-hidden />
                {t("plan.waitsFor", { n: item.waits })}
              </span>
            )
          )}
        </span>
      </button>
    </div>
  );
});
