import { asApiError, type ApiError } from "../api/error";
import type { Saved, SaveRequest, Topology } from "../topology";
import { freshId } from "../topology/freshId";
import { withFollowed } from "../topology/followed";
import { replay } from "../topology/replay";
import { fitsLastWords } from "./lastWords";
import { RefusedEdits, type Edit } from "./refusedEdits";

export type SaveStatus = {
  state: "saved" | "waiting" | "saving" | "offline" | "refused";
  error?: ApiError;
  /** The label of the edit that was refused last. */
  label?: string;
};

/** Whether the hub is there, and only its disk has no space. */
export const diskFull = (s: SaveStatus) => s.error?.details.reason === "disk_full";

type Step = Edit & {
  /** The hub may join it to the step before. */ joined?: boolean;
  due: number;
  sent?: boolean;
  /** It is only what was refused, once more. */
  again?: boolean;
};

/** Typing in one field that becomes one undo step, and the key by which the hub knows its saves. */
type Typed = { field: string; key: string; since: number; last: number };

/** A pause of typing that ends an undo step, and how much of it one undo takes back at most. */
const pauseOfStep = 2_000;
const longestStep = 15_000;

/** The step to which more typing in a field belongs. The hub only knows when a save arrives, so the page decides it. */
function typedOn(step: Typed | undefined, field: string): Typed {
  const now = Date.now();
  if (step?.field === field && now - step.last < pauseOfStep && now - step.since < longestStep)
    return { ...step, last: now };
  return { field, key: freshId(8), since: now, last: now };
}

export type QueueDeps = {
  save: (body: SaveRequest, keepalive?: boolean) => Promise<Saved>;
  /** A save came back: what was sent, and on which version it stood. `last` says that nothing of ours is outstanding. */
  onSaved: (r: Saved, last: boolean, sent: { topology: Topology; on: string }) => void;
  onStatus: (s: SaveStatus) => void;
  /** Keeps an edit that the page can no longer send. */
  keep?: (body: SaveRequest) => void;
};

export const typingPause = 200;
const firstRetry = 500;
const longestRetry = 8_000;
/** How many characters of a label the hub takes. */
const longestLabel = 400;

/**
 * Sends the edits of one team, one undo step a request, in order, one at a time. What cannot be
 * sent stays and is tried again; nothing is dropped. `head` is the version the topologies stand on. Once the
 * hub has merged a step with somebody else's, those behind it stand on that step as it was sent, so that the
 * hub merges what each of them changed.
 *
 * A step that the hub refuses no longer waits here: it lies in a layer over what is saved, and the steps behind it are
 * sent without it. One that changes something of a refused edit is sent together with all of them: it may mend them.
 */
export class SaveQueue {
  head = "";
  /** Of `head`, as it was seen: an edit of another window may have joined it since. 0: not known. */
  revision = 0;
  /** The team at `head`, without the refused edits. */
  clean: Topology = { agents: [] };
  private readonly refused = new RefusedEdits();
  /** The version on which the refused edits were tried last. */
  private triedOn = "";
  /** The last step that was sent, if the hub merged it and the page has not taken over what came of it. */
  private merged: Topology | undefined;
  private steps: Step[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private retry = firstRetry;
  private running: Promise<void> | undefined;
  private closed = false;
  private held: Promise<void> | undefined;
  /** While the queue is held, so many steps may still be sent. */
  private gate: number | undefined;
  private typed: Typed | undefined;
  /** The version on which the step stood that was saved last. */
  private stood = "";
  private readonly deps: QueueDeps;

  constructor(deps: QueueDeps) {
    this.deps = deps;
  }

  get pending(): boolean {
    return this.steps.length > 0;
  }

  /** The hub hasn't taken everything: something waits, or was refused. */
  get unsaved(): boolean {
    return this.pending || this.refuses;
  }

  /** Edits were refused and are still shown. */
  get refuses(): boolean {
    return this.refused.some;
  }

  /** The hub has everything and is asked for nothing: a flush would have nothing to do. */
  get settled(): boolean {
    return !this.pending && !this.running && !this.held;
  }

  /** The team as it was before the last step, where that is still on its way. */
  get before(): Topology | undefined {
    const last = this.steps.at(-1);
    return last?.joined || this.refuses ? undefined : last?.was;
  }

  /** The version to which the hub goes back when it undoes what was saved last. */
  get stoodOn(): string {
    return this.stood;
  }

  /** Whether something was drawn since the queue was held. */
  get drawn(): boolean {
    return this.gate !== undefined && this.steps.length > this.gate;
  }

  /** The page shows this version of the hub. */
  stand(head: string, revision: number, topology: Topology): void {
    this.head = head;
    this.revision = revision;
    this.clean = topology;
    this.merged = undefined;
  }

  /** A version of the hub as the page shows it: with the refused edits on top. */
  over(topology: Topology): Topology {
    return this.refused.over(topology);
  }

  push(topology: Topology, was: Topology, of: string, coalesce?: string, pause = 0): void {
    const label = Array.from(of).slice(0, longestLabel).join(""), // two names can be longer
      due = Date.now() + pause,
      last = this.steps.at(-1),
      before = this.typed?.key,
      at = this.placed(was, topology);
    this.typed = coalesce === undefined ? undefined : typedOn(this.typed, coalesce);
    const key = this.typed?.key,
      joined = key !== undefined && key === before;
    const joins = joined && last?.coalesce === key && !last.sent && (this.gate === undefined || this.drawn);
    if (joins && (last.whole || !at.whole)) Object.assign(last, { topology: at.topology, label, due });
    else this.steps.push({ ...at, joined, label, coalesce: key, due });
    if (!this.running) this.tell({ state: "waiting" });
    void this.pump();
  }

  /** Where an edit of what is shown goes: among the steps without the refused edits, if it isn't about those. */
  private placed(was: Topology, topology: Topology): Pick<Step, "was" | "topology" | "whole"> {
    if (!this.refuses || this.steps.some((s) => s.whole)) return { was, topology };
    const tip = this.tip,
      made = replay(was, topology, tip);
    return made.touched ? { was, topology, whole: true } : { was: tip, topology: made.topology };
  }

  /** The team after the steps that don't stand on refused edits. */
  private get tip(): Topology {
    const first = this.steps.findIndex((s) => s.whole);
    return (first < 0 ? this.steps.at(-1) : this.steps[first - 1])?.topology ?? this.clean;
  }

  /** Sends what waits, now, and what was refused if there is hope. True when the hub has everything. */
  async flush(): Promise<boolean> {
    await this.held;
    for (const s of this.steps) s.due = 0;
    await this.pump();
    const hope = this.refused.last?.error.code !== "VALIDATION_ERROR" || this.triedOn !== this.head,
      again = hope && !this.pending && !this.held ? this.again() : undefined;
    if (again) this.steps.push(again);
    await this.pump();
    return !this.unsaved;
  }

  /** All that was refused as one step. */
  private again(): Step | undefined {
    const { last } = this.refused;
    const { label, coalesce } = last ?? {};
    if (label === undefined) return undefined;
    return { was: this.clean, topology: this.over(this.clean), label, coalesce, due: 0, whole: true, again: true };
  }

  /**
   * Takes back a refused edit: the very last one, or the one that the others depend on. Returns what is shown then, and
   * the labels of edits that can't be made without it.
   */
  takeBack(which: "last" | "cause"): { topology: Topology; lost: string[] } {
    const first = this.steps.findIndex((s) => s.whole),
      later = first < 0 ? [] : this.steps.splice(first).filter((s) => !s.again),
      { topology, free, lost } = this.refused.takeBack(which, this.tip, later);
    for (const { was, topology, label, coalesce, whole } of free)
      this.steps.push({ was, topology, label, coalesce, whole, joined: coalesce !== undefined, due: 0 });
    this.typed = undefined;
    if (!this.pending) this.tell({ state: "saved" });
    else if (!this.running) this.tell({ state: "waiting" });
    void this.pump();
    return { topology, lost };
  }

  /** The team was replaced: what was refused is gone with it. */
  forgetRefused(): void {
    this.refused.clear();
    if (!this.pending) this.tell({ state: "saved" });
  }

  /** Waits until nothing is on its way. What can't be sent now waits here. */
  async quiet(): Promise<void> {
    while (this.running) await this.running;
  }

  /** What is drawn from now on is sent once the function that it returns is called: the hub is moving to another version. */
  hold(): () => void {
    let release: () => void = () => undefined;
    this.gate = this.steps.length;
    this.held = new Promise((done) => {
      release = () => {
        const waits = !!this.gate; // what could not be sent before has its own time
        this.held = this.gate = undefined;
        done();
        if (!waits) void this.pump();
      };
    });
    return release;
  }

  /** Sends what was drawn before the queue was held, now. True when the hub has all of that. */
  async drain(): Promise<boolean> {
    for (const s of this.steps.slice(0, this.gate)) s.due = 0;
    await this.pump();
    return !this.gate;
  }

  /** The last words of a page that goes away; the answer is not awaited. What is too large to be sent then is kept. */
  farewell(): void {
    const last = this.steps.at(-1) ?? this.again();
    if (!last) return;
    const body = this.request(last);
    if (!fitsLastWords(body)) this.deps.keep?.(body);
    else if (!last.sent) this.deps.save(body, true).catch(() => undefined);
  }

  /** Sends an edit of an earlier page, which stood on an older version: the hub merges it. */
  resume(left: SaveRequest, was: Topology): void {
    this.stand(left.head, left.revision ?? 0, was);
    this.merged = left.before;
    this.push(left.topology, was, left.label, left.coalesce);
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
  }

  /** There is a step that may be sent. */
  private get open(): boolean {
    return this.pending && !this.closed && this.gate !== 0;
  }

  private done(): void {
    this.steps.shift();
    if (this.gate) this.gate--;
  }

  private pump(): Promise<void> {
    if (this.running) return this.running;
    clearTimeout(this.timer);
    if (!this.open) return Promise.resolve();
    const rest = this.rest();
    if (rest > 0) {
      this.wait(rest);
      return Promise.resolve();
    }
    let again: number | undefined;
    this.running = this.send()
      .then((wait) => {
        again = wait;
      })
      .finally(() => {
        this.running = undefined;
        if (!this.open) return;
        if (again) this.wait(again);
        else void this.pump();
      });
    return this.running;
  }

  /** How long the first step still waits for more typing; only the newest does. */
  private rest(): number {
    const [step, more] = this.steps;
    return step && !more ? step.due - Date.now() : 0;
  }

  private wait(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.pump(), ms);
  }

  /** Sends until nothing is due. Returns when to try again: 0 at once. */
  private async send(): Promise<number> {
    for (let step = this.steps[0]; step && this.open && this.rest() <= 0; step = this.steps[0]) {
      const wait = await this.sendOne(step);
      if (wait !== 0) return wait;
    }
    return 0;
  }

  private async sendOne(step: Step): Promise<number> {
    step.sent = true;
    this.tell({ state: "saving" });
    let r: Saved;
    try {
      r = await this.deps.save(this.request(step));
    } catch (e) {
      return this.failed(step, asApiError(e));
    }
    this.retry = firstRetry;
    this.done();
    if (step.whole) this.refused.clear();
    for (const s of this.steps) {
      s.topology = withFollowed(s.topology, step.topology, r.followed);
      s.was = withFollowed(s.was, step.topology, r.followed);
    }
    if (this.closed) return 0;
    const last = !this.pending,
      on = this.head;
    this.stood = on;
    const followed = withFollowed(step.topology, step.topology, r.followed);
    this.stand(r.state.head, r.state.revision, (last && r.topology) || followed);
    if (r.topology && !last) this.merged = step.topology;
    this.deps.onSaved(r, last, { topology: step.topology, on });
    if (last) this.tell({ state: "saved" });
    return 0;
  }

  private request(step: Step): SaveRequest {
    return {
      topology: step.topology,
      head: this.head,
      revision: this.revision || undefined,
      before: this.merged,
      label: step.label,
      coalesce: step.coalesce,
    };
  }

  private failed(step: Step, error: ApiError): number {
    step.sent = false;
    if (error.temporary || error.status === 401) {
      this.deps.onStatus({ state: "offline", error });
      const wait = this.retry;
      this.retry = Math.min(wait * 2, longestRetry);
      return wait;
    }
    this.done();
    if (step.again) this.refused.refusedAgain(error);
    else this.refused.add(step, error);
    this.triedOn = this.head;
    this.goOnWithout();
    this.tell({ state: "waiting" });
    return 0;
  }

  /** Puts the steps on what is saved, up to one that is about an edit that was refused. That one may mend it. */
  private goOnWithout(): void {
    let on = this.clean;
    for (const s of this.steps) {
      if (s.whole) return;
      const made = replay(s.was, s.topology, on);
      if (made.touched) {
        s.whole = true;
        return;
      }
      Object.assign(s, { was: on, topology: made.topology });
      on = made.topology;
    }
  }

  /** Says how it stands. As long as an edit is refused, that is what there is to say. */
  private tell(status: SaveStatus): void {
    const { last } = this.refused;
    this.deps.onStatus(last ? { state: "refused", error: last.error, label: last.label } : status);
  }
}
