import { askForTask } from "@/stores/taskDraft";
import { showTask } from "@/stores/taskPlace";
import { useUi } from "@/stores/ui";

/** Goes to the composer, ready to write. */
export function giveTask(): void {
  askForTask();
  showTask("");
}

/** Goes to the tasks as they were left. */
export const goToTasks = () => useUi.getState().go("tasks");
