// The hub's types under short names, all from docs/openapi.yaml (npm run gen:api).
import type { components, operations } from "./schema";

type S = components["schemas"];

export type Agent = S["Agent"];
export type AgentID = Agent["id"];
export type Connection = S["Connection"];
export type Kind = Connection["type"];
export type Group = S["Group"];
export type Note = S["Note"];
export type Point = S["Point"];
export type Tools = S["Tools"];
export type Topology = S["Topology"];

export type Change = S["Change"];
export type Op = Change["op"];
export type Subject = Change["subject"];
export type Conflict = S["Conflict"];
export type Choice = "base" | "mine" | "theirs" | "both";
export type Problem = S["Problem"];
export type Finding = S["Finding"];
export type Loss = S["Loss"];
export type Lost = S["Lost"];

export type Question = S["Entry"];
export type AnswerChoice = S["VerdictBody"]["choice"];
export type ToolRule = S["Rule"];
export type StandingPermission = S["Standing"];
export type TrustAsk = S["TrustAsk"];
export type TrustEntry = S["TrustEntry"];
export type TrustSeen = S["TrustSeen"];
export type TrustStanding = S["TrustStanding"];
export type TrustTeam = S["TrustTeam"];

export type ApiErrorBody = S["Error"];

export type TeamSummary = S["TeamSummary"];
export type TeamState = S["TeamState"];
export type Team = S["Team"];
export type Base = S["Base"];
export type Imported = S["ImportedBodyBody"];
export type Exported = S["ExportedBodyBody"];
export type ExportFormat = NonNullable<NonNullable<operations["exportTeam"]["parameters"]["query"]>["format"]>;
export type NewTeam = S["CreateTeamBody"];
export type SaveRequest = S["SaveTeamBody"];
export type Saved = S["SavedTeamBody"];
export type Template = S["Template"];
export type KeepTemplate = S["KeepTemplateBody"];
export type DeletedTeam = S["DeletedTeam"];
export type FilePreview = S["FilePreview"];
export type FileTeam = S["FileTeam"];
export type PreviewRequest = S["PreviewFileBody"];
export type OpenRequest = S["OpenFileBody"];
export type PackRequest = S["PackTeamsBody"];
export type Packed = S["PackedBodyBody"];
export type BundleLoss = S["LeftOut"];
export type Version = S["Version"];
export type Cause = Version["cause"];

export type Drift = S["Drift"];
export type Drifted = S["Drifted"];
export type AppliedStep = S["AppliedStep"];
export type Collision = S["Collision"];
export type Preview = S["Preview"];
export type PreviewChange = S["PreviewChange"];
export type Impact = PreviewChange["impact"];
export type Deletion = S["Deletion"];
export type Merge = S["Merge"];
export type Apply = S["Apply"];
export type ApplyStep = S["Step"];
export type Difference = S["Difference"];
export type ApplyRequest = S["ApplyTeamBody"];
export type RollbackRequest = S["RollbackGatewayBody"];

export type Gateway = S["Gateway"];
export type GatewayState = Gateway["state"];
export type GatewayEdit = S["GatewayEdit"];
export type Snapshot = S["Snapshot"];
export type Model = S["Model"];
export type Settings = S["UI"];
export type About = S["About"];
export type Sandbox = S["Sandbox"];
export type Security = S["Security"];
export type Caller = S["Caller"];
export type CallerEdit = S["CallerEdit"];
export type Lockout = S["Lockout"];
export type Login = S["Login"];
export type NetworksEdit = S["PutNetworksBody"];
export type AuditEntry = S["AuditEntry"];
export type AuditFilter = NonNullable<operations["exportAudit"]["parameters"]["query"]>;
export type DefaultBudget = S["DefaultBudget"];
export type DefaultBudgets = S["DefaultBudgets"];
export type DatabaseSize = S["SizeBodyBody"];
export type Holding = S["Holding"];
export type Backup = S["Backup"];
export type CleanUp = S["SweepQueryBody"];
export type Swept = S["Swept"];
export type Notify = S["Notify"];
export type Provider = S["Provider"];
export type ProviderEdit = S["ProviderEdit"];
export type Trial = S["Trial"];
export type Offer = S["Offer"];
export type Found = S["Found"];

export type Diagnostics = S["Diagnostics"];
export type AgentUse = S["AgentUse"];
export type ModelCall = S["ModelCall"];
export type CallText = S["CallText"];
export type ModelPrice = S["ModelPrice"];
export type RoomLive = S["RoomLive"];
export type RoomMember = S["RoomMember"];
export type RoomMessage = S["RoomMessage"];
export type RoomPolicy = S["RoomPolicy"];
export type RoomStatus = S["RoomStatus"];
export type RoomSummary = S["RoomSummary"];
export type RoomAgent = S["RoomAgent"];
export type Session = S["Session"];
export type SessionMessage = S["Message"];
export type SessionPart = S["Part"];
export type Place = S["Place"];
export type ChatFrame = S["ChatFrame"];

export type Plan = S["Plan"];
export type PlanTask = S["PlanTask"];
export type PlanSummary = S["PlanSummary"];
export type PlanWhole = S["PlanWhole"];
export type PlanProposal = S["PlanShown"];
export type PlanChange = S["PlanChange"];
export type PlanProgress = S["PlanProgress"];
export type PlanOperation = S["PlanOperation"];
export type PlanCall = S["PlanCall"];
export type PlanStatusByHand = S["PlanStatusChangeBody"]["status"];
export type PlanOrder = S["PlanOrder"];
export type PlanFound = S["PlanFound"];
export type PlanVersion = S["PlanVersion"];
export type PlanCompared = S["PlanCompared"];
export type TaskChanges = S["TaskChanges"];
export type Sides = S["Sides"];
export type Setting = S["Setting"];
export type AgentSettings = S["AgentSettings"];
export type NewPlan = S["PlanCreationBody"];

export type TaskSummary = S["Summary"];
export type TaskStatus = TaskSummary["status"];
export type TaskDetail = S["Detail"];
export type TaskCounts = S["OverviewBody"]["counts"];
export type TaskQuery = NonNullable<operations["overviewTasks"]["parameters"]["query"]>;
export type SubmitTask = S["SubmissionBody"];
export type Waits = S["Waits"];
/** Why something did not come about, in a word. */
export type TaskCause = S["Cause"];
export type Candidate = S["Candidate"];
export type LocalAgent = S["LocalAgent"];
export type LocalCandidate = S["LocalCandidate"];
export type LocalLine = S["LocalLine"];
export type LocalVariable = S["LocalVariable"];
export type LocalAgentAdd = S["AddBodyBody"];
export type LocalAgentChange = S["ChangeBodyBody"];
export type Work = S["Work"];
export type AgentWork = S["AgentWork"];
/** A frame of a task's stream. */
export type TaskEvent = {
  taskId: string;
  seq: number;
  type: "status" | "delta" | "log" | "end";
  at?: string;
  agent?: string;
  /** The number of the attempt that begins, as the task counts it; absent in events of earlier programs. */
  attempt?: number;
  /** The attempt reviews an earlier result. */
  review?: boolean;
  status?: string;
  progress?: number;
  text?: string;
  result?: unknown;
  errorMessage?: string;
  cause?: TaskCause;
};
