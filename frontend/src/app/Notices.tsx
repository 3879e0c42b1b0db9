import { Suspense } from "react";
import { Boundary } from "@/ui";
import { later, useLater } from "./later";

const NoticeList = later(() => import("./NoticeList").then((m) => m.NoticeList));

/** What stands above every screen, once the team is painted. */
export function Notices() {
  return useLater() ? (
    <Boundary>
      <Suspense>
        <NoticeList />
      </Suspense>
    </Boundary>
  ) : null;
}
