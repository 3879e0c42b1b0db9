import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { ReadOnlyCanvas } from "@/flow";
import { useTeam } from "@/stores/team";
import { marksOf, withRemoved, type Apply } from "@/topology";
import { ended } from "./applies";
import { Outcome } from "./Outcome";
import { ReviewFoot } from "./ReviewFoot";
import { Frame } from "./ReviewFrame";

/** An apply without its preview: one from before a reload, or from another window. */
export function RunningAlone({ apply }: { apply: Apply }) {
  const { t } = useTranslation();
  const topology = useTeam((s) => s.topology),
    base = useTeam((s) => s.base),
    changes = useTeam((s) => s.changes),
    faces = useTeam((s) => s.faces);
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
