// The hub's types under short names. The one place to change when the description of the API does.

export type AgentID = string;
export type Kind = string;
export type Extra = Record<string, unknown>;
export type Point = { x: number; y: number };
export type Tools = { profile?: string; allow?: string[]; deny?: string[] };
export type Connection = { targetId: AgentID; type: Kind; label?: string; extra?: Extra };
export type Agent = {
  id: AgentID; name?: string; role?: string; model?: string; fallbacks?: string[]; persona?: string; workspace?: string;
  description?: string; tools?: Tools; temperature?: number; maxTokens?: number; url?: string; secretEnv?: string;
  allowAny?: boolean; connections?: Connection[]; extra?: Extra;
};
export type Group = { id: string; name?: string; color?: number; members?: AgentID[]; parent?: string; collapsed?: boolean; extra?: Extra };
export type Note = { id: string; text: string; x: number; y: number; width?: number; height?: number; extra?: Extra };
export type Topology = { name?: string; agents: Agent[]; layout?: Record<AgentID, Point>; groups?: Group[]; notes?: Note[]; extra?: Extra };

export type Op = "added" | "removed" | "changed" | "moved";
export type Subject = "team" | "agent" | "connection" | "layout" | "group" | "note";
export type Change = {
  id: string; op: Op; subject: Subject; agent?: AgentID; target?: AgentID; kind?: Kind; item?: string; field?: string;
  before?: unknown; after?: unknown;
};
export type Choice = "base" | "mine" | "theirs" | "both";
export type Conflict = {
  id: string; reason: "both_changed" | "both_added" | "removed_there" | "removed_here"; subject: Subject; agent?: AgentID;
  target?: AgentID; kind?: Kind; field?: string; base?: unknown; mine?: unknown; theirs?: unknown; keepBoth?: boolean; choice?: Choice | "";
};
export type Problem = {
  id: string; severity: "error" | "warning"; code: string; subject?: Subject; agent?: AgentID; target?: AgentID; kind?: Kind;
  field?: string; path?: AgentID[]; message: string; remedy: string; params?: Record<string, string>; file?: string; line?: number;
};

export type ApiErrorBody = { code: string; message: string; details?: Record<string, unknown> };

export type DrawingSummary = {
  id: string; name: string; gateway: string; head: string; updatedAt: string; agents: number; connections: number; changes: number;
  errors: number; warnings: number; deletedAt?: string;
};
export type Base = { snapshotId: string; hash: string; readAt: string; topology: Topology };
export type DrawingState = {
  id: string; name: string; gateway: string; head: string; updatedAt: string; changes: Change[]; unsent: number; problems: Problem[];
  canUndo: boolean; canRedo: boolean; undoLabel?: string; redoLabel?: string;
};
export type Drawing = DrawingState & { topology: Topology; base?: Base };
export type Loss = { agent?: string; field?: string; reason: string; message: string };
export type Imported = { drawing: Drawing; losses: Loss[]; changes: Change[] };
export type Exported = { filename: string; text: string; losses: Loss[] };
export type ExportFormat = "agentflow" | "openclaw-map" | "openclaw-list" | "openclaw-entries" | "agents-yml";
export type Cause = "create" | "edit" | "import" | "apply" | "restore" | "layout" | "merge" | "discard" | "rollback";
export type Version = {
  id: string; parentId?: string; at: string; cause: Cause; label: string; author: string; name?: string; agents: number;
  connections: number; added: number; removed: number; changed: number; moved: number; current: boolean; gateway?: string; snapshotId?: string;
};
export type Impact = "hot" | "restart" | "local" | "delete";
export type Merge = { conflicts: Conflict[]; fromMine: Change[]; fromTheirs: Change[]; base: Topology; theirs: Topology; merged: Topology; theirsAt: string };
export type Preview = {
  gateway: string; hash: string; changes: (Change & { impact: Impact })[]; sent: number; textBefore: string; textAfter: string;
  language: "json" | "yaml"; path: string; restart: { needed: boolean; reason: string; seconds: number }; commentsLost: boolean;
  deletions: { agent: string; name: string; items: string[] }[]; losses: Loss[]; problems: Problem[]; stale: boolean; merge?: Merge;
};
export type ApplyStep = { name: "check" | "snapshot" | "delete" | "apply" | "wait" | "verify"; state: "waiting" | "running" | "done" | "failed" | "skipped"; detail?: string };
export type Apply = {
  id: string; drawing?: string; gateway: string; kind: "apply" | "rollback"; state: "running" | "done" | "failed" | "conflict" | "cancelled" | "unknown";
  steps: ApplyStep[]; waitUntil?: string; error?: ApiErrorBody; snapshotId?: string; startedAt: string; endedAt?: string; sent: number;
  differences?: Change[]; addedByGateway?: string[];
};
export type GatewayState = "connecting" | "connected" | "starting" | "down" | "unauthorized" | "pairing" | "no_scope" | "closed";
export type Gateway = {
  name: string; url: string; color: number; builtin: boolean; default: boolean; hasToken: boolean; tokenEnv?: string; state: GatewayState;
  dialect: "" | "jsonrpc" | "framed" | "local"; serverVersion?: string; latencyMs: number; insecure: boolean; pairingRequestId?: string;
  nextRetryAt?: string; error?: ApiErrorBody; hash?: string; drift: boolean;
};
export type GatewayInput = { name: string; url: string; color: number; token?: string; default?: boolean };
export type Snapshot = { id: string; gateway: string; hash: string; at: string; cause: "read" | "before_apply" | "after_apply" | "before_rollback"; agents: number; drawing?: string };
export type Model = { id: string; provider: string; name?: string };
export type Settings = { language: "auto" | "en" | "ja"; theme: "auto" | "light" | "dark"; gpuPolicy: "never" | "always" | "ondemand"; onboardingDone: boolean };
export type About = { version: string; commit: string; builtAt: string; go: string; os: string; arch: string; dataDir: string; database: string };
export type Notify = { seq: number; reset?: boolean; drawings?: DrawingSummary[]; gone?: string[]; gateways?: Gateway[]; applies?: Apply[]; settings?: Settings };
