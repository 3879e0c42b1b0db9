/** A small picture of a team, made by the hub: boxes in their colors and lines, without text. It fills its parent. */
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
