import {
  History,
  Inbox,
  ListTree,
  MessageSquare,
  MessagesSquare,
  SlidersHorizontal,
  Waypoints,
  type LucideIcon,
} from "lucide-react";
import type { ReactNode } from "react";
import { teamCommands } from "@/features/teams";
import { startTour } from "@/features/firstrun";
import { openSettings } from "@/features/settings";
import type { KeyIn } from "@/i18n/textKeys";
import type { RouteScreen } from "@/stores/routes";
import { useUi } from "@/stores/ui";
import { CanvasPage } from "./CanvasPage";
import { later } from "./later";

export type Screen = {
  id: RouteScreen;
  label: `screen.${KeyIn<"screen">}`;
  /** Screens with an icon stand in the rail and the phone's tab bar; others are reached from a screen. */
  icon?: LucideIcon;
  /** At the bottom of the rail. */
  foot?: boolean;
  /** The rail item to highlight while this screen is open, if the screen has no rail item. */
  under?: string;
  render: () => ReactNode;
};

// The canvas comes with the page; the other screens are fetched after it.
const ReviewScreen = later(() => import("@/features/review/ReviewScreen").then((m) => m.ReviewScreen));
const MergeScreen = later(() => import("@/features/review/MergeScreen").then((m) => m.MergeScreen));
const DriftScreen = later(() => import("@/features/drift/DriftScreen").then((m) => m.DriftScreen));
const LibraryScreen = later(() => import("@/features/teams/library/LibraryScreen").then((m) => m.LibraryScreen));
const InboxScreen = later(() => import("@/features/inbox/InboxScreen").then((m) => m.InboxScreen));
const HistoryScreen = later(() => import("@/features/history/HistoryScreen").then((m) => m.HistoryScreen));
const RoomsScreen = later(() => import("@/features/rooms/RoomsScreen").then((m) => m.RoomsScreen));
const SessionsScreen = later(() => import("@/features/sessions/SessionsScreen").then((m) => m.SessionsScreen));
const TasksScreen = later(() => import("@/features/tasks/TasksScreen").then((m) => m.TasksScreen));
const PlanScreen = later(() => import("@/features/plan/PlanScreen").then((m) => m.PlanScreen));
const WorkSwitch = later(() => import("./WorkSwitch").then((m) => m.WorkSwitch));
const SettingsScreen = later(() => import("@/features/settings/SettingsScreen").then((m) => m.SettingsScreen));

/** Shows two agents between which a connection is missing. */
const showMissing = (from: string, to: string) => {
  const ui = useUi.getState();
  ui.go("canvas");
  ui.choose({ agents: [from, to] });
  ui.revealAgents([from, to]);
};

/** Every screen there is. A new one is a row here; the address is #/<id>. */
export const screens: readonly Screen[] = [
  { id: "canvas", label: "screen.canvas", icon: Waypoints, render: () => <CanvasPage /> },
  { id: "sessions", label: "screen.sessions", icon: MessageSquare, render: () => <SessionsScreen /> },
  { id: "rooms", label: "screen.rooms", icon: MessagesSquare, render: () => <RoomsScreen /> },
  { id: "review", label: "screen.review", under: "canvas", render: () => <ReviewScreen /> },
  { id: "merge", label: "screen.merge", under: "canvas", render: () => <MergeScreen /> },
  { id: "drift", label: "screen.drift", under: "canvas", render: () => <DriftScreen /> },
  { id: "teams", label: "screen.teams", under: "canvas", render: () => <LibraryScreen /> },
  {
    id: "tasks",
    label: "screen.tasks",
    icon: ListTree,
    render: () => <TasksScreen onConnect={showMissing} lead={<WorkSwitch at="tasks" />} />,
  },
  {
    id: "plan",
    label: "screen.plan",
    under: "tasks",
    render: () => <PlanScreen lead={<WorkSwitch at="plan" />} onModels={() => openSettings("models")} />,
  },
  { id: "inbox", label: "screen.inbox", icon: Inbox, render: () => <InboxScreen /> },
  { id: "history", label: "screen.history", icon: History, foot: true, render: () => <HistoryScreen /> },
  {
    id: "settings",
    label: "screen.settings",
    icon: SlidersHorizontal,
    foot: true,
    render: () => <SettingsScreen onImport={teamCommands.importNow} onTour={startTour} />,
  },
];
