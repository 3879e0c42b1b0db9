import { ViewportPortal } from "@xyflow/react";
import { memo } from "react";
import { linkKey, type Link } from "@/stores/planNeeds";
import type { PlanPicture } from "@/stores/planGraph";
import type { Critical } from "@/stores/planTime";
import { cx } from "@/ui";
import { chooseLink, useHands } from "./store";
import { pathOf } from "./view";

type Props = {
  picture: PlanPicture;
  links: readonly Link[];
  parts: readonly Link[];
  critical: Critical;
  chosen: string;
  fits?: ReadonlySet<string>;
  /** A line was chosen with the pointer. */ onOpen: (link: Link) => void;
};

/** The dependencies that are in view, each a line that can be chosen. */
export const Links = memo(function Links({ picture, links, parts, critical, chosen, fits, onOpen }: Props) {
  const picked = useHands((s) => s.link && linkKey(s.link));
  const press = (l: Link) => {
    chooseLink(l);
    onOpen(l);
  };
  return (
    <ViewportPortal>
      <svg className="plan-links" width={picture.width} height={picture.height} aria-hidden>
        <defs>
          {["", "strong", "near", "picked"].map((kind) => (
            <marker
              key={kind}
              id={`plan-arrow-${kind}`}
              viewBox="0 0 8 8"
              refX="7"
              refY="4"
              markerWidth="8"
              markerHeight="8"
              markerUnits="userSpaceOnUse"
              orient="auto"
            >
              <path d="M0 0L8 4L0 8Z" className={`plan-arrow ${kind && `is-${kind}`}`} />
            </marker>
          ))}
        </defs>
        {parts.map((l) => {
          const a = picture.places.get(l.from),
            b = picture.places.get(l.to);
          return a && b && <path key={linkKey(l)} className="plan-part" d={pathOf(a, b)} />;
        })}
        {links.map((l) => {
          const key = linkKey(l),
            a = picture.places.get(l.from),
            b = picture.places.get(l.to);
          if (!a || !b) return null;
          const d = pathOf(a, b),
            kind =
              key === picked
                ? "picked"
                : l.from === chosen || l.to === chosen
                  ? "near"
                  : critical.links.has(key)
                    ? "strong"
                    : "",
            dim = fits && !(fits.has(l.from) && fits.has(l.to));
          return (
            <g key={key} data-link={key} className={cx("plan-link", kind && `is-${kind}`, dim && "is-dim")}>
              <path d={d} markerEnd={`url(#plan-arrow-${kind})`} />
              <path
                d={d}
                className="plan-link-hit nopan"
                onClick={(e) => {
                  e.stopPropagation();
                  press(l);
                }}
              />
            </g>
          );
        })}
      </svg>
    </ViewportPortal>
  );
});
