import { goTo, useRoute } from "./routes";

/** The plan that the address names, or "". */
export const useShownPlan = () => useRoute("plan").params.plan ?? "";

/** Shows a plan; "" shows where one is created. */
export const showPlan = (plan: string) => goTo("plan", { plan });
