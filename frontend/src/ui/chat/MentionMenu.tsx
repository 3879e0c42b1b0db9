import { useEffect, useRef } from "react";
import { Avatar } from "../Avatar";
import type { Mentionable } from "./mentions";

type Props = {
  id: string;
  label: string;
  list: readonly Mentionable[];
  active: number;
  onHover: (i: number) => void;
  onChoose: (m: Mentionable) => void;
};

/** Who can be mentioned, over the field that is being written in; the keys stay with the field. */
export function MentionMenu({ id, label, list, active, onHover, onChoose }: Props) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.children[active]?.scrollIntoView({ block: "nearest" });
  }, [active]);
  return (
    <div ref={box} id={id} role="listbox" aria-label={label} className="menu mentions">
      {list.map((m, i) => (
        <div
          key={m.name}
          id={`${id}-${i}`}
          role="option"
          aria-selected={i === active}
          className="trow"
          onMouseMove={() => {
            if (i !== active) onHover(i);
          }}
          onMouseDown={(e) => {
            e.preventDefault();
            onChoose(m);
          }}
        >
          <Avatar size="sm" initials={m.initials} color={m.color} />
          <b className="cut">{m.name}</b>
          {m.detail && <span className="mono cap cut">{m.detail}</span>}
          <span className="grow" />
          {m.state && <span className="cap">{m.state}</span>}
        </div>
      ))}
    </div>
  );
}
