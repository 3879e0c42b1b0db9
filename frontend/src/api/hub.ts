import { client as c, take, within } from "./client";
import type {
  Choice,
  ApplyRequest,
  ExportFormat,
  GatewayEdit,
  KeepTemplate,
  NewTeam,
  OpenRequest,
  PackRequest,
  PreviewRequest,
  RollbackRequest,
  SaveRequest,
  Settings,
} from "./types";

const slow = 60_000;
const of = (id: string) => ({ params: { path: { id } }, signal: within() });
const named = (name: string) => ({ params: { path: { name } }, signal: within() });
const ofVersion = (id: string, version: string) => ({ params: { path: { id, version } }, signal: within() });

export type VersionsQuery = { limit?: number; before?: string; only?: "applied" | "named"; gateway?: string };
export type Decisions = { choices?: Record<string, Choice>; leaveOut?: string[]; replace?: boolean };

/** Every request the page makes, one function each; paths and bodies are checked against the description. */
export const hub = {
  createTeam: (body: NewTeam) => take(c.POST("/api/teams", { body, signal: within(slow) })),
  team: (id: string) => take(c.GET("/api/teams/{id}", of(id))),
  saveTeam: (id: string, body: SaveRequest, keepalive?: boolean) =>
    take(c.PUT("/api/teams/{id}", { ...of(id), body, keepalive })),
  patchTeam: (id: string, body: { name?: string; gateway?: string }) =>
    take(c.PATCH("/api/teams/{id}", { ...of(id), body })),
  deleteTeam: (id: string) => take(c.DELETE("/api/teams/{id}", of(id))),
  undeleteTeam: (id: string) => take(c.POST("/api/teams/{id}/undelete", of(id))),
  undo: (id: string) => take(c.POST("/api/teams/{id}/undo", of(id))),
  redo: (id: string) => take(c.POST("/api/teams/{id}/redo", of(id))),
  layout: (id: string, only?: string[]) => take(c.POST("/api/teams/{id}/layout", { ...of(id), body: { only } })),
  discard: (id: string) => take(c.POST("/api/teams/{id}/discard", of(id))),
  importGateway: (id: string, gateway?: string) =>
    take(c.POST("/api/teams/{id}/import", { ...of(id), signal: within(slow), body: { gateway } })),
  importFile: (id: string, body: { text: string; filename?: string }) =>
    take(c.POST("/api/teams/{id}/import-file", { ...of(id), body })),
  exportTeam: (id: string, format: ExportFormat) =>
    take(c.GET("/api/teams/{id}/export", { params: { path: { id }, query: { format } }, signal: within() })),
  rewriteFile: (id: string, body: { filename: string; text: string }) =>
    take(c.POST("/api/teams/{id}/rewrite-file", { ...of(id), body })),
  sketch: (id: string, version: string) =>
    take<string>(c.GET("/api/teams/{id}/versions/{version}/sketch", { ...ofVersion(id, version), parseAs: "text" })),
  deletedTeams: () => take(c.GET("/api/deleted-teams", { signal: within() })).then((r) => r.teams),
  purgeTeam: (id: string) => take(c.DELETE("/api/deleted-teams/{id}", of(id))),
  keepTemplate: (body: KeepTemplate) => take(c.POST("/api/templates", { body, signal: within() })),
  amendTemplate: (id: string, body: { name: string; description?: string }) =>
    take(c.PATCH("/api/templates/{id}", { ...of(id), body })),
  deleteTemplate: (id: string) => take(c.DELETE("/api/templates/{id}", of(id))),
  undeleteTemplate: (id: string) => take(c.POST("/api/templates/{id}/undelete", of(id))),
  previewFile: (body: PreviewRequest) => take(c.POST("/api/files/preview", { body, signal: within(slow) })),
  openFile: (body: OpenRequest) => take(c.POST("/api/files/open", { body, signal: within(slow) })),
  takeFile: () => take(c.POST("/api/files/take", { signal: within() })),
  packTeams: (body: PackRequest) => take(c.POST("/api/bundles", { body, signal: within(slow) })),
  templates: (language: "en" | "ja") =>
    take(c.GET("/api/templates", { params: { query: { language } }, signal: within() })),

  versions: (id: string, query: VersionsQuery = {}) =>
    take(c.GET("/api/teams/{id}/versions", { params: { path: { id }, query }, signal: within() })),
  version: (id: string, version: string) => take(c.GET("/api/teams/{id}/versions/{version}", ofVersion(id, version))),
  nameVersion: (id: string, version: string, name: string) =>
    take(c.PATCH("/api/teams/{id}/versions/{version}", { ...ofVersion(id, version), body: { name } })),
  restoreVersion: (id: string, version: string) =>
    take(c.POST("/api/teams/{id}/versions/{version}/restore", ofVersion(id, version))),
  compare: (id: string, a: string, b: string, text?: boolean) =>
    take(c.GET("/api/teams/{id}/compare", { params: { path: { id }, query: { a, b, text } }, signal: within() })),

  preview: (id: string, body: Decisions, signal?: AbortSignal) =>
    take(c.POST("/api/teams/{id}/preview", { ...of(id), signal: within(slow, signal), body })),
  apply: (id: string, body: ApplyRequest) => take(c.POST("/api/teams/{id}/apply", { ...of(id), body })),
  applyState: (id: string) => take(c.GET("/api/applies/{id}", of(id))),
  cancelApply: (id: string) => take(c.POST("/api/applies/{id}/cancel", of(id))),
  previewRollback: (gateway: string, snapshotId: string) =>
    take(
      c.POST("/api/gateways/{name}/rollback-preview", {
        ...named(gateway),
        signal: within(slow),
        body: { snapshotId },
      }),
    ),
  drift: (id: string, gateway?: string) =>
    take(c.GET("/api/teams/{id}/drift", { params: { path: { id }, query: { gateway } }, signal: within(slow) })),
  keepMine: (id: string) => take(c.POST("/api/teams/{id}/keep-mine", { ...of(id), signal: within(slow) })),
  rollback: (gateway: string, body: RollbackRequest) =>
    take(c.POST("/api/gateways/{name}/rollback", { ...named(gateway), body })),

  addGateway: (body: GatewayEdit) => take(c.POST("/api/gateways", { body, signal: within() })),
  saveGateway: (name: string, body: GatewayEdit) => take(c.PUT("/api/gateways/{name}", { ...named(name), body })),
  deleteGateway: (name: string) => take(c.DELETE("/api/gateways/{name}", named(name))),
  reconnectGateway: (name: string) => take(c.POST("/api/gateways/{name}/reconnect", named(name))),
  testGateway: (body: GatewayEdit) => take(c.POST("/api/gateway-test", { body, signal: within(30_000) })),
  agentSettings: (name: string, signal?: AbortSignal) =>
    take(c.GET("/api/gateways/{name}/agent-settings", { ...named(name), signal: within(slow, signal) })),
  agentTools: (name: string, agent: string, signal?: AbortSignal) =>
    take(
      c.GET("/api/gateways/{name}/agent-tools", {
        params: { path: { name }, query: { agent } },
        signal: within(slow, signal),
      }),
    ),
  gatewayAgents: (name: string) => take(c.GET("/api/gateways/{name}/agents", named(name))).then((r) => r.agents),
  dismissAlarm: (name: string) => take(c.DELETE("/api/gateways/{name}/alarm", named(name))),
  snapshots: (name: string) => take(c.GET("/api/gateways/{name}/snapshots", named(name))),
  snapshot: (name: string, snapshot: string, query: { with?: string; team?: string }) =>
    take(
      c.GET("/api/gateways/{name}/snapshots/{snapshot}", {
        params: { path: { name, snapshot }, query },
        signal: within(),
      }),
    ),

  models: () => take(c.GET("/api/models", { signal: within() })),
  saveSettings: (body: Settings) => take(c.PUT("/api/settings", { body, signal: within() })),
  about: () => take(c.GET("/api/about", { signal: within() })),
};
