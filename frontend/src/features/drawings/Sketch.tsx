/** A team as a small picture that the hub drew: boxes in their colours and lines, nothing to read. */
export function Sketch({ svg }: { svg: string }) {
  return <img className="h-full w-full object-contain" alt="" draggable={false} src={`data:image/svg+xml,${encodeURIComponent(svg)}`} />;
}
