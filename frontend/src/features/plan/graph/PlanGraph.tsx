import {
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  useStore,
  useStoreApi,
  type Connection,
  type NodeMouseHandler,
} from "@xyflow/react";
import { SearchX } from "lucide-react";
import { useEffect, useMemo, useRef, type FocusEvent, type MouseEvent } from "react";
import { useTranslation } from "react-i18next";
import { ZoomControl } from "@/flow";
import { boxH, boxW, graphOf, type PlanPicture } from "@/stores/planGraph";
import { criticalPath } from "@/stores/planTime";
import { everything, type PlanModel } from "@/stores/planTree";
import { choosePlanTask, filterPlan, usePlan } from "@/stores/plans";
import { Button, EmptyState, lasting } from "@/ui";
import { fitsOf } from "../filter";
import { FarPlan } from "./FarPlan";
import { GraphNote, LinkBar } from "./Hands";
import { Links } from "./Links";
import { aimAt, chooseLink, drawFrom, idle, useHands } from "./store";
import { PhaseBox, TaskBox, type FrameNode, type TaskNode } from "./TaskBox";
import { useGraphKeys } from "./useGraphKeys";
import { useLinking } from "./useLinking";
import { cellsOf, farBelow, partOf } from "./view";

const nodeTypes = { task: TaskBox, phase: PhaseBox };

type Props = { model: PlanModel; still: boolean };

/** The plan as what waits for what, from left to right. */
export function PlanGraph(props: Props) {
  return (
    <ReactFlowProvider>
      <Inner {...props} />
    </ReactFlowProvider>
  );
}

function Inner({ model, still }: Props) {
  const { t } = useTranslation();
  const chosen = usePlan((s) => s.chosen),
    filter = usePlan((s) => s.filter);
  const picture = useMemo(() => graphOf(model), [model]),
    critical = useMemo(() => criticalPath(model), [model]);
  const fits = useMemo(() => {
    const test = fitsOf(filter);
    return test && new Set(picture.shown.filter(test).map((i) => i.id));
  }, [picture, filter]);
  const cells = useStore((s) => cellsOf(s.transform, s.width, s.height));
  const part = useMemo(
    () => (cells === "far" ? { ids: [], links: [], parts: [] } : partOf(picture, cells)),
    [picture, cells],
  );
  const box = useRef<HTMLDivElement>(null);
  const label = useLabel(model, picture);
  const linking = useLinking(model, picture, still);
  const first = picture.shown[0]?.id ?? "",
    stop = picture.places.has(chosen) ? chosen : first;
  const nodes = useMemo(
    () =>
      nodesOf({
        model,
        picture,
        ids: part.ids,
        far: cells === "far",
        chosen,
        stop,
        critical: critical.tasks,
        fits,
        still,
        label,
      }),
    [model, picture, part, cells, chosen, stop, critical, fits, still, label],
  );
  const onKeyDown = useGraphKeys({ model, picture, box, still, fits, linking });
  const onNode: NodeMouseHandler<TaskNode | FrameNode> = (_, n) => {
    if (n.type === "task") {
      chooseLink(undefined);
      choosePlanTask(n.id);
    }
  };
  const flow = useReactFlow();
  // Seen from far nothing is an element: a click finds the task and goes there.
  const onPane = (e: MouseEvent) => {
    chooseLink(undefined);
    const at = cells === "far" ? flow.screenToFlowPosition({ x: e.clientX, y: e.clientY }) : undefined;
    const hit =
      at &&
      [...picture.places].find(
        ([, p]) => at.x >= p.x - 8 && at.x <= p.x + boxW + 8 && at.y >= p.y - 8 && at.y <= p.y + boxH + 8,
      );
    if (!hit) return;
    choosePlanTask(hit[0]);
    void flow.setCenter(hit[1].x + boxW / 2, hit[1].y + boxH / 2, { zoom: 1, duration: lasting(160) });
  };
  useEffect(() => idle, []);
  const onFocus = (e: FocusEvent) => {
    const id = (e.target as HTMLElement).dataset.box;
    if (id && id !== usePlan.getState().chosen && (e.target as HTMLElement).matches(":focus-visible"))
      choosePlanTask(id);
  };
  return (
    <div
      ref={box}
      className="plan-graph canvas"
      role="group"
      aria-label={t("plan.graph.label")}
      onKeyDown={onKeyDown}
      onFocus={onFocus}
      data-far={cells === "far" ? "" : undefined}
    >
      <ReactFlow<TaskNode | FrameNode>
        nodes={nodes}
        nodeTypes={nodeTypes}
        nodesDraggable={false}
        nodesFocusable={false}
        elementsSelectable={false}
        nodesConnectable={!still}
        connectOnClick={false}
        minZoom={0.03}
        maxZoom={1.5}
        zoomOnDoubleClick={false}
        deleteKeyCode={null}
        selectionKeyCode={null}
        disableKeyboardA11y
        connectionRadius={28}
        panOnScroll={false}
        onNodeClick={onNode}
        onPaneClick={onPane}
        isValidConnection={(c) => !!useHands.getState().targets?.has(c.target)}
        onConnectStart={(_, { nodeId }) => {
          if (nodeId) drawFrom(model, nodeId, picture.shown);
        }}
        onConnect={(c: Connection) => linking.add({ from: c.source, to: c.target })}
        onConnectEnd={linking.onEnd}
        onNodeMouseEnter={(_, n) => {
          if (useHands.getState().from) aimAt(n.id);
        }}
        onNodeMouseLeave={() => aimAt(undefined)}
        proOptions={{ hideAttribution: true }}
      >
        <Links
          picture={picture}
          links={part.links}
          parts={part.parts}
          critical={critical}
          chosen={chosen}
          fits={fits}
          onOpen={() => box.current?.querySelector<HTMLElement>("[data-linkbar] button")?.focus()}
        />
        <FarPlan picture={picture} critical={critical} chosen={chosen} blocker={model.blocker} fits={fits} />
        <Look picture={picture} model={model} fits={fits} />
      </ReactFlow>
      {fits?.size === 0 && (
        <div className="plan-graph-none">
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
      )}
      <LinkBar model={model} still={still} onRemove={linking.remove} />
      <GraphNote model={model} critical={critical} />
      <Zoom picture={picture} />
    </div>
  );
}

function Zoom({ picture }: { picture: PlanPicture }) {
  const flow = useReactFlow();
  return (
    <ZoomControl
      onFit={() =>
        void flow.fitBounds(
          { x: -24, y: -24, width: picture.width + 48, height: picture.height + 48 },
          { duration: lasting(160) },
        )
      }
    />
  );
}

type Scene = {
  model: PlanModel;
  picture: PlanPicture;
  ids: readonly string[];
  far: boolean;
  chosen: string;
  stop: string;
  critical: ReadonlySet<string>;
  fits?: ReadonlySet<string>;
  still: boolean;
  label: (id: string) => string;
};

function nodesOf({
  model,
  picture,
  ids,
  far,
  chosen,
  stop,
  critical,
  fits,
  still,
  label,
}: Scene): (TaskNode | FrameNode)[] {
  // The task that Tab leads to is there wherever the view is.
  const all = far ? [] : ids.includes(stop) || !picture.places.has(stop) ? ids : [...ids, stop];
  const out: (TaskNode | FrameNode)[] = far
    ? []
    : picture.frames.map((f) => ({
        id: f.key,
        type: "phase",
        position: { x: f.x, y: f.y },
        width: f.width,
        height: f.height,
        data: { name: f.name },
        connectable: false,
        selectable: false,
        zIndex: -2,
      }));
  for (const id of all) {
    const item = model.items.get(id),
      position = picture.places.get(id);
    if (!item || !position) continue;
    out.push({
      id,
      type: "task",
      position,
      width: boxW,
      height: boxH,
      data: {
        item,
        label: label(id),
        chosen: id === chosen,
        reachable: id === stop,
        blocker: model.blocker === id,
        critical: critical.has(id),
        dim: !!fits && !fits.has(id),
        still,
      },
    });
  }
  return out;
}

/** What a screen reader says of a task beside what is written on it: how it stands, what it waits for and what waits for it. */
function useLabel(model: PlanModel, picture: PlanPicture): (id: string) => string {
  const { t } = useTranslation();
  return useMemo(() => {
    const waiting = new Map<string, number>();
    for (const l of picture.links) waiting.set(l.from, (waiting.get(l.from) ?? 0) + 1);
    const name = (id: string) => model.items.get(id)?.task.title || t("plan.untitled");
    return (id) => {
      const item = model.items.get(id),
        needs = item?.task.dependencies ?? [],
        n = waiting.get(id) ?? 0;
      return [
        item && t(`plan.standing.${item.standing}`),
        needs.length > 0 && t("plan.graph.needs", { titles: needs.slice(0, 4).map(name).join(", ") }),
        n > 0 && t("plan.graph.leads", { n }),
      ]
        .filter(Boolean)
        .join(", ");
    };
  }, [model, picture, t]);
}

/** Keeps the view on what matters: the whole plan where it can be read, else where work is; later what is chosen or found. */
function Look({ picture, model, fits }: { picture: PlanPicture; model: PlanModel; fits?: ReadonlySet<string> }) {
  const flow = useReactFlow(),
    store = useStoreApi(),
    chosen = usePlan((s) => s.chosen);
  const sized = useStore((s) => s.width > 0 && s.height > 0),
    began = useRef(false);
  const now = useRef({ picture, model });
  useEffect(() => {
    now.current = { picture, model };
  });
  useEffect(() => {
    if (!sized || began.current || !picture.shown.length) return;
    began.current = true;
    const { width, height } = store.getState(),
      zoom = Math.min(1, (width - 48) / picture.width, (height - 96) / Math.max(1, picture.height));
    const start =
      picture.places.get(usePlan.getState().chosen) ??
      picture.places.get(model.blocker ?? "") ??
      picture.places.get(picture.shown[0]?.id ?? "");
    if (zoom >= 0.55 || !start)
      void flow.setViewport({
        x: Math.max(24, (width - picture.width * zoom) / 2),
        y: Math.max(24, (height - picture.height * zoom) / 2),
        zoom,
      });
    else
      void flow.setViewport({
        x: Math.min(40, width / 3 - start.x * 0.85),
        y: Math.min(40, height / 2 - start.y * 0.85),
        zoom: 0.85,
      });
  }, [sized, picture, model, flow, store]);
  useEffect(() => {
    const at = now.current.picture.places.get(chosen),
      {
        transform: [x, y, zoom],
        width,
        height,
      } = store.getState();
    if (!at || !began.current || zoom < farBelow) return;
    const left = x + at.x * zoom,
      top = y + at.y * zoom,
      m = 24;
    if (left < m || top < m || left + boxW * zoom > width - m || top + boxH * zoom > height - m)
      void flow.setCenter(at.x + boxW / 2, at.y + boxH / 2, { zoom, duration: lasting(160) });
  }, [chosen, flow, store]);
  useEffect(() => {
    if (!fits?.size || !began.current) return;
    const at = [...fits].flatMap((id) => now.current.picture.places.get(id) ?? []);
    const x1 = Math.min(...at.map((p) => p.x)),
      y1 = Math.min(...at.map((p) => p.y)),
      x2 = Math.max(...at.map((p) => p.x)) + boxW,
      y2 = Math.max(...at.map((p) => p.y)) + boxH;
    void flow.fitBounds(
      { x: x1 - 40, y: y1 - 40, width: Math.max(600, x2 - x1 + 80), height: Math.max(300, y2 - y1 + 80) },
      { duration: lasting(160) },
    );
  }, [fits, flow]);
  return null;
}
