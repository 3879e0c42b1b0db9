import { Popover } from "radix-ui";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { KindGlyph } from "@/flow";
import { useTeam } from "@/stores/team";
import { freeKind, KINDS, refusal } from "@/topology";
import { composing, Kbd, keysOf } from "@/ui";
import { nameOf } from "./actions";
import { answerKind, kindOfKey, type Asking } from "./connecting";

/** Asks for the kind of a new connection: 1 2 3 or Enter, the first that is free; Escape or a click elsewhere: none. */
export function KindQuestion({ from, to, x, y, onClosed }: Asking & { onClosed: () => void }) {
  const { t } = useTranslation();
  const topology = useTeam((s) => s.topology);
  const usual = freeKind(topology, from, to);
  const box = useRef<HTMLDivElement>(null);
  // Dragging keeps the events of an agent to itself, so the popover doesn't take a click on one for a click elsewhere.
  useEffect(() => {
    const off = new AbortController();
    const elsewhere = (e: PointerEvent) => {
      if (!box.current?.contains(e.target as Node)) answerKind(null);
    };
    document.addEventListener("pointerdown", elsewhere, { signal: off.signal, capture: true });
    return () => off.abort();
  }, []);
  return (
    <Popover.Root
      open
      onOpenChange={(open) => {
        if (!open) answerKind(null);
      }}
    >
      <Popover.Anchor asChild>
        <span style={{ position: "fixed", left: x, top: y }} />
      </Popover.Anchor>
      <Popover.Portal>
        <Popover.Content
          ref={box}
          className="menu"
          side="bottom"
          align="start"
          sideOffset={8}
          collisionPadding={8}
          aria-label={t("gesture.chooseKind", { from: nameOf(from), to: nameOf(to) })}
          onEscapeKeyDown={(e) => {
            e.preventDefault();
            answerKind(null);
          }}
          onCloseAutoFocus={(e) => {
            e.preventDefault();
            onClosed();
          }}
          onKeyDown={(e) => {
            if (composing(e)) return;
            const kind = e.key !== "Enter" && kindOfKey(e.key, { from, to, x, y });
            if (kind) {
              e.preventDefault();
              answerKind(kind);
            }
            if (e.key === "ArrowDown" || e.key === "ArrowUp") {
              e.preventDefault();
              const items = [...e.currentTarget.querySelectorAll<HTMLButtonElement>("button:not(:disabled)")];
              const i = items.indexOf(document.activeElement as HTMLButtonElement);
              items[(i + (e.key === "ArrowDown" ? 1 : -1) + items.length) % items.length]?.focus();
            }
          }}
        >
          <div className="label">{t("gesture.chooseKind", { from: nameOf(from), to: nameOf(to) })}</div>
          {KINDS.map((kind, i) => (
            <button
              key={kind}
              type="button"
              className="trow"
              disabled={!!refusal(topology, { from, to, kind })}
              aria-disabled={!!refusal(topology, { from, to, kind })}
              autoFocus={kind === usual}
              onClick={() => answerKind(kind)}
            >
              <KindGlyph kind={kind} />
              <span>{t(`kind.${kind}`)}</span>
              <span className="cap grow">{t(`kind.${kind}Hint`)}</span>
              <Kbd keys={keysOf("kind", i)} />
            </button>
          ))}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
