import { useReactFlow } from "@xyflow/react";
import { useEffect, useRef, type KeyboardEvent, type RefObject } from "react";
import { useTranslation } from "react-i18next";
import type { PlanPicture } from "@/stores/planGraph";
import { linkKey } from "@/stores/planNeeds";
import type { PlanModel } from "@/stores/planTree";
import { choosePlanTask, usePlan } from "@/stores/plans";
import { announce, composing, lasting, takeShortcut } from "@/ui";
import { removeTask } from "../remove";
import { aimAt, chooseLink, drawFrom, idle, useHands } from "./store";
import type { Linking } from "./useLinking";
import { nextOf, wayOf } from "./view";

type Hands = {
  model: PlanModel;
  picture: PlanPicture;
  box: RefObject<HTMLElement | null>;
  still: boolean;
  fits?: ReadonlySet<string>;
  linking: Linking;
};

/** The graph by keyboard: arrows walk, C draws a dependency, L walks the lines of a task, Delete removes. */
export function useGraphKeys({ model, picture, box, still, fits, linking }: Hands) {
  const { t } = useTranslation();
  const flow = useReactFlow(),
    wants = useRef("");
  const name = (id: string) => model.items.get(id)?.task.title ?? "";
  useEffect(() => {
    if (!wants.current) return;
    const el = box.current?.querySelector<HTMLElement>(`[data-box="${CSS.escape(wants.current)}"]`);
    if (el) {
      wants.current = "";
      el.focus({ preventScroll: true });
    }
  });
  const lines = (id: string) => picture.links.filter((l) => l.to === id || l.from === id);
  const goOn = (id: string, back: boolean) => {
    const all = lines(id),
      had = useHands.getState().link,
      at = had ? all.findIndex((l) => linkKey(l) === linkKey(had)) : -1;
    const next = all[at < 0 ? (back ? all.length - 1 : 0) : (at + (back ? -1 : 1) + all.length) % all.length];
    chooseLink(next);
    announce(next ? t("plan.graph.line", { from: name(next.from), to: name(next.to) }) : t("plan.graph.noLine"));
  };
  return (e: KeyboardEvent) => {
    if (composing(e) || e.ctrlKey || e.metaKey || e.altKey) return;
    const hands = useHands.getState(),
      id = (e.target as HTMLElement).dataset.box ?? usePlan.getState().chosen,
      way = wayOf[e.key];
    const done = () => {
      e.preventDefault();
      e.stopPropagation();
    };
    if (e.key === "Escape" && (hands.from || hands.link)) {
      idle();
      done();
      return;
    }
    // A control above the graph has other keys. None of them is for the selected task.
    const onTask = !(e.target as HTMLElement).closest(".float:not([data-linkbar])") && picture.places.has(id);
    const zoom = { duration: lasting(160) };
    const taken = takeShortcut(
      "planGraph",
      {
        zoomPlan: (n) => {
          const all = { x: -24, y: -24, width: picture.width + 48, height: picture.height + 48 };
          void (n === 0 ? flow.zoomIn(zoom) : n === 1 ? flow.zoomOut(zoom) : flow.fitBounds(all, zoom));
        },
        addNeed: () => {
          if (still) return false;
          drawFrom(model, id, picture.shown, true);
          const may = (x: string) => !!useHands.getState().targets?.has(x),
            to = nextOf(picture, id, "right", may) ?? nextOf(picture, id, "down", may);
          if (to) aimAt(to);
        },
        walkNeeds: (n) => goOn(id, n === 1),
        removeTask: () => {
          const item = model.items.get(id);
          if (still) return false;
          if (hands.link) linking.remove(hands.link);
          else if (item) removeTask(t, item);
        },
      },
      e.nativeEvent,
      {
        when: (_, act) => act === "zoomPlan" || (onTask && !(hands.byKeys && hands.from)),
        even: ["dialog", "prevented"],
      },
    );
    if (taken) {
      e.stopPropagation();
      return;
    }
    if (!onTask) return;
    if (hands.byKeys && hands.from) {
      if (way) {
        const to = nextOf(picture, hands.aimed ?? hands.from, way, (x) => !!hands.targets?.has(x));
        if (to) {
          aimAt(to);
          announce(name(to));
        }
        done();
      }
      if (e.key === "Enter") {
        if (hands.aimed) linking.add({ from: hands.from, to: hands.aimed });
        done();
      }
      return;
    }
    if (way) {
      const to = nextOf(picture, id, way, (x) => !fits || fits.has(x));
      if (to) {
        chooseLink(undefined);
        wants.current = to;
        choosePlanTask(to);
      }
      done();
    } else if (e.key === "Enter" && (e.target as HTMLElement).dataset.box) {
      choosePlanTask(id);
      requestAnimationFrame(() => document.getElementById("plan-title")?.focus());
      done();
    }
  };
}
