// The nouns, as the hub writes them, for everybody above api.
export type {
  About, Agent, AgentID, Apply, ApplyRequest, ApplyStep, Base, Cause, Change, Choice, Conflict, Connection, Deletion, Difference, Drawing, DrawingState, DrawingSummary, Exported,
  ExportFormat, Finding, Gateway, GatewayEdit, GatewayState, Group, Impact, Imported, Kind, Loss, Merge, Model, NewDrawing, Note, Notify, Op, Point, Preview, PreviewChange, Problem, RollbackRequest,
  Saved, SaveRequest, Settings, Snapshot, Subject, Template, Tools, Topology, Version,
} from "../api/types";
