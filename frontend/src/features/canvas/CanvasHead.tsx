import { Redo2, Undo2, Waypoints, Workflow } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useShallow } from "zustand/react/shallow";
import { gatewayName } from "@/i18n/gateway";
import { stepText } from "@/i18n/step";
import { useTeam, useTarget } from "@/stores/team";
import { Chip, ColorSquare, IconButton, keysOf, ScreenHead, useMedia } from "@/ui";
import { layOut, redo, undo } from "./actions";
import { SavedState } from "./SavedState";

export type HeadSlots = {
  /** The team's name as a menu; without it the name alone stands there. */
  menu?: ReactNode;
  /** Right end: the palette's button. */
  end?: ReactNode;
};

export function CanvasHead({ menu, end }: HeadSlots) {
  const { t } = useTranslation();
  const { name, gateway, canUndo, canRedo, undoLabel, redoLabel, busy, status, saved } = useTeam(
    useShallow((s) => ({
      name: s.name,
      gateway: s.gateway,
      canUndo: s.canUndo,
      canRedo: s.canRedo,
      undoLabel: s.save.state === "refused" ? s.save.label : s.undoLabel,
      redoLabel: s.redoLabel,
      busy: s.busy,
      status: s.status,
      saved: s.save.state === "saved",
    })),
  );
  const target = useTarget();
  const phone = useMedia("(max-width: 639px)");
  const ready = status === "ready";
  const withStep = (word: string, label?: string) => (label ? `${word}: ${stepText(t, label)}` : word);
  return (
    <ScreenHead>
      {menu ?? (
        <h1 className="row">
          <Waypoints size={16} aria-hidden />
          <span className="cut">{name}</span>
        </h1>
      )}
      {gateway && !phone && (
        <Chip>
          <ColorSquare color={target?.color ?? 1} />
          {gatewayName(t, gateway)}
        </Chip>
      )}
      {ready && !phone && <SavedState />}
      <span className="grow" />
      {phone ? (
        <span className="badge">{t("canvas.viewOnly")}</span>
      ) : (
        <>
          <span className="row" data-tour="undo">
            <IconButton
              icon={Undo2}
              label={withStep(t("canvas.undo"), undoLabel)}
              keys={keysOf("undo")}
              disabled={!ready || !!busy || (!canUndo && saved)}
              onClick={() => void undo()}
            />
            <IconButton
              icon={Redo2}
              label={withStep(t("canvas.redo"), redoLabel)}
              keys={keysOf("redo")}
              disabled={!ready || !!busy || !canRedo}
              onClick={() => void redo()}
            />
          </span>
          <IconButton
            icon={Workflow}
            label={t("canvas.layOut")}
            disabled={!ready || !!busy}
            onClick={() => void layOut()}
          />
        </>
      )}
      {end}
    </ScreenHead>
  );
}
