import { useEffect, useState, type RefObject } from "react";
import { hub } from "../api/hub";
import { useRead } from "./read";

/** The picture of a team's version, asked for once its place comes into view. "" where it could not be had. */
export function useSketch(
  place: RefObject<HTMLElement | null>,
  id: string,
  head: string,
  at: string,
): string | undefined {
  const seen = useSeen(place);
  // A version grows while one types, so when it was last changed belongs to its key.
  const { data, error } = useRead({
    key: ["sketch", id, head, at],
    when: seen,
    fixed: true,
    read: () => hub.sketch(id, head),
  });
  return error ? "" : data;
}

/** Whether the place has been in view, or near it. */
function useSeen(place: RefObject<HTMLElement | null>): boolean {
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    const el = place.current;
    if (!el || seen) return;
    const look = new IntersectionObserver(
      (entries) => {
        if (entries.some((e) => e.isIntersecting)) setSeen(true);
      },
      { rootMargin: "200px" },
    );
    look.observe(el);
    return () => look.disconnect();
  }, [place, seen]);
  return seen;
}
