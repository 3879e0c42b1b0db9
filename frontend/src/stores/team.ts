import { create, type StoreApi, type UseBoundStore } from "zustand";
import { ApiError, asApiError } from "../api/error";
import { hub as realHub } from "../api/hub";
import {
  assignFaces,
  facesAfter,
  noFaces,
  share,
  type AppliedStep,
  type Base,
  type Change,
  type Collision,
  type Faces,
  type Team,
  type Imported,
  type Problem,
  type Saved,
  type Topology,
} from "../topology";
import { withFollowed } from "../topology/followed";
import { useHub } from "./hub";
import { inTurns } from "./inTurns";
import { forgetLastWords, keepLastWords, takeLastWords } from "./lastWords";
import { SaveQueue, typingPause, type SaveStatus } from "./saveQueue";
import { Trail, type Way } from "./trail";
import { kept } from "./teamState";
import { endTyping } from "./typing";

export type EditOptions = {
  /** Edits with the same key, close together, become one undo step: "agent:lead:name". */
  coalesce?: string;
  /** Still typing: wait for a pause before saving. */
  typing?: boolean;
};

export type TeamData = {
  status: "none" | "loading" | "ready" | "failed" | "gone";
  error?: ApiError;
  id: string;
  name: string;
  gateway: string;
  /** The draft, with everything done here, saved or not. */
  topology: Topology;
  base?: Base;
  /** Ids that agents of the target gateway have, as far as it is known. */
  takenIds?: readonly string[];
  changes: Change[];
  unsent: number;
  /** Positions in `changes` of what an apply wouldn't send. */
  staying: readonly number[];
  problems: Problem[];
  canUndo: boolean;
  canRedo: boolean;
  undoLabel?: string;
  redoLabel?: string;
  /** Undo or redo would pass a step that reached a gateway. */
  undoApply?: AppliedStep;
  redoApply?: AppliedStep;
  /** What windows changed differently at once; the later stands. */
  collisions: Collision[];
  /** The version that this window saved last. */
  own?: string;
  updatedAt: string;
  faces: Faces;
  save: SaveStatus;
  /** A command of the hub under way. */
  busy?: string;
  /** The last edit made here, as the history will name it; typing in a field is none. */
  lastEdit?: { label: string };
};

export type TeamActions = {
  open: (id: string) => Promise<void>;
  /** Changes the draft at once and saves it soon. `label` is "key" or "key|param" for the history. */
  edit: (label: string, change: (t: Topology) => Topology, options?: EditOptions) => void;
  /** True when the hub has everything. */
  flush: () => Promise<boolean>;
  undo: () => Promise<void>;
  redo: () => Promise<void>;
  layout: (only?: string[]) => Promise<void>;
  discard: () => Promise<void>;
  rename: (name: string) => Promise<void>;
  setGateway: (gateway: string) => Promise<void>;
  restore: (versionId: string) => Promise<void>;
  importGateway: (gateway?: string) => Promise<Imported>;
  importFile: (file: { text: string; filename: string }) => Promise<Imported>;
  /** Takes back the edit that the hub refused. Returns the labels of later edits that can't be made without it. */
  takeBack: () => Promise<string[]>;
  /** Reads the team again; what is unsaved stays. */
  reload: () => Promise<void>;
  close: () => void;
};

export type TeamStore = TeamData & TeamActions;
export type TeamHub = Pick<
  typeof realHub,
  | "team"
  | "saveTeam"
  | "undo"
  | "redo"
  | "layout"
  | "discard"
  | "patchTeam"
  | "restoreVersion"
  | "importGateway"
  | "importFile"
>;

const emptyTopology: Topology = { agents: [] };
const blank: TeamData = {
  status: "none",
  id: "",
  name: "",
  gateway: "",
  topology: emptyTopology,
  changes: [],
  collisions: [],
  unsent: 0,
  staying: [],
  problems: [],
  canUndo: false,
  canRedo: false,
  updatedAt: "",
  faces: noFaces,
  save: { state: "saved" },
};

export function createTeam(hub: TeamHub): UseBoundStore<StoreApi<TeamStore>> {
  let queue: SaveQueue | undefined,
    trail = new Trail();
  let lane: Promise<unknown> = Promise.resolve();
  let missedHead: string | undefined;

  return create<TeamStore>()((set, get) => {
    const onSaved = (r: Saved, last: boolean, sent: { topology: Topology; on: string }) => {
      const merged = r.topology && share(sent.topology, r.topology);
      const shown = last && merged && (queue?.over(merged) ?? merged);
      if (merged) trail.at(r.state.head, merged);
      else trail.grew(sent.on, r.state.head, withFollowed(sent.topology, sent.topology, r.followed));
      set((s) => {
        const topology = shown ? share(s.topology, shown) : withFollowed(s.topology, sent.topology, r.followed);
        return { ...kept(s, r.state), own: r.state.head, topology, faces: assignFaces(s.faces, topology.agents) };
      });
      if (last && missedHead && missedHead !== r.state.head) void get().reload();
      if (last) {
        missedHead = undefined;
        forgetLastWords(r.state.id);
      }
    };

    /** Takes a whole team from the hub; what is unsaved here stays on top and is merged by the next save. */
    const adopt = (d: Team) => {
      if (get().id !== d.id) return;
      const unsaved = queue?.pending,
        read = share(get().topology, d.topology);
      if (!unsaved) queue?.stand(d.head, d.revision, read);
      const shown = queue?.over(read) ?? read;
      trail.at(d.head, read);
      set((s) => {
        const topology = unsaved ? s.topology : shown;
        return {
          ...kept(s, d),
          base: share(s.base, d.base),
          takenIds: d.takenIds,
          topology,
          faces: assignFaces(s.faces, topology.agents),
          status: "ready",
          error: undefined,
        };
      });
    };

    const notSaved = () => get().save.error ?? new ApiError({ code: "UNREACHABLE", message: "not saved" }, 0);
    /** Does one thing after the other. What it shows before it waits comes with the same picture as that it is under way. */
    const inLane = <T>(name: string, act: (id: string) => Promise<T>): Promise<T> => {
      const run = async () => {
        set({ busy: name });
        try {
          return await act(get().id);
        } finally {
          set({ busy: undefined });
        }
      };
      const result = lane.then(run, run);
      lane = result.catch(() => undefined);
      return result;
    };
    /** Runs one command of the hub after everything before it, edits included. */
    const command = <T>(name: string, call: (id: string) => Promise<T>, take: (r: T) => Team): Promise<T> =>
      inLane(name, async (id) => {
        if (queue && !queue.settled && !(await get().flush()) && queue.pending) throw notSaved();
        const r = await call(id);
        adopt(await inTurns(get(), take(r)));
        return r;
      });
    const show = (topology: Topology) =>
      set((s) => ({ topology, faces: facesAfter(s.faces, s.topology.agents, topology.agents) }));

    /** Goes a step back or forth. Where this page knows where that leads it shows it at once, also while the step is still being saved; what the hub answers counts. */
    const travel = (way: Way, call: (id: string) => Promise<Team>) =>
      inLane(way, async (id) => {
        const q = queue,
          was = get().topology,
          waits = !!q && !q.settled,
          early = way === "undo" ? q?.before : undefined,
          release = q?.hold();
        let stands: string | undefined, had: Topology | undefined;
        if (early) show(early);
        try {
          if (waits && !(await q.drain())) throw notSaved();
          if (q?.refuses && way === "undo" && get().id === id) {
            show(q.takeBack("last").topology);
            return;
          }
          if (get().id === id && !get()[way === "undo" ? "canUndo" : "canRedo"]) {
            if (early && !q?.drawn) show(was);
            return; // it was asked for twice while the only step was on its way
          }
          const from = q?.head ?? "",
            to = early || q?.drawn ? undefined : trail.next(way, from);
          stands = early ? q?.stoodOn : to?.head;
          const leads = early ?? to?.topology;
          if (q && leads) [had, q.clean] = [q.clean, leads];
          if (to) show(q?.over(to.topology) ?? to.topology);
          const d = await call(id);
          trail.went(way, from, d.head);
          adopt(await inTurns(get(), d));
        } catch (e) {
          if ((early ?? stands) !== undefined && get().id === id && !q?.drawn) {
            show(was);
            if (q && had) q.clean = had;
          }
          throw e;
        } finally {
          // What was drawn meanwhile stands on what was shown.
          if (stands !== undefined && q?.drawn) [q.head, q.revision] = [stands, 0];
          release?.();
        }
      });
    const simple = (name: string, call: (id: string) => Promise<Team>) =>
      command(name, call, (d) => d).then(() => undefined);

    return {
      ...blank,
      open: async (id) => {
        if (get().id === id && get().status === "ready") return;
        const before = queue;
        if (before?.unsaved && !(await before.flush())) throw notSaved();
        before?.close();
        trail = new Trail();
        set({ ...blank, id, status: "loading" });
        try {
          const d = await hub.team(id);
          if (get().id !== id) return;
          queue = new SaveQueue({
            save: (body, keep) => hub.saveTeam(id, body, keep),
            onSaved,
            onStatus: (next) => {
              const s = get(),
                save = s.save.error === next.error ? share(s.save, next) : next; // an error's message can't be compared
              if (s.id === id && save !== s.save) set({ save });
            },
            keep: (body) => keepLastWords(id, body),
          });
          adopt(d);
          const left = takeLastWords(id);
          if (left) {
            queue.resume(left, d.topology);
            show(left.topology);
          }
        } catch (e) {
          const error = asApiError(e);
          if (get().id === id) set({ status: error.status === 404 ? "gone" : "failed", error });
        }
      },
      edit: (label, change, { coalesce, typing } = {}) => {
        const s = get();
        if (s.status !== "ready" || !queue) return;
        const topology = change(s.topology);
        if (topology === s.topology) return;
        set({
          topology,
          faces: facesAfter(s.faces, s.topology.agents, topology.agents),
          ...(typing && !label.startsWith("edit.move") ? {} : { lastEdit: { label } }),
        });
        queue.push(topology, s.topology, label, coalesce, typing ? typingPause : 0);
      },
      flush: () => queue?.flush() ?? Promise.resolve(true),
      undo: () => travel("undo", hub.undo),
      redo: () => travel("redo", hub.redo),
      layout: (only) => simple(only ? "layoutChosen" : "layout", (id) => hub.layout(id, only)),
      discard: () =>
        simple("discard", async (id) => {
          const d = await hub.discard(id);
          queue?.forgetRefused();
          return d;
        }),
      rename: (name) => simple("rename", (id) => hub.patchTeam(id, { name })),
      setGateway: (gateway) => simple("gateway", (id) => hub.patchTeam(id, { gateway })),
      restore: (vid) => simple("restore", (id) => hub.restoreVersion(id, vid)),
      importGateway: (gateway) =>
        command(
          "import",
          (id) => hub.importGateway(id, gateway),
          (r) => r.team,
        ),
      importFile: (file) =>
        command(
          "import",
          (id) => hub.importFile(id, file),
          (r) => r.team,
        ),
      takeBack: () =>
        inLane("takeBack", async (id) => {
          await queue?.quiet();
          if (!queue?.refuses || get().id !== id) return [];
          const { topology, lost } = queue.takeBack("cause");
          show(topology);
          return lost;
        }),
      reload: async () => {
        const id = get().id;
        if (!id) return;
        try {
          adopt(await hub.team(id));
        } catch (e) {
          const error = asApiError(e);
          if (error.status !== 404 || get().id !== id) return;
          endTyping(); // a name that is only half typed is part of the team that can be saved
          set({ status: "gone", error });
        }
      },
      close: () => {
        queue?.close();
        queue = undefined;
        set({ ...blank });
      },
      // used by teamNews.ts; not for features
      ...{
        _missed: (head: string) => {
          missedHead = head;
        },
        _pending: () => !!queue?.pending,
        _unsaved: () => !!queue?.unsaved,
        _head: () => queue?.head ?? "",
        _farewell: () => queue?.farewell(),
      },
    };
  });
}

export const useTeam = createTeam(realHub);

/** The gateway this team goes to, with its present state. */
export function useTarget() {
  const name = useTeam((s) => s.gateway);
  return useHub((s) => s.gateways.find((g) => g.name === name));
}
