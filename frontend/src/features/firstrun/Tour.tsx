import { X } from "lucide-react";
import { useCallback, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useUi } from "@/stores/ui";
import { Button, Coach, IconButton } from "@/ui";
import { goTo, leaveTour, skipTour, stops, targetOf, useTour } from "./tour";

/** The tour over the real canvas: what to do where. It ends where the person leaves the canvas. */
export function Tour() {
  const { t } = useTranslation();
  const at = useTour((s) => s.at),
    screen = useUi((s) => s.screen);
  const stop = at === undefined ? undefined : stops[at];
  const target = useCallback(() => (stop ? targetOf(stop) : null), [stop]);
  useEffect(() => {
    if (screen !== "canvas") leaveTour();
  }, [screen]);
  if (at === undefined || !stop || screen !== "canvas") return null;
  const last = at === stops.length - 1;
  const count = t("firstrun.tour.count", { n: at + 1, of: stops.length });
  return (
    <Coach
      target={target}
      step={stop.id}
      onLeave={leaveTour}
      label={`${t("firstrun.tour.title")}, ${count}: ${t(`firstrun.tour.${stop.id}.title`)}`}
    >
      <div className="row">
        <h2 className="grow">{t(`firstrun.tour.${stop.id}.title`)}</h2>
        <span className="cap num">{count}</span>
        <IconButton icon={X} size="sm" label={t("firstrun.tour.leave")} onClick={leaveTour} />
      </div>
      <p className="t2 mt-1 mb-3">{t(`firstrun.tour.${stop.id}.text`)}</p>
      <div className="row">
        {!last && (
          <Button size="sm" tone="quiet" onClick={skipTour}>
            {t("firstrun.tour.skip")}
          </Button>
        )}
        <span className="grow" />
        {at > 0 && (
          <Button size="sm" onClick={() => goTo(at - 1)}>
            {t("firstrun.tour.back")}
          </Button>
        )}
        <Button size="sm" tone="main" onClick={() => goTo(at + 1)}>
          {t(last ? "firstrun.tour.done" : "firstrun.tour.next")}
        </Button>
      </div>
    </Coach>
  );
}
