import { Suspense } from "react";
import { fetched } from "@/stores/fetched";
import { useConnecting } from "./connecting";

const KindQuestion = fetched(() => import("./KindQuestion").then((m) => m.KindQuestion));

/** Asks for the kind of a connection whose ends are both known. */
export function KindPicker() {
  const asking = useConnecting((s) => s.asking);
  return asking && <Suspense><KindQuestion {...asking} /></Suspense>;
}
