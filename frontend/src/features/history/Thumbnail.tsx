import { useState } from "react";
import { useDrawing } from "@/stores/drawing";
import { drawingActions } from "@/stores/drawings";
import type { Version } from "@/topology";

/** A version as a small picture; the hub draws it, and the browser asks only for what is in view. */
export function Thumbnail({ version: v }: { version: Version }) {
  const id = useDrawing((s) => s.id);
  const [broken, setBroken] = useState(false);
  return <span className="thumb" aria-hidden>{!broken && <img src={drawingActions.sketchOf(id, v.id, v.at)} alt="" loading="lazy" decoding="async" draggable={false} onError={() => setBroken(true)} />}</span>;
}
