import { useReactFlow, useStore } from "@xyflow/react";
import { Maximize, Minus, Plus } from "lucide-react";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { IconButton, keysOf, lasting } from "../ui";

/** Clear of the tools on the left, and of the zoom and the changes at the bottom. */
const clear = { top: 0.1, right: 0.1, bottom: "72px", left: "60px" } as const;
/** Of a large team most nodes are hidden while it is seen from far. */
export const fitOptions = () => ({ padding: clear, maxZoom: 1, includeHiddenNodes: true, duration: lasting(160) });

/** Zoom out, 1:1, zoom in, and all of it; `onFit` where React Flow does not hold all of it. */
export const ZoomControl = memo(function ZoomControl({ onFit }: { onFit?: () => void }) {
  const { t } = useTranslation();
  const { zoomIn, zoomOut, fitView, zoomTo } = useReactFlow();
  const percent = useStore((s) => Math.round(s.transform[2] * 100));
  return (
    <div className="float" style={{ left: 8, bottom: 12 }} role="group" aria-label={t("canvas.zoom")}>
      <IconButton
        icon={Minus}
        size="sm"
        side="top"
        label={t("canvas.zoomOut")}
        keys={keysOf("zoomOut")}
        onClick={() => void zoomOut({ duration: lasting(160) })}
      />
      <button
        type="button"
        className="num cap w-9 text-center"
        aria-label={`${t("canvas.zoom")} ${percent}%`}
        onClick={() => void zoomTo(1, { duration: lasting(160) })}
      >
        {percent}%
      </button>
      <IconButton
        icon={Plus}
        size="sm"
        side="top"
        label={t("canvas.zoomIn")}
        keys={keysOf("zoomIn")}
        onClick={() => void zoomIn({ duration: lasting(160) })}
      />
      <IconButton
        icon={Maximize}
        size="sm"
        side="top"
        label={t("canvas.fit")}
        keys={keysOf("fit")}
        onClick={() => (onFit ? onFit() : void fitView(fitOptions()))}
      />
    </div>
  );
});
