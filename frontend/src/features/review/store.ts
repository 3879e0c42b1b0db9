import { create } from "zustand";
import { createJSONStorage, persist } from "zustand/middleware";
import { applyActions, interruptedOn } from "@/stores/applies";
import { useTeam } from "@/stores/team";
import { asApiError, attempt, type ApiError } from "@/stores/faults";
import { useHub } from "@/stores/hub";
import { keepRoute } from "@/stores/routes";
import { useUi } from "@/stores/ui";
import {
  wholeTeam,
  type Apply,
  type Choice,
  type Conflict,
  type Preview,
  type Topology,
  type TrustStanding,
} from "@/topology";
import { ended, failureOf } from "./applies";
import { groupChanges, inOrder } from "./changes";
import { tick, type Pulled } from "./choose";
import { hasKept, othersOf, rememberKept, suggestsReplace } from "./first";
import { saveConfig } from "./saveConfig";
import { choicesOf, decide, decideAll, stillValid, undecided, type Made } from "./conflicts";

/** What a person has chosen for an apply. */
type Chosen = {
  made: Made;
  /** Changes that the person keeps out of the apply; they stay drawn. */
  leaveOut: readonly string[];
  /** Whether the team replaces that of a gateway it was never on, or joins it; undefined while nobody chose. */
  replace?: boolean;
};

type Kept = Chosen & {
  /** The team of the review. */
  team: string;
  /** What was chosen for teams when another one was opened, by team. */
  others: Readonly<Record<string, Chosen>>;
  /** The apply that this window follows, running or ended and not yet put away. */
  watching?: string;
  /** The interrupted rollback that was put away. */
  seen?: string;
};

type Passing = {
  status: "none" | "loading" | "ready" | "failed";
  /** A newer preview is on its way; the one shown may be out of date. */
  refreshing: boolean;
  preview?: Preview;
  /** What the preview was made of: what would stand there, and what stands there now. */
  drawn?: { after: Topology; before?: Topology; base?: Topology };
  error?: ApiError;
  /** The change the list, the canvas and the text stand on. */
  shown?: string;
  /** The deletions that the person agreed to, as agreementOf names them. */
  agreed?: string;
  /** Agents that this apply also allows, each with the hash of what was shown. */
  allowing: Readonly<Record<string, string>>;
  /** The hub has not yet answered which apply or rollback it began. */
  sending: boolean;
  /** Parts of the review that broke, so that not everything of it was seen. */
  unseen: number;
  /** The hub would not start the apply. */
  refused?: ApiError;
  /** An undo that would delete agents waits for a yes. */
  asking?: { apply: Apply; agents: string[] };
  /** What moved while an apply was to start; said once above the new preview. */
  moved?: "gateway" | "team";
  /** The decisions before each of the last ones, the latest last. */
  undone: Made[];
  /** What the last tick pulled along. */
  pulled?: Pulled;
};

export type ReviewState = Kept & Passing;

export const fresh: Omit<Passing, "unseen"> = {
  status: "none",
  refreshing: false,
  sending: false,
  allowing: {},
  moved: undefined,
  pulled: undefined,
  undone: [],
  preview: undefined,
  drawn: undefined,
  error: undefined,
  shown: undefined,
  agreed: undefined,
  refused: undefined,
  asking: undefined,
};

const undecidedYet: Chosen = { made: {}, leaveOut: [], replace: undefined };

export const useReview = create<ReviewState>()(
  persist((): ReviewState => ({ ...fresh, unseen: 0, team: "", others: {}, ...undecidedYet }), {
    name: "agentflow.review",
    storage: createJSONStorage(() => sessionStorage),
    partialize: ({ team, made, leaveOut, replace, others, watching, seen }): Kept => ({
      team,
      made,
      leaveOut,
      replace,
      others,
      watching,
      seen,
    }),
  }),
);

const get = useReview.getState;
const set = (patch: Partial<ReviewState> | ((s: ReviewState) => Partial<ReviewState>)) => useReview.setState(patch);
let asked: AbortController | undefined, later: ReturnType<typeof setTimeout> | undefined;
/** What is being asked, or is to be asked soon, is out of date: it would end the refreshing too early, or begin it again. */
export const dropAsked = () => {
  clearTimeout(later);
  asked?.abort();
};

export const watchedApply = (): Apply | undefined => useHub.getState().applies[get().watching ?? ""];
export const conflictsOf = (p: Preview | undefined): readonly Conflict[] => p?.merge?.conflicts ?? [];
export const openConflicts = (s: Pick<ReviewState, "preview" | "made">) => undecided(s.made, conflictsOf(s.preview));

/**
 * Forgets what was shown of another team, and finds what was chosen for this one before. The change that the address
 * named when the page was loaded stays.
 */
export function begin(team: string): void {
  const { team: last, shown, sending, made, leaveOut, replace, others } = get();
  if (last !== team)
    set({
      ...fresh,
      sending,
      shown: last ? undefined : shown,
      team,
      ...undecidedYet,
      ...others[team],
      others: { ...others, [last]: { made, leaveOut, replace } },
      watching: undefined,
    });
}

/** Asks what an apply would do now. While a preview is shown it stays until the new one is there. */
export async function loadPreview(): Promise<void> {
  const team = useTeam.getState().id;
  if (!team || useTeam.getState().status !== "ready") return;
  dropAsked();
  const mine = (asked = new AbortController());
  begin(team);
  set((s) => ({ status: s.preview ? s.status : "loading", refreshing: true, error: undefined }));
  try {
    const preview = await previewOf(team, mine.signal);
    if (asked === mine && !mine.signal.aborted)
      set((s) => ({
        status: "ready",
        preview,
        drawn: drawnOf(preview),
        shown: stillShown(preview, s.shown),
        leaveOut: stillThere(s.leaveOut, preview),
        allowing: stillAsked(s.allowing, preview),
        refreshing: false,
        error: undefined,
      }));
  } catch (e) {
    if (asked === mine && !mine.signal.aborted)
      set({ status: "failed", preview: undefined, refreshing: false, error: asApiError(e) });
  }
}

const stillShown = (p: Preview, id: string | undefined) =>
  p.changes.some((c) => c.id === id) ? id : inOrder(groupChanges(p.changes))[0]?.id;

function drawnOf(p: Preview): ReviewState["drawn"] {
  const d = useTeam.getState();
  return p.merge
    ? {
        after: wholeTeam(p.merge.merged),
        before: wholeTeam(p.merge.theirs),
        base: wholeTeam(p.merge.replace ? p.merge.theirs : p.merge.base),
      }
    : { after: d.topology, before: d.base?.topology };
}

async function previewOf(team: string, signal: AbortSignal): Promise<Preview> {
  if (!(await useTeam.getState().flush())) throw useTeam.getState().save.error ?? new Error("not saved");
  const { made, replace: chosen } = get();
  const leaveOut = [...get().leaveOut];
  const ask = (by: Made, replace: boolean) =>
    applyActions.preview(team, { choices: choicesOf(by), leaveOut, replace }, signal);
  let replace = chosen ?? get().preview?.merge?.replace ?? false,
    preview = await ask(made, replace);
  const suggested = suggestsReplace(preview, useTeam.getState().topology) && !hasKept(team, preview.gateway);
  if (chosen === undefined && replace !== suggested && !signal.aborted) {
    replace = !replace;
    preview = await ask(made, replace);
  }
  const valid = stillValid(made, conflictsOf(preview));
  if (valid === made || signal.aborted) return preview;
  set({ made: valid });
  return ask(valid, replace);
}

/** Lets the gateway's agents join the team, or the team replace them. */
export function chooseReplace(on: boolean): void {
  set({ replace: on, agreed: undefined, pulled: undefined });
  rememberKept(get().team, get().preview?.gateway, !on);
  dropAsked();
  void loadPreview();
}

/** Follows an apply. What is ticked here was allowed with it only if it is this window's. */
export const watch = (id: string) =>
  set((s) => ({ watching: id, allowing: s.sending || s.watching === id ? s.allowing : {} }));

/** Opens the review: what runs or has just ended is shown first, else a new preview is asked for. */
export function enterReview(team: string): void {
  begin(team);
  const running = Object.values(useHub.getState().applies).find((a) => a.team === team && a.state === "running");
  const cut = interruptedOn(useHub.getState().applies, useTeam.getState().gateway);
  if (running) watch(running.id);
  else if (cut?.team === team && cut.id !== get().seen) watch(cut.id);
  else if (!watchedApply()) void loadPreview().then(toMergeIfOpen);
}

function toMergeIfOpen(): void {
  const ui = useUi.getState();
  // Where the team can replace the gateway's, that is chosen first: then there may be no conflicts.
  if (ui.screen === "review" && !get().watching && openConflicts(get()).length && !othersOf(get().preview).length)
    ui.go("merge");
}

/** Puts away an apply that has ended. An interrupted rollback is shown again on the next visit. */
export function leaveReview(): void {
  const { seen } = get();
  if (ended(watchedApply())) putAway();
  set({ seen });
}

/** Puts away what is shown, for good. */
export function putAway(): void {
  set({ ...fresh, seen: get().watching ?? get().seen, watching: undefined, ...undecidedYet });
}

/** Puts away an apply that failed and looks again. What was chosen for the review stays chosen. */
export function lookAgain(): void {
  set({ ...fresh, seen: get().watching ?? get().seen, watching: undefined });
  void loadPreview().then(toMergeIfOpen);
}

export const show = (id: string | undefined) => set({ shown: id });
/** Keeps the change that is shown in the address. */
export const followChange = () =>
  keepRoute("review", {
    read: () => ({ change: get().shown }),
    show: ({ change }) => show(change),
    follow: useReview.subscribe,
  });
/** Names exactly what is agreed to: other deletions, or the same from another base, need another yes. */
const agreementOf = (p: Preview) =>
  [p.baseHash, ...p.deletions.flatMap((d) => [d.agent, ...(d.jobs ?? [])])].join("\n");
export const hasAgreed = (s: ReviewState) => !!s.preview && s.agreed === agreementOf(s.preview);
export const agree = (on: boolean) => set((s) => ({ agreed: on && s.preview ? agreementOf(s.preview) : undefined }));

/** Agents of the team that wait until the owner allows them. */
export const waitingIn = (p: Preview | undefined): TrustStanding[] =>
  p?.trust.filter((a) => a.state !== "allowed") ?? [];

/** A yes holds for what was shown: an agent that asks for something else by now needs another. */
function stillAsked(allowing: ReviewState["allowing"], p: Preview): ReviewState["allowing"] {
  return Object.fromEntries(
    Object.entries(allowing).filter(([agent, hash]) =>
      waitingIn(p).some((a) => a.agent === agent && a.hash === hash && a.state !== "refused"),
    ),
  );
}

export const allow = ({ agent, hash }: Pick<TrustStanding, "agent" | "hash">, on: boolean) =>
  set((s) => {
    const { [agent]: _, ...rest } = s.allowing;
    return { allowing: on ? { ...rest, [agent]: hash } : rest };
  });

const soon = () => {
  dropAsked();
  set({ refreshing: true });
  later = setTimeout(() => void loadPreview(), 150);
};

/** Takes changes into the apply or keeps them out, with what they need or what needs them. */
export function include(ids: readonly string[], on: boolean): void {
  const { preview, leaveOut } = get();
  if (!preview) return;
  const next = tick(preview.changes, leaveOut, ids, on);
  set({ leaveOut: next.leaveOut, pulled: next.pulled });
  soon();
}

/** What the team no longer changes needs no choice. */
function stillThere(leaveOut: readonly string[], p: Preview): readonly string[] {
  const kept = leaveOut.filter((id) => p.changes.some((c) => c.id === id));
  return kept.length === leaveOut.length ? leaveOut : kept;
}

function take(next: (s: ReviewState) => Made): void {
  set((s) => {
    const made = next(s);
    return made === s.made ? s : { made, undone: [...s.undone.slice(-99), s.made] };
  });
  soon();
}

/** Takes the last decision back. */
export function undoDecision(): void {
  const { undone } = get(),
    before = undone.at(-1);
  if (!before) return;
  set({ made: before, undone: undone.slice(0, -1) });
  soon();
}

export function choose(c: Conflict, choice: Choice): void {
  take((s) => decide(s.made, c, choice));
}

export function chooseAll(choice: "mine" | "theirs"): void {
  take((s) => decideAll(s.made, conflictsOf(s.preview), choice));
}

/** Sends what the preview shows. Progress and end come by the stream. */
export async function sendApply(): Promise<void> {
  const { preview, team, made, leaveOut, sending, refreshing, allowing } = get();
  if (!preview || sending || refreshing || !mayApply(get())) return;
  if (preview.readOnly) {
    await attempt("saveConfig", () => saveConfig(preview));
    return;
  }
  set({ sending: true, refused: undefined, moved: undefined });
  try {
    const a = await applyActions.apply(team, {
      hash: preview.baseHash,
      seen: preview.seen,
      choices: choicesOf(made),
      leaveOut: [...leaveOut],
      replace: preview.merge?.replace ?? false,
      deleteAgents: preview.deletions.length > 0 && hasAgreed(get()),
      trust: Object.entries(allowing).map(([agent, hash]) => ({ agent, hash })),
    });
    set({ sending: false, watching: a.id });
  } catch (e) {
    const error = asApiError(e),
      why = failureOf(error);
    set({ sending: false });
    if (why === "stale" || why === "undecided") await meetMoved();
    else if (why === "changed") {
      set({ moved: "team" });
      await loadPreview();
    } else if (why === "problems") await loadPreview();
    else if (why === "running") enterReview(team);
    else if (why === "managed" || why === "unwritable") await loadPreview();
    else {
      set({ refused: error });
      if (error.reason === "trust_moved") await loadPreview();
    }
  }
}

/** A part of the review broke, or is shown again. Nothing is applied that was not seen. */
export const partBroke = (broken: boolean) => set((s) => ({ unseen: Math.max(0, s.unseen + (broken ? 1 : -1)) }));

/** The gateway has moved since the preview: looks again, and goes to the merge where there is something to decide. */
export async function meetMoved(): Promise<void> {
  set({ watching: undefined, moved: "gateway", refused: undefined });
  await loadPreview();
  toMergeIfOpen();
}

export function mayApply(s: ReviewState): boolean {
  const p = s.preview;
  if (!p || !(p.sends || p.stale)) return false;
  return (
    !s.unseen &&
    !openConflicts(s).length &&
    !p.problems.some((x) => x.severity === "error") &&
    p.deletions.every((d) => d.possible) &&
    (!p.deletions.length || hasAgreed(s))
  );
}
