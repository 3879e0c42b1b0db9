import { client as c, take, within } from "./client";

// Apart from the other requests: only the inspector makes them, and it is no part of the first load.

export const agentFiles = (name: string, agent: string) =>
  take(c.GET("/api/gateways/{name}/agents/{agent}/files", { params: { path: { name, agent } }, signal: within() }));

export const agentFile = (name: string, agent: string, file: string) =>
  take(
    c.GET("/api/gateways/{name}/agents/{agent}/files/{file}", {
      params: { path: { name, agent, file } },
      signal: within(),
    }),
  );
