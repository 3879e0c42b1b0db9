import type { Topology } from "@/topology";

const nodeW = 180, nodeH = 70, pad = 40;

/** A team as a small picture: boxes in their colours and lines, nothing to read. */
export function Sketch({ topology }: { topology: Topology }) {
  const at = (id: string) => topology.layout?.[id] ?? { x: 0, y: 0 };
  const ids = topology.agents.map((a) => a.id);
  if (!ids.length) return null;
  const xs = ids.map((id) => at(id).x), ys = ids.map((id) => at(id).y);
  const x = Math.min(...xs) - pad, y = Math.min(...ys) - pad, w = Math.max(...xs) + nodeW + pad - x, h = Math.max(...ys) + nodeH + pad - y;
  const middle = (id: string) => ({ x: at(id).x + nodeW / 2, y: at(id).y + nodeH / 2 });
  return (
    <svg viewBox={`${x} ${y} ${w} ${h}`} className="h-full w-full" aria-hidden preserveAspectRatio="xMidYMid meet">
      {topology.agents.flatMap((a) => (a.connections ?? []).map((c) => {
        const p = middle(a.id), q = middle(c.targetId);
        return <line key={`${a.id}>${c.targetId}>${c.type}`} x1={p.x} y1={p.y} x2={q.x} y2={q.y} stroke="var(--text-3)" strokeWidth="1" vectorEffect="non-scaling-stroke" strokeDasharray={c.type === "command" ? undefined : "3 2"} />;
      }))}
      {topology.agents.map((a, i) => <rect key={a.id} x={at(a.id).x} y={at(a.id).y} width={nodeW} height={nodeH} rx="12" fill={`var(--id-${(i % 12) + 1})`} />)}
    </svg>
  );
}
