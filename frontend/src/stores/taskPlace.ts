import { formatRoute, goTo, useRoute } from "./routes";

/** The task that the address names, or "". */
export const useShownTask = () => useRoute("tasks").params.task ?? "";

/** Shows a task; "" shows none. The address names it, so that it can be kept and sent. */
export const showTask = (task: string) => goTo("tasks", { task });

export const taskLink = (task: string) => `${location.origin}${location.pathname}${formatRoute("tasks", { task })}`;
