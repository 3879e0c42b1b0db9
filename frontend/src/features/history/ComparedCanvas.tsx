import { ChevronLeft } from "lucide-react";
import { useMemo, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ReadOnlyCanvas } from "@/flow";
import { countOps, ops } from "@/i18n/counts";
import { useTeam } from "@/stores/team";
import { marksOf, noMarks, withRemoved, type Change, type Topology } from "@/topology";
import { IconButton } from "@/ui";

const signs = { added: "+", removed: "−", changed: "~", moved: "↔" } as const;
const marks = { added: "add", removed: "del", changed: "chg", moved: "mov" } as const;

type Props = {
  /** B, and what it changed since A; without A there is nothing to mark. */
  shown: { a?: Topology; b: Topology; changes: Change[] };
  label: string;
  /** Said where nothing differs. */ same: string;
  phone: boolean;
  onBack?: () => void;
  children?: ReactNode;
};

/** B on the canvas, marked with what differs from A. */
export function ComparedCanvas({ shown, label, same, phone, onBack, children }: Props) {
  const { t } = useTranslation();
  const faces = useTeam((s) => s.faces);
  const picture = useMemo(
    () => ({
      topology: withRemoved(shown.b, shown.a, shown.changes),
      marks: shown.a ? marksOf(shown.changes) : noMarks,
      counts: countOps(shown.changes),
    }),
    [shown],
  );
  return (
    <ReadOnlyCanvas topology={picture.topology} marks={picture.marks} faces={faces} label={label}>
      {onBack && (
        <IconButton
          icon={ChevronLeft}
          label={t("history.backToList")}
          className="float absolute! top-3 left-2"
          onClick={onBack}
        />
      )}
      {shown.a && (
        <div
          className={phone ? "float flex-wrap" : "float"}
          style={{ left: phone ? 60 : 12, top: 12, padding: "5px 10px", columnGap: 12 }}
          role="status"
        >
          {shown.changes.length === 0 && <span className="cap">{same}</span>}
          {ops
            .filter((op) => picture.counts[op] > 0)
            .map((op) => (
              <span key={op} className="row cap">
                <b className={`mark mark--${marks[op]} mark--in`} translate="no" aria-hidden>
                  {signs[op]}
                </b>
                {t(`counts.${op}`, { count: picture.counts[op] })}
              </span>
            ))}
        </div>
      )}
      {children}
    </ReadOnlyCanvas>
  );
}
