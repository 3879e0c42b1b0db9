import { useRef } from "react";
import { useTeam } from "@/stores/team";
import { useSketch } from "@/stores/useSketch";
import type { Version } from "@/topology";
import { Sketch } from "@/ui";

/** A version as a small picture; the hub draws it, and only what comes into view is asked for. */
export function Thumbnail({ version: v }: { version: Version }) {
  const ref = useRef<HTMLSpanElement>(null);
  const svg = useSketch(
    ref,
    useTeam((s) => s.id),
    v.id,
    v.at,
  );
  return (
    <span ref={ref} className="thumb" aria-hidden>
      {svg && <Sketch svg={svg} />}
    </span>
  );
}
