import type { DrawnKind } from "../topology";

/** A connection kind in 32 by 10 pixels, for legends, rows and menus. */
export function KindGlyph({ kind }: { kind: DrawnKind }) {
  return (
    <svg width={32} height={10} className="flex-none" aria-hidden>
      {kind === "command" && (
        <>
          <path className="edge edge--command" d="M1 5h22" />
          <path className="m-command" d="M22 1.5l8 3.5-8 3.5z" />
        </>
      )}
      {kind === "communication" && (
        <>
          <path className="edge edge--communication" d="M7 5h20" />
          <circle className="m-open m-communication" cx={4} cy={5} r={2.6} />
          <circle className="m-open m-communication" cx={28} cy={5} r={2.6} />
        </>
      )}
      {kind === "review" && (
        <>
          <path className="edge edge--review" d="M2 5h21" />
          <path className="m-review" d="M22 5l4.5-3.5L31 5l-4.5 3.5z" />
        </>
      )}
      {kind === "unknown" && <path className="edge edge--unknown" d="M1 5h30" />}
    </svg>
  );
}
