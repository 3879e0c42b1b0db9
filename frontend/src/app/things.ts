import { BookTemplate, FileClock, ListTree, MessagesSquare } from "lucide-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { teamCommands, fileCommands, useTemplates } from "@/features/teams";
import type { PaletteThing } from "@/features/palette";
import { formatWhen } from "@/i18n/format";
import { attempt } from "@/stores/faults";
import { useRead } from "@/stores/read";
import { useRecentFiles } from "@/stores/recent";
import { useRooms } from "@/stores/rooms";
import { goTo } from "@/stores/routes";
import { showTask } from "@/stores/taskPlace";
import { taskActions } from "@/stores/tasks";
import type { TaskSummary } from "@/topology";

/** The newest tasks, read when the palette opens. Nobody waits for them. */
function useLatestTasks(): readonly TaskSummary[] {
  const { data } = useRead({ key: ["latest tasks"], read: () => taskActions.latest(lately) });
  return data ?? none;
}
const lately = 200;
const none: readonly TaskSummary[] = [];

/** What the palette finds besides the canvas and the commands: rooms, newest tasks, templates and last files. */
export function useThings(): readonly PaletteThing[] {
  const { t } = useTranslation();
  const { all: templates } = useTemplates();
  const files = useRecentFiles(),
    rooms = useRooms((s) => s.list),
    tasks = useLatestTasks();
  return useMemo(
    () => [
      ...rooms.map((r): PaletteThing => ({
        kind: "room",
        id: r.name,
        title: r.name,
        words: r.agents.map((a) => a.name).join(" "),
        icon: MessagesSquare,
        end: r.last && formatWhen(r.last.timestamp),
        run: () => goTo("rooms", { room: r.name }),
      })),
      ...tasks.map((x): PaletteThing => ({
        kind: "task",
        id: x.taskId,
        title: x.title,
        words: x.agent,
        icon: ListTree,
        end: formatWhen(x.createdAt),
        run: () => showTask(x.taskId),
      })),
      ...(templates ?? []).map((x): PaletteThing => ({
        kind: "template",
        id: x.id,
        title: x.name,
        words: x.description,
        icon: BookTemplate,
        end: t("counts.agents", { count: x.agents }),
        run: () => attempt("create", () => teamCommands.startTeam({ template: x.id })),
      })),
      ...files.map((f): PaletteThing => ({
        kind: "file",
        id: f.id,
        title: f.name,
        words: f.folder,
        icon: FileClock,
        end: formatWhen(f.at),
        run: () => fileCommands.openRecent(f),
      })),
    ],
    [rooms, tasks, templates, files, t],
  );
}
