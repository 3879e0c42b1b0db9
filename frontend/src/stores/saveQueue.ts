import { asApiError, type ApiError } from "../api/error";
import type { Saved, SaveRequest, Topology } from "../topology";
import { freshId } from "../topology/freshId";
import { withFollowed } from "../topology/followed";
import { fitsLastWords } from "./lastWords";

export type SaveStatus = {
  state: "saved" | "waiting" | "saving" | "offline" | "refused";
  at?: number;
  error?: ApiError;
};

/** Whether the hub is there, and only its disk has no space. */
export const diskFull = (s: SaveStatus) => s.error?.details.reason === "disk_full";

type Step = {
  topology: Topology;
  /** What it changed, unless the hub may join it to the step before. */ before?: Topology;
  label: string;
  coalesce?: string;
  due: number;
  sent?: boolean;
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
const never = -1;
/** How many characters of a label the hub takes. */
const longestLabel = 400;

/**
 * Sends the edits of one team, one undo step a request, in order, one at a time. What cannot be
 * sent stays and is tried again; nothing is dropped. `head` is the version the topologies stand on. Once the
 * hub has merged a step with somebody else's, those behind it stand on that step as it was sent, so that the
 * hub merges what each of them changed.
 */
export class SaveQueue {
  head = "";
  /** Of `head`, as it was seen: an edit of another window may have joined it since. 0: not known. */
  revision = 0;
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

  /** The hub has everything and is asked for nothing: a flush would have nothing to do. */
  get settled(): boolean {
    return !this.pending && !this.running && !this.held;
  }

  /** The team as it was before the last step, where that is still on its way. */
  get before(): Topology | undefined {
    return this.steps.at(-1)?.before;
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
  stand(head: string, revision: number): void {
    this.head = head;
    this.revision = revision;
    this.merged = undefined;
  }

  push(topology: Topology, was: Topology, of: string, coalesce?: string, pause = 0): void {
    const label = Array.from(of).slice(0, longestLabel).join(""), // two names can be longer
      due = Date.now() + pause,
      last = this.steps.at(-1),
      before = this.typed?.key;
    this.typed = coalesce === undefined ? undefined : typedOn(this.typed, coalesce);
    const key = this.typed?.key,
      joined = key !== undefined && key === before;
    if (joined && last?.coalesce === key && !last.sent && (this.gate === undefined || this.drawn))
      Object.assign(last, { topology, label, due });
    else this.steps.push({ topology, before: joined ? undefined : was, label, coalesce: key, due });
    if (!this.running) this.deps.onStatus({ state: "waiting" });
    void this.pump();
  }

  /** Sends what waits, now. True when the hub has everything. */
  async flush(): Promise<boolean> {
    await this.held;
    for (const s of this.steps) s.due = 0;
    await this.pump();
    return !this.pending;
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
    const last = this.steps.at(-1);
    if (!last) return;
    const body = this.request(last);
    if (!fitsLastWords(body)) this.deps.keep?.(body);
    else if (!last.sent) this.deps.save(body, true).catch(() => undefined);
  }

  /** Sends an edit of an earlier page, which stood on an older version: the hub merges it. */
  resume(left: SaveRequest, was: Topology): void {
    this.stand(left.head, left.revision ?? 0);
    this.merged = left.before;
    this.push(left.topology, was, left.label, left.coalesce);
  }

  /** Forgets what the hub refused, for taking the edit back. */
  drop(): void {
    this.steps = this.steps.filter((s) => s.sent);
    this.typed = undefined;
    clearTimeout(this.timer);
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
        if (!this.open || again === never) return;
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

  /** Sends until nothing is due. Returns when to try again: 0 at once, `never` after a refusal. */
  private async send(): Promise<number> {
    for (let step = this.steps[0]; step && this.open && this.rest() <= 0; step = this.steps[0]) {
      const wait = await this.sendOne(step);
      if (wait !== 0) return wait;
    }
    return 0;
  }

  private async sendOne(step: Step): Promise<number> {
    step.sent = true;
    this.deps.onStatus({ state: "saving" });
    let r: Saved;
    try {
      r = await this.deps.save(this.request(step));
    } catch (e) {
      return this.failed(step, asApiError(e));
    }
    this.retry = firstRetry;
    this.done();
    for (const s of this.steps) {
      s.topology = withFollowed(s.topology, step.topology, r.followed);
      s.before &&= withFollowed(s.before, step.topology, r.followed);
    }
    if (this.closed) return 0;
    const last = !this.pending,
      on = this.head;
    this.stood = on;
    this.stand(r.state.head, r.state.revision);
    if (r.topology && !last) this.merged = step.topology;
    this.deps.onSaved(r, last, { topology: step.topology, on });
    if (last) this.deps.onStatus({ state: "saved", at: Date.now() });
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
    const again = error.temporary || error.status === 401;
    this.deps.onStatus({ state: again ? "offline" : "refused", error });
    if (again) {
      const wait = this.retry;
      this.retry = Math.min(wait * 2, longestRetry);
      return wait;
    }
    if (this.steps.length === 1) return never;
    this.done(); // the next step holds this one's edit too, and may be acceptable
    return 0;
  }
}
