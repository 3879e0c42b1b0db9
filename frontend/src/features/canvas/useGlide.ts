import { useEffect, useState } from "react";
import { framesFor, groupNodeId } from "@/flow";
import { useTeam } from "@/stores/team";
import { foldedAt, noMarks, type Point, type Topology } from "@/topology";
import { still } from "@/ui";
import type { Moved } from "./dragging";

const duration = 150;
/** The most nodes that can be redrawn in every frame. */
const most = 250;
const nodesOf = (t: Topology) => t.agents.length + (t.notes?.length ?? 0) + (t.groups?.length ?? 0);
const glides = new Set(["layout", "layoutChosen", "undo", "redo"]);

/** Where every node of a team stands. */
function places(t: Topology): Map<string, Point> {
  const f = framesFor(t, false, noMarks),
    at = new Map<string, Point>();
  for (const [id, p] of Object.entries(t.layout ?? {})) at.set(id, p);
  for (const n of t.notes ?? []) at.set(`note:${n.id}`, n);
  const folded = new Set(f.folded.values());
  for (const [id, box] of f.boxes) at.set(groupNodeId(id), folded.has(id) ? foldedAt(box) : box);
  return at;
}

/** After the hub moved things, where they are on their way there; null when all have come to rest. */
export function useGlide(): Moved | null {
  const [at, setAt] = useState<Moved | null>(null);
  useEffect(() => {
    let frame = 0;
    const stop = () => {
      cancelAnimationFrame(frame);
      frame = 0;
      setAt(null);
    };
    const off = useTeam.subscribe((s, was) => {
      if (s.topology === was.topology) return;
      stop();
      if (s.id !== was.id || !s.busy || !glides.has(s.busy) || nodesOf(s.topology) > most || still()) return;
      const from = places(was.topology),
        to = places(s.topology),
        ways: [string, Point, Point][] = [];
      for (const [id, b] of to) {
        const a = from.get(id);
        if (a && (a.x !== b.x || a.y !== b.y)) ways.push([id, a, b]);
      }
      if (!ways.length) return;
      const begun = performance.now();
      const step = (now: number) => {
        const t = Math.min(1, (now - begun) / duration),
          k = 1 - (1 - t) ** 3;
        if (t >= 1) {
          stop();
          return;
        }
        setAt(new Map(ways.map(([id, a, b]) => [id, { x: a.x + (b.x - a.x) * k, y: a.y + (b.y - a.y) * k }])));
        frame = requestAnimationFrame(step);
      };
      setAt(new Map(ways.map(([id, a]) => [id, { x: a.x, y: a.y }])));
      frame = requestAnimationFrame(step);
    });
    return () => {
      off();
      cancelAnimationFrame(frame);
    };
  }, []);
  return at;
}
