import type { TFunction } from "i18next";
import {
  Activity,
  BookmarkPlus,
  Bot,
  ClipboardList,
  Copy,
  Cpu,
  Database,
  Download,
  File,
  FileArchive,
  FilePlus2,
  FileUp,
  GitCompare,
  Globe,
  Group,
  History,
  Image,
  Inbox,
  Info,
  Keyboard,
  Languages,
  LayoutGrid,
  ListTree,
  LifeBuoy,
  LockKeyhole,
  Map,
  Maximize,
  MessageSquare,
  MessagesSquare,
  Moon,
  MousePointerClick,
  Pencil,
  Plus,
  Redo2,
  Save,
  Scale,
  Server,
  Shield,
  ShieldAlert,
  Signpost,
  SlidersHorizontal,
  Sun,
  SunMoon,
  TriangleAlert,
  Undo2,
  Users,
  Ungroup,
  Waypoints,
  Workflow,
  XCircle,
  type LucideIcon,
} from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { canvasActions, canvasGroups } from "@/features/canvas";
import { teamCommands, fileCommands, openDialog, setRenaming } from "@/features/teams";
import { showGuide, startTour } from "@/features/firstrun";
import { giveTask, goToTasks } from "@/features/tasks";
import type { PaletteCommand } from "@/features/palette";
import { addProvider, editGateway, openSettings } from "@/features/settings";
import type { KeyIn } from "@/i18n/textKeys";
import { loadLanguage } from "@/i18n";
import { useReplaced } from "@/stores/drift";
import { useTeam } from "@/stores/team";
import { attempt } from "@/stores/faults";
import { askForRoom } from "@/stores/newRoom";
import { changeLook, type Look } from "@/stores/look";
import { chatWith } from "@/stores/talkPlace";
import { useUi } from "@/stores/ui";
import { keysOf, type ShortcutId } from "@/ui";

const settle = (patch: Partial<Look>) => () => changeLook(patch);
const go = (screen: string) => () => useUi.getState().go(screen);
/** A session with the chosen agent, at the gateway the team is for. */
const chat = () => {
  const [id] = useUi.getState().chosen.agents;
  if (id) chatWith(id);
};
/** A room of the chosen agents. */
const asRoom = () => askForRoom(useUi.getState().chosen.agents);
const onCanvas = (run: () => unknown) => () => {
  useUi.getState().go("canvas");
  return run();
};

/** A command is found by its name in the other language too, once those words are here. */
function useOtherWords(lng: "en" | "ja"): boolean {
  const [here, setHere] = useState<string>();
  useEffect(() => {
    let gone = false;
    void loadLanguage(lng).then(
      () => {
        if (!gone) setHere(lng);
      },
      () => undefined,
    );
    return () => {
      gone = true;
    };
  }, [lng]);
  return here === lng;
}

/** Synonyms by which a command is found. */
const also = (t: TFunction, id: string) => t(`palette.also.${id}`, { defaultValue: "" });

/** Everything the palette can run, in the order it is offered; what makes no sense now is left out. */
export function useCommands(): PaletteCommand[] {
  const { i18n } = useTranslation();
  const lng = i18n.language;
  const both = useOtherWords(lng === "ja" ? "en" : "ja");
  const ready = useTeam((s) => s.status === "ready"),
    canUndo = useTeam((s) => s.canUndo || s.save.state === "refused"),
    canRedo = useTeam((s) => s.canRedo),
    unsent = useTeam((s) => s.unsent > 0),
    replaced = useReplaced(),
    discards = useTeam((s) => s.unsent > 0 && s.base !== undefined);
  const any = useUi((s) => s.chosen.agents.length + s.chosen.notes.length + s.chosen.groups.length > 0),
    one = useUi((s) => s.chosen.agents.length === 1),
    someone = useUi((s) => s.chosen.agents.length > 0),
    groups = useUi((s) => s.chosen.groups.length > 0),
    several = useUi((s) => s.chosen.agents.length > 1 || s.chosen.groups.length > 0);
  return useMemo(() => {
    const t = i18n.getFixedT(lng),
      other = i18n.getFixedT(lng === "ja" ? "en" : "ja");
    const make = (
      id: KeyIn<"palette.do">,
      icon: LucideIcon,
      run: () => unknown,
      keys?: ShortcutId,
      when = true,
      off?: string,
    ): PaletteCommand[] =>
      when
        ? [
            {
              id,
              icon,
              run,
              off,
              keys: keys && keysOf(keys),
              label: t(`palette.do.${id}`),
              words: [also(t, id), ...(both ? [other(`palette.do.${id}`), also(other, id)] : [])].join(" "),
            },
          ]
        : [];
    return [
      ...make(
        "review",
        GitCompare,
        canvasActions.openReview,
        "review",
        ready,
        unsent || replaced ? undefined : t("palette.off.review"),
      ),
      ...make("undo", Undo2, () => canvasActions.undo(), "undo", ready && canUndo),
      ...make("redo", Redo2, () => canvasActions.redo(), "redo", ready && canRedo),
      ...make(
        "fit",
        Maximize,
        onCanvas(() => useUi.getState().revealAgents(useTeam.getState().topology.agents.map((a) => a.id))),
        "fit",
        ready,
      ),
      ...make(
        "layout",
        Workflow,
        onCanvas(() => canvasActions.layOut()),
        undefined,
        ready,
      ),
      ...make(
        "layoutChosen",
        Workflow,
        onCanvas(() => canvasActions.layOutChosen()),
        undefined,
        ready && several,
      ),
      ...make(
        "group",
        Group,
        onCanvas(() => canvasGroups.groupChosen()),
        "makeGroup",
        ready && any,
      ),
      ...make(
        "ungroup",
        Ungroup,
        onCanvas(() => canvasGroups.ungroupChosen()),
        "ungroup",
        ready && groups,
      ),
      ...make(
        "lock",
        LockKeyhole,
        onCanvas(() => canvasGroups.toggleLock()),
        "lock",
        ready && any,
      ),
      ...make(
        "everyone",
        Users,
        onCanvas(() => useUi.getState().choose({ everyone: true })),
        undefined,
        ready,
      ),
      ...make(
        "selectAll",
        MousePointerClick,
        onCanvas(() => canvasActions.selectAll()),
        "all",
        ready,
      ),
      ...make("discard", XCircle, () => canvasActions.discard(), undefined, ready && discards),
      ...make("new", FilePlus2, () => openDialog("new")),
      ...make("teams", LayoutGrid, go("teams")),
      ...make(
        "rename",
        Pencil,
        onCanvas(() => setRenaming(true)),
        undefined,
        ready,
      ),
      ...make("duplicate", Copy, () => teamCommands.duplicate(), undefined, ready),
      ...make("template", BookmarkPlus, () => openDialog("template"), undefined, ready),
      ...make("import", Download, () => openDialog("import")),
      ...make("openFile", File, () => teamCommands.openFile()),
      ...make("save", Save, () => fileCommands.saveFile(), "save", ready),
      ...make("saveFile", Save, () => fileCommands.saveFileAs(), "saveAs", ready),
      ...make("export", FileUp, () => openDialog("export"), undefined, ready),
      ...make("picture", Image, () => openDialog("picture"), undefined, ready),
      ...make("bundle", FileArchive, () => openDialog("bundle"), undefined, ready),
      ...make(
        "problems",
        TriangleAlert,
        onCanvas(() => useUi.getState().setPanel("canvas.bottom", { folded: false })),
        undefined,
        ready,
      ),
      ...make("newTask", ClipboardList, giveTask),
      ...make("tasks", ListTree, goToTasks),
      ...make("canvas", Waypoints, go("canvas")),
      ...make("chat", MessageSquare, chat, undefined, ready && one),
      ...make("sessions", MessageSquare, go("sessions")),
      ...make("asRoom", MessagesSquare, asRoom, undefined, ready && someone),
      ...make("rooms", MessagesSquare, go("rooms")),
      ...make("inbox", Inbox, go("inbox")),
      ...make("history", History, go("history")),
      ...make("settings", SlidersHorizontal, () => openSettings()),
      ...make("addGateway", Plus, () => editGateway()),
      ...make("addProvider", Plus, addProvider),
      ...make("gateways", Server, () => openSettings("gateways")),
      ...make("models", Cpu, () => openSettings("models")),
      ...make("agents", Bot, () => openSettings("agents")),
      ...make("calls", Activity, () => openSettings("calls")),
      ...make("trust", ShieldAlert, () => openSettings("trust")),
      ...make("security", Shield, () => openSettings("security")),
      ...make("look", Globe, () => openSettings("look")),
      ...make("shortcuts", Keyboard, () => openSettings("keys")),
      ...make("data", Database, () => openSettings("data")),
      ...make("keys", Keyboard, () => useUi.getState().toggle("cheatSheet", true), "cheatSheet"),
      ...make("about", Info, () => openSettings("about")),
      ...make("licences", Scale, () => openSettings("licences")),
      ...make("light", Sun, settle({ theme: "light" })),
      ...make("dark", Moon, settle({ theme: "dark" })),
      ...make("system", SunMoon, settle({ theme: "auto" })),
      ...make("english", Languages, settle({ language: "en" }), undefined, lng !== "en"),
      ...make("japanese", Languages, settle({ language: "ja" }), undefined, lng !== "ja"),
      ...make(
        "minimap",
        Map,
        onCanvas(() => useUi.getState().toggle("minimap")),
      ),
      ...make(
        "legend",
        Waypoints,
        onCanvas(() => useUi.getState().toggle("legend")),
      ),
      ...make("guide", LifeBuoy, () => attempt("settings", showGuide)),
      ...make("tour", Signpost, startTour, undefined, ready),
    ];
  }, [i18n, lng, both, ready, canUndo, canRedo, unsent, replaced, discards, any, one, someone, groups, several]);
}
