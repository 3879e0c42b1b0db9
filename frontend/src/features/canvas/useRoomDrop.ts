import { useEffect } from "react";
import { groupOfNode } from "@/flow";
import { useUi } from "@/stores/ui";
import { insideOf, type AgentID, type Topology } from "@/topology";

/** The agents that nodes of the canvas stand for: agents themselves, and all agents inside a frame. */
export function agentsIn(t: Topology, nodes: Iterable<string>): AgentID[] {
  const found = new Set(
    [...nodes].flatMap((id) => {
      const group = groupOfNode(id);
      return group !== undefined ? insideOf(t, group) : id.includes(":") ? [] : [id];
    }),
  );
  return t.agents.flatMap((a) => (found.has(a.id) ? [a.id] : []));
}

/** While agents are dragged: they, if they are held over “Rooms” in the rail and make a room when they are dropped. */
export function useRoomDrop(held: readonly AgentID[] | undefined): readonly AgentID[] | undefined {
  const dragging = !!held?.length,
    over = useUi((s) => s.dropOn === "rooms");
  useEffect(() => {
    if (!dragging) return undefined;
    const look = (e: PointerEvent) => {
      const dropOn = document.elementFromPoint(e.clientX, e.clientY)?.closest("[data-screen=rooms]")
        ? "rooms"
        : undefined;
      if (useUi.getState().dropOn !== dropOn) useUi.setState({ dropOn });
    };
    addEventListener("pointermove", look, true);
    return () => {
      removeEventListener("pointermove", look, true);
      useUi.setState({ dropOn: undefined });
    };
  }, [dragging]);
  return dragging && over ? held : undefined;
}
