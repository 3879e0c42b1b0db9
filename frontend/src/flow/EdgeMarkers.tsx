import { memo } from "react";

const tones = ["command", "communication", "review", "unknown", "add", "del", "chg", "sel", "path"] as const;

/** The ends of connections, once a canvas: arrow, ring and gem in every colour a line may have. */
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
        {tones.map((k) => (
          <g key={k}>
            <marker id={`arrow-${k}`} refX={9} {...box}>
              <path className={`m-${k}`} d="M1 1.5L9 5L1 8.5z" />
            </marker>
            <marker id={`ring-${k}`} refX={8} {...box}>
              <circle className={`m-${k} m-open`} cx={5} cy={5} r={3} />
            </marker>
            <marker id={`gem-${k}`} refX={9.5} {...box}>
              <path className={`m-${k}`} d="M.5 5L5 1.5L9.5 5L5 8.5z" />
            </marker>
          </g>
        ))}
      </defs>
    </svg>
  );
});
