import { useMemo, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ReadOnlyCanvas } from "@/flow";
import { useTeam } from "@/stores/team";
import { marksOf, withRemoved, type Change } from "@/topology";
import { placeOnCanvas } from "./changes";
import { leftOut } from "./picture";
import { useReview } from "./store";

type Props = {
  changes: readonly Change[];
  change?: Change;
  onThing: (thing: { agent?: string; connection?: string; everyone?: boolean }) => void;
  children?: ReactNode;
};

/** What would stand there, with every change marked and what goes struck through. */
export function ReviewCanvas({ changes, change, onThing, children }: Props) {
  const { t } = useTranslation();
  const drawn = useReview((s) => s.drawn),
    faces = useTeam((s) => s.faces);
  const out = useReview((s) => s.leaveOut);
  const picture = useMemo(
    () => (drawn ? withRemoved(drawn.after, drawn.before, changes) : { agents: [] }),
    [drawn, changes],
  );
  const marks = useMemo(() => marksOf(changes.filter((c) => !out.includes(c.id))), [changes, out]);
  const dim = useMemo(() => leftOut(changes, out), [changes, out]);
  const place = useMemo(() => placeOnCanvas(change), [change]);
  return (
    <ReadOnlyCanvas
      topology={picture}
      marks={marks}
      faces={faces}
      dim={dim}
      label={t("review.canvas")}
      chosen={place.chosen}
      reveal={place.agents}
      onAgent={(agent) => onThing({ agent })}
      onConnection={(connection) => onThing({ connection })}
      onEveryone={() => onThing({ everyone: true })}
    >
      {children}
    </ReadOnlyCanvas>
  );
}
