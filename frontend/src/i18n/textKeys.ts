// The keys of the texts are those of the English files: `t("canvas.wrong")` is a type error.
import type { DefaultNamespace, Namespace } from "i18next";

type Files = {
  agentSettings: typeof import("./en/agentSettings.json");
  agents: typeof import("./en/agents.json");
  apply: typeof import("./en/apply.json");
  bundle: typeof import("./en/bundle.json");
  calls: typeof import("./en/calls.json");
  canvas: typeof import("./en/canvas.json");
  cause: typeof import("./en/cause.json");
  chat: typeof import("./en/chat.json");
  choose: typeof import("./en/choose.json");
  clip: typeof import("./en/clip.json");
  collision: typeof import("./en/collision.json");
  common: typeof import("./en/common.json");
  compare: typeof import("./en/compare.json");
  counts: typeof import("./en/counts.json");
  decide: typeof import("./en/decide.json");
  drift: typeof import("./en/drift.json");
  error: typeof import("./en/error.json");
  everyone: typeof import("./en/everyone.json");
  fault: typeof import("./en/fault.json");
  field: typeof import("./en/field.json");
  files: typeof import("./en/files.json");
  firstrun: typeof import("./en/firstrun.json");
  gesture: typeof import("./en/gesture.json");
  group: typeof import("./en/group.json");
  grouping: typeof import("./en/grouping.json");
  here: typeof import("./en/here.json");
  history: typeof import("./en/history.json");
  hub: typeof import("./en/hub.json");
  inbox: typeof import("./en/inbox.json");
  inspector: typeof import("./en/inspector.json");
  kind: typeof import("./en/kind.json");
  library: typeof import("./en/library.json");
  list: typeof import("./en/list.json");
  lock: typeof import("./en/lock.json");
  mark: typeof import("./en/mark.json");
  merge: typeof import("./en/merge.json");
  models: typeof import("./en/models.json");
  opening: typeof import("./en/opening.json");
  palette: typeof import("./en/palette.json");
  picture: typeof import("./en/picture.json");
  plan: typeof import("./en/plan.json");
  problem: typeof import("./en/problem.json");
  problemText: typeof import("./en/problemText.json");
  problems: typeof import("./en/problems.json");
  push: typeof import("./en/push.json");
  reach: typeof import("./en/reach.json");
  refused: typeof import("./en/refused.json");
  review: typeof import("./en/review.json");
  rooms: typeof import("./en/rooms.json");
  routes: typeof import("./en/routes.json");
  schedule: typeof import("./en/schedule.json");
  screen: typeof import("./en/screen.json");
  search: typeof import("./en/search.json");
  security: typeof import("./en/security.json");
  sessions: typeof import("./en/sessions.json");
  settings: typeof import("./en/settings.json");
  signIn: typeof import("./en/signIn.json");
  spoken: typeof import("./en/spoken.json");
  status: typeof import("./en/status.json");
  step: typeof import("./en/step.json");
  tasks: typeof import("./en/tasks.json");
  teams: typeof import("./en/teams.json");
  trust: typeof import("./en/trust.json");
  work: typeof import("./en/work.json");
  workspace: typeof import("./en/workspace.json");
};

/** A text with a count has a form for one and one for many; its key names neither. */
type Stem<K extends string> = K extends `${infer S}_one` | `${infer S}_other` ? S : K;
type Leaves<T, At extends string> = {
  [K in keyof T & string]: T[K] extends string ? `${At}${Stem<K>}` : Leaves<T[K], `${At}${K}.`>;
}[keyof T & string];

/** The key of a text. */
export type TextKey = Leaves<Files, "">;

/** The ends of the keys below one: KeyIn<"kind"> is "command" | "commandHint" | … */
export type KeyIn<At extends string> = TextKey extends infer K ? (K extends `${At}.${infer End}` ? End : never) : never;

declare module "i18next" {
  interface CustomTypeOptions {
    keySeparator: false; // in types only: TextKey has whole keys
    resources: { translation: Record<TextKey, string> };
  }
  // The usual calls. Without them, each one goes through i18next's general types, and the compiler takes twice as long.
  interface TFunction<Ns extends Namespace = DefaultNamespace, KPrefix = undefined> {
    (key: TextKey | TextKey[], options?: Record<string, unknown>): string;
    /** A key that the types can't check needs a text for where there is none. */
    (key: string | string[], options: Record<string, unknown> & { defaultValue: string }): string;
  }
}
