// The nouns, as the hub writes them, for everybody above api.
export type {
  About, Agent, AgentID, AgentUse, CallText, Diagnostics, ModelCall, AgentWork, AnswerChoice, AppliedStep, Apply, ApplyRequest, ApplyStep, Backup, Base, BundleLoss, Candidate, Cause, Change, ChatFrame, Choice, CleanUp, Collision, Conflict, Connection, DatabaseSize, DeletedDrawing, Deletion, Difference, Drawing,
  DrawingState, DrawingSummary, Drift, Drifted, ExportFormat, Exported, FilePreview, FileTeam, Finding, Found, Gateway, GatewayEdit, GatewayState, Group, Impact, Imported, KeepTemplate, Kind, LocalAgent, LocalAgentAdd, LocalAgentChange, LocalCandidate, LocalLine, LocalVariable, Loss, Merge,
  Model, ModelPrice, NewDrawing, Note, Notify, Offer, Op, Packed, Place, Point, Preview, PreviewChange, Problem, Provider, ProviderEdit, Question, RollbackRequest, RoomAgent, RoomLive, RoomMember, RoomMessage, RoomPolicy, RoomStatus, RoomSummary, SaveRequest, Saved, Session, SessionMessage, SessionPart, Settings, Snapshot,
  NewPlan, Plan, PlanCall, PlanChange, PlanOperation, PlanOrder, PlanCompared, PlanFound, PlanProgress, PlanProposal, PlanStatusByHand, PlanSummary, PlanTask, PlanVersion, PlanWhole, SubmitTask, Subject, Swept, TaskCause, TaskCounts, TaskDetail, TaskEvent, TaskQuery, TaskStatus, TaskSummary, Template, ToolRule, Tools, Topology, Trial, Version, Waits, Work,
} from "../api/types";
