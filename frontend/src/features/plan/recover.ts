import { attempt } from "@/stores/faults";
import { showPlan } from "@/stores/planPlace";
import { planLibrary } from "@/stores/plans";

/** Brings a deleted plan back and shows it. */
export const recoverPlan = (id: string) =>
  attempt("planDelete", async () => {
    await planLibrary.recover(id);
    showPlan(id);
  });
