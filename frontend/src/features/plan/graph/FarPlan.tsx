import { useStore } from "@xyflow/react";
import { useEffect, useRef } from "react";
import { linkKey } from "@/stores/planNeeds";
import type { Standing } from "@/stores/planTree";
import { boxH, boxW, type PlanPicture } from "@/stores/planGraph";
import type { Critical } from "@/stores/planTime";
import { farBelow } from "./view";

const fills: Record<Standing, string> = {
  todo: "--line-control",
  running: "--running",
  held: "--waiting-mark",
  failed: "--failed",
  done: "--done",
};

type Props = { picture: PlanPicture; critical: Critical; chosen: string; blocker?: string; fits?: ReadonlySet<string> };

/** The plan seen from far, painted: thousands of elements would be too slow to move. */
export function FarPlan({ picture, critical, chosen, blocker, fits }: Props) {
  const ref = useRef<HTMLCanvasElement>(null),
    theme = useRef("");
  const colors = useRef(new Map<string, string>());
  const [x, y, zoom] = useStore((s) => s.transform),
    width = useStore((s) => s.width),
    height = useStore((s) => s.height),
    far = zoom < farBelow;
  useEffect(() => {
    const el = ref.current,
      g = el?.getContext("2d");
    if (!el || !g || !far) return;
    const scale = devicePixelRatio,
      w = Math.round(width * scale),
      h = Math.round(height * scale),
      now = document.documentElement.dataset.theme ?? "";
    if (el.width !== w || el.height !== h) Object.assign(el, { width: w, height: h });
    if (theme.current !== now) {
      theme.current = now;
      colors.current.clear();
    }
    const color = (token: string) => {
      let c = colors.current.get(token);
      if (!c) colors.current.set(token, (c = getComputedStyle(el).getPropertyValue(token)));
      return c;
    };
    g.setTransform(scale, 0, 0, scale, 0, 0);
    g.clearRect(0, 0, width, height);
    g.lineWidth = 1;
    for (const f of picture.frames) {
      g.fillStyle = color("--surface");
      g.strokeStyle = color("--line-2");
      g.fillRect(x + f.x * zoom, y + f.y * zoom, f.width * zoom, f.height * zoom);
      g.strokeRect(x + f.x * zoom, y + f.y * zoom, f.width * zoom, f.height * zoom);
    }
    for (const strong of [false, true]) {
      g.strokeStyle = color(strong ? "--accent-text" : "--line-control");
      g.lineWidth = strong ? 2 : 1;
      g.beginPath();
      for (const l of picture.links) {
        const a = picture.places.get(l.from),
          b = picture.places.get(l.to);
        if (!a || !b || critical.links.has(linkKey(l)) !== strong) continue;
        const x1 = x + (a.x + boxW) * zoom,
          y1 = y + (a.y + boxH / 2) * zoom,
          x2 = x + b.x * zoom,
          y2 = y + (b.y + boxH / 2) * zoom;
        if (Math.max(x1, x2) < 0 || Math.min(x1, x2) > width || Math.max(y1, y2) < 0 || Math.min(y1, y2) > height)
          continue;
        g.moveTo(x1, y1);
        g.lineTo(x2, y2);
      }
      g.stroke();
    }
    for (const item of picture.shown) {
      const at = picture.places.get(item.id);
      if (!at) continue;
      const px = x + at.x * zoom,
        py = y + at.y * zoom,
        pw = Math.max(2, boxW * zoom),
        ph = Math.max(2, boxH * zoom);
      if (px > width || py > height || px + pw < 0 || py + ph < 0) continue;
      g.globalAlpha = fits && !fits.has(item.id) ? 0.2 : 1;
      g.fillStyle = color(item.id === blocker ? "--waiting-mark" : fills[item.standing]);
      g.fillRect(px, py, pw, ph);
      if (item.id !== chosen) continue;
      g.strokeStyle = color("--accent-text");
      g.lineWidth = 3;
      g.strokeRect(px - 2, py - 2, pw + 4, ph + 4);
    }
    g.globalAlpha = 1;
  });
  return <canvas ref={ref} className="plan-far" hidden={!far} aria-hidden />;
}
