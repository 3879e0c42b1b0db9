import { piecesOf } from "./unseen";

/** A text in which everything that is there can be seen. */
export function Marked({ text }: { text: string }) {
  return piecesOf(text).map((p, i) =>
    p.mark ? (
      <mark key={i} className="unseen">
        {p.text}
      </mark>
    ) : (
      <bdi key={i}>{p.text}</bdi>
    ),
  );
}
