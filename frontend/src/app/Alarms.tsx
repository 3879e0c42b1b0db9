import { Suspense } from "react";
import { Boundary } from "@/ui";
import { later, useLater } from "./later";

const Notices = later(() => import("./Notices").then((m) => m.Notices));

/** What stands above every screen, once the team is painted. */
export function Alarms() {
  return useLater() ? (
    <Boundary>
      <Suspense>
        <Notices />
      </Suspense>
    </Boundary>
  ) : null;
}
