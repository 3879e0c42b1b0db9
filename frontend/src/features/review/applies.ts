import type { Apply, ApplyStep, Preview } from "@/topology";

/** The steps worth showing: deleting only where it happens, and of an ended apply nothing it skipped. */
export function shownSteps(steps: readonly ApplyStep[], deletes: boolean): ApplyStep[] {
  return steps.filter((s) => s.state !== "skipped" && (s.name !== "delete" || s.state !== "waiting" || deletes));
}

/** The steps before anything is sent: the preview was the check, and an error is how it went. */
export function plannedSteps(p: Preview): ApplyStep[] {
  const names: ApplyStep["name"][] = [
    "check",
    "snapshot",
    ...(p.files.some((f) => !f.later) ? ["files" as const] : []),
    ...(p.deletions.some((d) => d.byGateway) ? ["delete" as const] : []),
    "apply",
    ...(p.restart.needed ? ["wait" as const] : []),
    "verify",
    ...(p.files.some((f) => f.later) ? ["new_files" as const] : []),
  ];
  return names.map((name) => ({
    name,
    state: name !== "check" ? "waiting" : p.problems.some((x) => x.severity === "error") ? "failed" : "done",
    expectedSeconds: name === "wait" ? p.restart.seconds || 1 : undefined,
  }));
}

/** Why an apply did not get through, as the remedies know it. */
export type Failure =
  | "token"
  | "scope"
  | "pairing"
  | "link"
  | "away"
  | "rejected"
  | "limited"
  | "stale"
  | "undecided"
  | "problems"
  | "deletes"
  | "mismatch"
  | "inactive"
  | "filesLeft"
  | "jobsLeft"
  | "unknown"
  | "interrupted"
  | "managed"
  | "unwritable"
  | "running"
  | "changed"
  | "other";

const byReason: Record<string, Failure> = {
  bad_token: "token",
  no_scope: "scope",
  pairing_required: "pairing",
  link_down: "link",
  rejected: "rejected",
  rate_limited: "limited",
  stale_base: "stale",
  undecided_conflicts: "undecided",
  problems: "problems",
  deletes_not_allowed: "deletes",
  verify_mismatch: "mismatch",
  not_active: "inactive",
  files_left: "filesLeft",
  jobs_left: "jobsLeft",
  outcome_unknown: "unknown",
  interrupted: "interrupted",
  config_managed: "managed",
  config_unwritable: "unwritable",
  apply_running: "running",
  changed_since_review: "changed",
};
type ErrorLike = { code: string; message: string; details?: Record<string, unknown> };

export function failureOf(e: ErrorLike | undefined, a?: Pick<Apply, "state" | "steps">): Failure {
  if (a?.state === "unknown") return "unknown";
  const reason = typeof e?.details?.reason === "string" ? e.details.reason : "";
  const found = byReason[reason];
  // The link can go after the gateway accepted the config.
  if (found === "link" && a?.steps.some((s) => s.name === "apply" && s.state === "done")) return "away";
  if (found) return found;
  if (e?.code === "UNAUTHORIZED") return "token";
  if (e?.code === "RATE_LIMITED") return "limited";
  return e?.code === "VALIDATION_ERROR" ? "rejected" : "other";
}

export type Issue = { path: string; message: string; agent?: string };

/** What the gateway had against the config, each at its agent where the path tells. */
export function issuesOf(e: ErrorLike | undefined, agents: readonly { id: string }[]): Issue[] {
  const list = e?.details?.issues;
  if (!Array.isArray(list)) return [];
  return list
    .filter((i): i is { path?: unknown; message?: unknown } => typeof i === "object" && i !== null)
    .map((i) => {
      const path = typeof i.path === "string" ? i.path : "",
        message = typeof i.message === "string" ? i.message : "";
      const parts = path.split(/[.[\]/]+/).filter(Boolean);
      const index = parts.find((p, n) => /^\d+$/.test(p) && (parts[n - 1] === "list" || parts[n - 1] === "agents"));
      const agent =
        agents.find((a) => parts.includes(a.id))?.id ?? (index === undefined ? undefined : agents[Number(index)]?.id);
      return { path, message, agent };
    });
}

/** The agents an undo would delete, when it was refused for that. */
export function namedAgents(e: ErrorLike | undefined): string[] {
  const list = e?.details?.agents;
  return Array.isArray(list) ? list.filter((x): x is string => typeof x === "string") : [];
}

export const ended = (a: Apply | undefined): a is Apply => !!a && a.state !== "running";
