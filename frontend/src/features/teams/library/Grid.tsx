import { useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import { composing, inField, takeShortcut } from "@/ui";

export type CardKeys = { rename?: () => void; remove?: () => void; copy?: () => void };

/** Cards in rows. Arrows, Home and End go from card to card; F2, Delete and Ctrl+D act on the one that has the focus. */
export function Grid<T extends { id: string }>({
  rows,
  label,
  actsOf,
  card,
}: {
  rows: readonly T[];
  label: string;
  actsOf: (row: T) => CardKeys;
  card: (row: T, first: boolean) => ReactNode;
}) {
  const ref = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState<string>();
  const first = rows.some((r) => r.id === at) ? at : rows[0]?.id;
  const focus = (id?: string) => {
    if (id) ref.current?.querySelector<HTMLElement>(`[data-card="${CSS.escape(id)}"] > button`)?.focus();
  };
  const columns = () => {
    const el = ref.current;
    return el ? getComputedStyle(el).gridTemplateColumns.split(" ").length : 1;
  };
  const onKeyDown = (e: KeyboardEvent) => {
    if (composing(e) || inField(e.target)) return;
    const i = rows.findIndex((r) => r.id === at),
      row = rows[i];
    if (!row) return;
    const step: Record<string, number> = {
      ArrowRight: 1,
      ArrowLeft: -1,
      ArrowDown: columns(),
      ArrowUp: -columns(),
      Home: -i,
      End: rows.length - 1 - i,
    };
    const by = step[e.key],
      { rename, copy, remove } = actsOf(row),
      offered = (act?: () => void) => () => (act ? act() : false);
    const taken = takeShortcut(
      "cards",
      {
        renameTeam: offered(rename),
        duplicateTeam: offered(copy),
        deleteTeam: offered(
          remove &&
            (() => {
              remove();
              focus((rows[i + 1] ?? rows[i - 1])?.id);
            }),
        ),
      },
      e.nativeEvent,
      { even: ["dialog"] },
    );
    if (!taken && by === undefined) return;
    if (!taken) focus(rows[i + by!]?.id);
    e.preventDefault();
    e.stopPropagation();
  };
  return (
    <div
      ref={ref}
      role="group"
      aria-label={label}
      className="grid gap-4 p-4 phone:gap-3 phone:p-3"
      style={{ gridTemplateColumns: "repeat(auto-fill, minmax(min(100%, 232px), 1fr))" }}
      onKeyDown={onKeyDown}
      onFocus={(e) => {
        const card = (e.target as HTMLElement).closest<HTMLElement>("[data-card]");
        if (card?.dataset.card) setAt(card.dataset.card);
      }}
    >
      {rows.map((r) => card(r, r.id === first))}
    </div>
  );
}
