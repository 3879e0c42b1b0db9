import { memo, type CSSProperties } from "react";
import { drawnKinds, kindToken } from "./kindStyle";

const tones: readonly (readonly [name: string, token: string])[] = [
  ...drawnKinds.map((kind) => [kind, kindToken(kind)] as const),
  ["add", "--add-line"],
  ["del", "--del-line"],
  ["chg", "--chg-line"],
  ["sel", "--accent-text"],
  ["path", "--waiting-mark"],
];

/** The ends of connections, once a canvas: arrow, ring and gem in every color a line may have. */
export const EdgeMarkers = memo(function EdgeMarkers() {
  const box = {
    viewBox: "0 0 10 10",
    refY: 5,
    markerWidth: 10,
    markerHeight: 10,
    orient: "auto-start-reverse",
    markerUnits: "userSpaceOnUse",
  };
  return (
    <svg className="absolute h-0 w-0" aria-hidden>
      <defs>
        {tones.map(([name, token]) => (
          <g key={name} style={{ "--tone": `var(${token})` } as CSSProperties}>
            <marker id={`arrow-${name}`} refX={9} {...box}>
              <path className="edge-end" d="M1 1.5L9 5L1 8.5z" />
            </marker>
            <marker id={`ring-${name}`} refX={8} {...box}>
              <circle className="edge-end edge-end--open" cx={5} cy={5} r={3} />
            </marker>
            <marker id={`gem-${name}`} refX={9.5} {...box}>
              <path className="edge-end" d="M.5 5L5 1.5L9.5 5L5 8.5z" />
            </marker>
          </g>
        ))}
      </defs>
    </svg>
  );
});
