import { client as c, take, within } from "./client";

// Apart from the other requests: only the inspector and the history make them, which are no part of the first load.

export const agentFiles = (name: string, agent: string) =>
  take(c.GET("/api/gateways/{name}/agents/{agent}/files", { params: { path: { name, agent } }, signal: within() }));

export const agentFile = (name: string, agent: string, file: string) =>
  take(
    c.GET("/api/gateways/{name}/agents/{agent}/files/{file}", {
      params: { path: { name, agent, file } },
      signal: within(),
    }),
  );

export const fileSnapshots = (name: string) =>
  take(c.GET("/api/gateways/{name}/file-snapshots", { params: { path: { name } }, signal: within() }));

export const fileSnapshot = (name: string, file: string, query: { with?: string }) =>
  take(
    c.GET("/api/gateways/{name}/file-snapshots/{file}", {
      params: { path: { name, file }, query },
      signal: within(),
    }),
  );
