import { memo, Suspense, type RefObject } from "react";
import { fetched } from "@/stores/fetched";
import { KeysAhead } from "@/ui";
import { focusOnly } from "./goTo";
import { answerKind, kindOfKey, useConnecting } from "./connecting";

const KindQuestion = fetched(() => import("./KindQuestion").then((m) => m.KindQuestion));

/** Asks for the kind of a connection whose ends are both known. */
export const KindPicker = memo(function KindPicker({ area }: { area: RefObject<HTMLElement | null> }) {
  const asking = useConnecting((s) => s.asking);
  if (!asking) return null;
  const ahead = (e: KeyboardEvent) => {
    const kind = e.key === "Escape" ? null : kindOfKey(e.key, asking);
    if (kind !== undefined) answerKind(kind);
  };
  return (
    <Suspense fallback={<KeysAhead onKey={ahead} />}>
      <KindQuestion
        {...asking}
        onClosed={() => {
          if (document.activeElement === document.body) focusOnly(area.current, asking.from);
        }}
      />
    </Suspense>
  );
});
