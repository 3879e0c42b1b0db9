import { request } from "./request";
import type {
  About, Apply, Change, Choice, Drawing, DrawingState, DrawingSummary, Exported, ExportFormat, Gateway, GatewayInput, Imported, Model, Preview,
  Settings, Snapshot, Topology, Version,
} from "./types";

const at = (...parts: string[]) => `/api/${parts.map(encodeURIComponent).join("/")}`;
const query = (q: Record<string, string | number | undefined>) => {
  const p = new URLSearchParams();
  for (const [k, v] of Object.entries(q)) if (v !== undefined) p.set(k, String(v));
  const s = p.toString();
  return s && `?${s}`;
};

export type SaveRequest = { topology: Topology; head: string; label: string; coalesce?: string };
export type Decisions = { choices?: Record<string, Choice>; exclude?: string[] };

/** Every request the page makes, one function each. */
export const hub = {
  drawings: () => request<{ drawings: DrawingSummary[] }>("GET", at("drawings")),
  createDrawing: (body: { name?: string; topology?: Topology; template?: string; copyOf?: string; language?: string }) => request<Drawing>("POST", at("drawings"), { body }),
  drawing: (id: string) => request<Drawing>("GET", at("drawings", id)),
  saveDrawing: (id: string, body: SaveRequest, keepalive?: boolean) => request<{ state: DrawingState; topology?: Topology }>("PUT", at("drawings", id), { body, keepalive }),
  patchDrawing: (id: string, body: { name?: string; gateway?: string }) => request<Drawing>("PATCH", at("drawings", id), { body }),
  deleteDrawing: (id: string) => request<void>("DELETE", at("drawings", id)),
  undeleteDrawing: (id: string) => request<Drawing>("POST", at("drawings", id, "undelete")),
  undo: (id: string) => request<Drawing>("POST", at("drawings", id, "undo")),
  redo: (id: string) => request<Drawing>("POST", at("drawings", id, "redo")),
  layout: (id: string, only?: string[]) => request<Drawing>("POST", at("drawings", id, "layout"), { body: { only } }),
  discard: (id: string) => request<Drawing>("POST", at("drawings", id, "discard")),
  importGateway: (id: string, gateway?: string) => request<Imported>("POST", at("drawings", id, "import"), { body: { gateway }, timeoutMs: 60_000 }),
  importFile: (id: string, body: { text: string; filename: string }) => request<Imported>("POST", at("drawings", id, "import-file"), { body }),
  exportDrawing: (id: string, format: ExportFormat) => request<Exported>("GET", at("drawings", id, "export") + query({ format })),

  versions: (id: string, q: { limit?: number; before?: string } = {}) => request<{ versions: Version[]; more: boolean }>("GET", at("drawings", id, "versions") + query(q)),
  version: (id: string, vid: string) => request<{ version: Version; topology: Topology }>("GET", at("drawings", id, "versions", vid)),
  nameVersion: (id: string, vid: string, name: string) => request<Version>("PATCH", at("drawings", id, "versions", vid), { body: { name } }),
  restoreVersion: (id: string, vid: string) => request<Drawing>("POST", at("drawings", id, "versions", vid, "restore")),
  compare: (id: string, a: string, b: string) => request<{ a: Topology; b: Topology; changes: Change[] }>("GET", at("drawings", id, "compare") + query({ a, b })),

  preview: (id: string, body: Decisions, signal?: AbortSignal) => request<Preview>("POST", at("drawings", id, "preview"), { body, signal, timeoutMs: 60_000 }),
  apply: (id: string, body: Decisions & { hash: string; deleteAgents: boolean; note?: string }) => request<{ apply: Apply }>("POST", at("drawings", id, "apply"), { body }),
  applyState: (id: string) => request<{ apply: Apply }>("GET", at("applies", id)),
  cancelApply: (id: string) => request<{ apply: Apply }>("POST", at("applies", id, "cancel")),
  rollback: (gateway: string, body: { snapshotId: string; drawing?: string; deleteAgents: boolean }) => request<{ apply: Apply }>("POST", at("gateways", gateway, "rollback"), { body }),

  gateways: () => request<{ gateways: Gateway[] }>("GET", at("gateways")),
  addGateway: (body: GatewayInput) => request<Gateway>("POST", at("gateways"), { body }),
  saveGateway: (name: string, body: GatewayInput) => request<Gateway>("PUT", at("gateways", name), { body }),
  deleteGateway: (name: string) => request<void>("DELETE", at("gateways", name)),
  reconnectGateway: (name: string) => request<Gateway>("POST", at("gateways", name, "reconnect")),
  testGateway: (body: { url: string; token?: string; name?: string }) => request<Gateway>("POST", at("gateways", "test"), { body, timeoutMs: 30_000 }),
  snapshots: (name: string) => request<{ snapshots: Snapshot[] }>("GET", at("gateways", name, "snapshots")),

  models: () => request<{ models: Model[] }>("GET", at("models")),
  settings: () => request<Settings>("GET", at("settings")),
  saveSettings: (body: Settings) => request<Settings>("PUT", at("settings"), { body }),
  about: () => request<About>("GET", at("about")),
};
