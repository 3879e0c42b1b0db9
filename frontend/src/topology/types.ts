// The nouns, as the hub writes them, for everybody above api.
export type {
  About, Agent, AgentID, Apply, ApplyStep, Base, Cause, Change, Choice, Conflict, Connection, Drawing, DrawingState, DrawingSummary, Exported,
  ExportFormat, Gateway, GatewayInput, GatewayState, Group, Impact, Imported, Kind, Loss, Merge, Model, Note, Notify, Op, Point, Preview, Problem,
  Settings, Snapshot, Subject, Tools, Topology, Version,
} from "../api/types";
