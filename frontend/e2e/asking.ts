import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { App } from "./app.ts";
import type { Hub } from "./hub.ts";
import { until } from "./until.ts";

const secret = "far-secret-of-a-test-of-24-bytes";

/** The environment of a hub whose remote agent can ask. */
export const askingEnv = { AGENTFLOW_AGENT_FAR: secret };

/** Makes an agent of the applied team a remote agent with its own secret. */
export async function elsewhereAgent(hub: Hub, id: string): Promise<void> {
  await hub.changeConfig((c) => {
    Object.assign((c.agents as Record<string, object>)[id]!, {
      url: "http://127.0.0.1:9",
      secretEnv: "AGENTFLOW_AGENT_FAR",
    });
  });
  await hub.trust();
}

export type Wish = {
  key: string;
  tool?: string;
  from?: string;
  task?: string;
  arguments?: unknown;
  said?: string;
  text?: string;
};
type Entry = { id: string; state: string; choice?: string; word?: string };

async function asAgent<T = Entry>(hub: Hub, method: string, route: string, body?: unknown, as = secret): Promise<T> {
  const r = await fetch(hub.url + route, {
    method,
    headers: { Authorization: `Bearer ${as}`, "Content-Type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  if (!r.ok) throw new Error(`${route}: ${r.status} ${await r.text()}`);
  return (await r.json()) as T;
}

/** Asks as an agent process does, with its own secret. */
export const asks = (hub: Hub, wish: Wish): Promise<Entry> => asAgent(hub, "POST", "/api/inbox/questions", wish);

/** The answer that the agent gets, once it is there. */
export const told = (hub: Hub, id: string): Promise<Entry> =>
  until(
    "the agent to get the answer",
    () => asAgent(hub, "GET", `/api/inbox/questions/${id}?wait=5`),
    (e) => e.state !== "waiting",
  );

/** Waits until the question that is shown takes keys; it does once it has been in view for a moment. */
export const takesKeys = (app: App): Promise<unknown> =>
  until(
    "the question to take an answer",
    () => app.page.locator(".inbox-answers button").last().isDisabled(),
    (is) => !is,
  );

export const npm = (key = "npm"): Wish => ({
  key,
  tool: "shell_exec",
  from: "shell",
  task: "T-12",
  arguments: { command: "npm ci --ignore-scripts", dir: "shop-web" },
  said: "Two places show the sum. I changed both to use the sums per rate.",
});

/** Gives a part of a task on, as the agent process that holds it does. */
export const delegates = (
  hub: Hub,
  as: string,
  task: string,
  part: { agent: string; prompt: string },
): Promise<string> =>
  asAgent<{ taskId: string }>(hub, "POST", `/tasks/${task}/delegations`, part, as).then((r) => r.taskId);

/** Agents elsewhere that take every task and never end one. */
export async function takers(n: number): Promise<{ urls: string[]; taken: string[]; close: () => Promise<void> }> {
  const taken: string[] = [];
  const servers = await Promise.all(
    Array.from({ length: n }, async () => {
      let current = "";
      const server = createServer((req, res) => {
        let body = "";
        req.on("data", (d: Buffer) => {
          body += d.toString();
        });
        req.on("end", () => {
          res.setHeader("Content-Type", "application/json");
          if (req.method === "POST") {
            current = (JSON.parse(body) as { taskId: string }).taskId;
            taken.push(current);
            res.end(JSON.stringify({ status: "accepted", message: "" }));
            return;
          }
          res.end(JSON.stringify({ currentTask: current }));
        });
      });
      await new Promise<void>((r) => {
        server.listen(0, "127.0.0.1", r);
      });
      return server;
    }),
  );
  return {
    taken,
    urls: servers.map((s) => `http://127.0.0.1:${(s.address() as AddressInfo).port}`),
    close: async () => {
      await Promise.all(
        servers.map(
          (s) =>
            new Promise((r) => {
              s.closeAllConnections();
              s.close(r);
            }),
        ),
      );
    },
  };
}
