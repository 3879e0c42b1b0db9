import { useEffect, useState, type RefObject } from "react";
import { hub } from "../api/hub";

/** Pictures by version and when it was last changed, since a version grows while one types; the oldest go first. */
const kept = new Map<string, string>();
const most = 300;

/** The picture of a drawing's version, asked for once its place comes into view. "" where it could not be had. */
export function useSketch(
  place: RefObject<HTMLElement | null>,
  id: string,
  head: string,
  at: string,
): string | undefined {
  const key = `${id}/${head}/${at}`;
  const [got, setGot] = useState<{ key: string; svg: string }>();
  useEffect(() => {
    const el = place.current;
    if (!el || kept.has(key)) return;
    let gone = false;
    const put = (svg: string) => {
      if (!gone) setGot({ key, svg });
    };
    const look = new IntersectionObserver(
      (seen) => {
        if (!seen.some((s) => s.isIntersecting)) return;
        look.disconnect();
        hub.sketch(id, head).then(
          (svg) => {
            kept.set(key, svg);
            for (const old of [...kept.keys()].slice(0, Math.max(0, kept.size - most))) kept.delete(old);
            put(svg);
          },
          () => put(""),
        );
      },
      { rootMargin: "200px" },
    );
    look.observe(el);
    return () => {
      gone = true;
      look.disconnect();
    };
  }, [place, id, head, key]);
  return kept.get(key) ?? (got?.key === key ? got.svg : undefined);
}
