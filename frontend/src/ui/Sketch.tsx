/** A team as a small picture that the hub drew: boxes in their colors and lines, nothing to read. Fills its place, whatever its shape. */
export function Sketch({ svg }: { svg: string }) {
  return (
    <span className="relative block h-full w-full">
      <img
        className="absolute inset-0 h-full w-full object-contain"
        alt=""
        draggable={false}
        src={`data:image/svg+xml,${encodeURIComponent(svg)}`}
      />
    </span>
  );
}
