import { Suspense, useState } from "react";
import { useHub } from "@/stores/hub";
import { Boundary } from "@/ui";
import { later } from "./later";

const AlarmBanner = later(() => import("@/features/history/AlarmBanner").then((m) => m.AlarmBanner));

/** The alarms of gateways, above every screen. The banner stays after the last one, to show how a restore ends. */
export function Alarms() {
  const some = useHub((s) => s.gateways.some((g) => g.alarm));
  const [ever, setEver] = useState(some);
  if (some && !ever) setEver(true);
  return ever ? (
    <Boundary>
      <Suspense>
        <AlarmBanner />
      </Suspense>
    </Boundary>
  ) : null;
}
