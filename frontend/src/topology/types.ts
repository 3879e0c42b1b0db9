// The nouns, as the hub writes them, for everybody above api.
export type {
  About, Agent, AgentID, Apply, ApplyRequest, ApplyStep, Base, Cause, Change, Choice, Conflict, Connection, Deletion, Difference, Drawing, DrawingState, DrawingSummary, Exported, Found,
  ExportFormat, Finding, Gateway, GatewayEdit, GatewayState, Group, Impact, Imported, Kind, Loss, Merge, Model, NewDrawing, Note, Notify, Offer, Op, Point, Preview, PreviewChange, Problem, Provider, ProviderEdit, RollbackRequest,
  Saved, SaveRequest, Settings, Snapshot, Subject, Template, Tools, Topology, Trial, Version,
} from "../api/types";
