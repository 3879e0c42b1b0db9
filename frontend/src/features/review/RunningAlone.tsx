import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { ReadOnlyCanvas } from "@/flow";
import { useDrawing } from "@/stores/drawing";
import { marksOf, withRemoved, type Apply } from "@/topology";
import { ended } from "./applies";
import { Outcome } from "./Outcome";
import { ReviewFoot } from "./ReviewFoot";
import { Frame } from "./ReviewFrame";

/** An apply without its preview: one from before a reload, or from another window. */
export function RunningAlone({ apply }: { apply: Apply }) {
  const { t } = useTranslation();
  const topology = useDrawing((s) => s.topology),
    base = useDrawing((s) => s.base),
    changes = useDrawing((s) => s.changes),
    faces = useDrawing((s) => s.faces);
  const picture = useMemo(() => withRemoved(topology, base?.topology, changes), [topology, base, changes]);
  const marks = useMemo(() => marksOf(changes), [changes]);
  return (
    <Frame>
      <div className="body">
        <ReadOnlyCanvas topology={picture} marks={marks} faces={faces} label={t("review.canvas")} />
      </div>
      {ended(apply) && <Outcome apply={apply} teams={{ after: topology, before: base?.topology }} />}
      <ReviewFoot apply={apply} />
    </Frame>
  );
}
