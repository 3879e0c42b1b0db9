import { ChevronDown, Spline } from "lucide-react";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { KindGlyph, type LineKind } from "@/flow";
import { useTeam } from "@/stores/team";
import { useUi } from "@/stores/ui";
import { drawnKind, KINDS } from "@/topology";
import { IconButton } from "@/ui";
import { useLane } from "./lane";

/** What each line means; folds into one button and stays so. */
export const Legend = memo(function Legend() {
  const { t } = useTranslation();
  const open = useUi((s) => s.legend),
    toggle = useUi((s) => s.toggle);
  const unknown = useTeam((s) =>
    s.topology.agents.some((a) => a.connections?.some((c) => drawnKind(c.type) === "unknown")),
  );
  const routes = useLane((s) => s.lane.edges.length > 0);
  const kinds: LineKind[] = [
    ...KINDS,
    ...(unknown ? (["unknown"] as const) : []),
    ...(routes ? (["route"] as const) : []),
  ];
  if (!open) {
    return (
      <div className="float legend-seat" style={{ right: 12, bottom: 114 }}>
        <IconButton
          icon={Spline}
          size="sm"
          side="left"
          label={t("canvas.legendShow")}
          onClick={() => toggle("legend", true)}
        />
      </div>
    );
  }
  return (
    <div
      className="float legend-seat legend col min-w-38 items-stretch! gap-[3px]! px-2.5! py-1.5!"
      style={{ right: 12, bottom: 114 }}
      role="group"
      aria-label={t("canvas.legend")}
    >
      {kinds.map((k, i) => (
        <span key={k} className="row cap">
          <KindGlyph kind={k} />
          <span className="grow">{t(`kind.${k}`)}</span>
          {i === 0 && (
            <IconButton
              icon={ChevronDown}
              size="sm"
              side="left"
              label={t("canvas.legendFold")}
              className="-my-1 -mr-1.5 h-5! w-5!"
              onClick={() => toggle("legend", false)}
            />
          )}
        </span>
      ))}
    </div>
  );
});
