import { useStore, ViewportPortal } from "@xyflow/react";
import { useGuides } from "./steering";

/** Lines on which things stand, and gaps that are alike, while something is dragged. */
export function Guides() {
  const { guides, gaps } = useGuides();
  const px = useStore((s) => 1 / s.transform[2]);
  if (!guides.length && !gaps.length) return null;
  const tick = 4 * px;
  return (
    <ViewportPortal>
      <svg className="guides" aria-hidden data-guides={guides.length} data-gaps={gaps.length}>
        {guides.map((g) => (
          <path
            key={`${g.axis} ${g.at}`}
            className="guide"
            d={g.axis === "x" ? `M${g.at} ${g.from}V${g.to}` : `M${g.from} ${g.at}H${g.to}`}
          />
        ))}
        {gaps.map((g) => {
          const mid = (g.from + g.to) / 2,
            text = String(Math.round(g.to - g.from)),
            w = (text.length * 7 + 8) * px;
          return (
            <g key={`${g.axis} ${g.from} ${g.to}`}>
              <path
                className="guide"
                d={
                  g.axis === "x"
                    ? `M${g.from} ${g.at - tick}v${2 * tick}m0 ${-tick}H${g.to}m0 ${-tick}v${2 * tick}`
                    : `M${g.at - tick} ${g.from}h${2 * tick}m${-tick} 0V${g.to}m${-tick} 0h${2 * tick}`
                }
              />
              {(g.to - g.from) / px > 28 && (
                <g transform={g.axis === "x" ? `translate(${mid} ${g.at})` : `translate(${g.at} ${mid})`}>
                  <rect className="guide-tag" x={-w / 2} y={-8 * px} width={w} height={16 * px} rx={3 * px} />
                  <text className="guide-text" fontSize={11 * px}>
                    {text}
                  </text>
                </g>
              )}
            </g>
          );
        })}
      </svg>
    </ViewportPortal>
  );
}
