import { Ellipsis } from "lucide-react";
import { useRef, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { composing, ContextMenu, cx, IconButton, Input, Menu, MenuAt, type MenuItem } from "@/ui";

export type CardProps = {
  id: string;
  name: string;
  picture: ReactNode;
  /** Lines below the name. */
  lines: ReactNode[];
  /** Beside the name: changes, "open". */
  mark?: ReactNode;
  current?: boolean;
  /** The one that Tab reaches; arrows go on from there. */
  first: boolean;
  items: MenuItem[];
  onOpen: () => void;
  onRename?: (name: string) => void;
  renaming: boolean;
  setRenaming: (on: boolean) => void;
  openLabel: string;
};

/** A team or template in the library: its picture and what there is to say about it. */
export function Card({
  id,
  name,
  picture,
  lines,
  mark,
  current,
  first,
  items,
  onOpen,
  onRename,
  renaming,
  setRenaming,
  openLabel,
}: CardProps) {
  const { t } = useTranslation();
  const opener = useRef<HTMLButtonElement>(null);
  return (
    <ContextMenu menu={(place) => <MenuAt {...place} items={items} label={t("library.actions", { name })} />}>
      <article
        className={cx(
          "group relative flex flex-col overflow-hidden rounded-[var(--r-3)] border bg-surface focus-within:border-line-control hover:border-line-control",
          current ? "border-accent-text" : "border-line-2",
        )}
        aria-label={name}
        data-card={id}
      >
        <button
          ref={opener}
          type="button"
          className="relative block aspect-[16/10] w-full flex-none border-0 border-b border-line bg-canvas outline-offset-[-3px]"
          aria-label={openLabel}
          tabIndex={first ? 0 : -1}
          onClick={onOpen}
        >
          <span className="absolute inset-3 block">{picture}</span>
        </button>
        <div className="col gap-0.5 px-3 py-2">
          <div className="row card-name min-h-6">
            {renaming ? (
              <NameField
                name={name}
                onEnd={(next, byKey) => {
                  setRenaming(false);
                  if (byKey) opener.current?.focus(); // the next key acts on this card
                  if (next) onRename?.(next);
                }}
              />
            ) : (
              <b className="cut grow text-14" title={name} onDoubleClick={() => onRename && setRenaming(true)}>
                {name}
              </b>
            )}
            {mark}
          </div>
          {lines.map((l, i) => (
            <div key={i} className="cap row min-h-5 min-w-0">
              {l}
            </div>
          ))}
        </div>
        <div className="absolute top-2 right-2 rounded-[var(--r-2)] border border-line-2 bg-raised opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 has-[[data-state=open]]:opacity-100 phone:opacity-100">
          <Menu
            align="end"
            items={items}
            trigger={
              <IconButton
                icon={Ellipsis}
                label={t("library.actions", { name })}
                tabIndex={-1}
                className="phone:h-11! phone:w-11!"
              />
            }
          />
        </div>
      </article>
    </ContextMenu>
  );
}

/** The name being typed, where it stands. Enter and leaving the field take it, Escape does not. */
function NameField({ name, onEnd }: { name: string; onEnd: (next: string | undefined, byKey: boolean) => void }) {
  const { t } = useTranslation();
  const [text, setText] = useState(name);
  const ended = useRef(false);
  const end = (take: boolean, last: string, byKey = false) => {
    if (ended.current) return;
    ended.current = true;
    const next = last.trim();
    onEnd(take && next && next !== name ? next : undefined, byKey);
  };
  return (
    <Input
      className="grow"
      size="sm"
      value={text}
      onText={setText}
      aria-label={t("teams.name")}
      maxLength={200}
      autoFocus
      onFocus={(e) => e.target.select()}
      onBlur={(e) => end(true, e.target.value)}
      onKeyDown={(e) => {
        e.stopPropagation();
        if (composing(e)) return;
        if (e.key !== "Enter" && e.key !== "Escape") return;
        e.preventDefault(); // the card gets the focus, and would take the key for its own
        if (e.key === "Enter") end(true, e.currentTarget.value, true);
        else end(false, name, true);
      }}
    />
  );
}
