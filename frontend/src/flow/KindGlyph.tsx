import { edgeStyle, kindStyle, type LineKind } from "./kindStyle";

const lines = { arrow: "M1 5h22", ring: "M7 5h20", gem: "M2 5h21", none: "M1 5h30" };

/** A connection kind in 32 by 10 pixels, for legends, rows and menus. */
export function KindGlyph({ kind }: { kind: LineKind }) {
  const { end } = kindStyle[kind];
  return (
    <svg width={32} height={10} className="flex-none" style={edgeStyle(kind)} aria-hidden>
      <path className="edge" d={lines[end ?? "none"]} />
      {end === "arrow" && <path className="edge-end" d="M22 1.5l8 3.5-8 3.5z" />}
      {end === "gem" && <path className="edge-end" d="M22 5l4.5-3.5L31 5l-4.5 3.5z" />}
      {end === "ring" && (
        <>
          <circle className="edge-end edge-end--open" cx={4} cy={5} r={2.6} />
          <circle className="edge-end edge-end--open" cx={28} cy={5} r={2.6} />
        </>
      )}
    </svg>
  );
}
