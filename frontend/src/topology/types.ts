// The nouns, as the hub writes them, for everybody above api.
export type {
  About, Agent, AgentID, AppliedStep, Apply, ApplyRequest, ApplyStep, Base, Cause, Change, Choice, Collision, Conflict, Connection, Deletion, Difference, Drawing,
  DrawingState, DrawingSummary, Drift, Drifted, ExportFormat, Exported, Finding, Found, Gateway, GatewayEdit, GatewayState, Group, Impact, Imported, Kind, Loss, Merge,
  Model, NewDrawing, Note, Notify, Offer, Op, Point, Preview, PreviewChange, Problem, Provider, ProviderEdit, RollbackRequest, SaveRequest, Saved, Settings, Snapshot,
  Subject, Template, Tools, Topology, Trial, Version,
} from "../api/types";
