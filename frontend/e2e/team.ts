import type { App, Options } from "./app.ts";
import type { Hub } from "./hub.ts";
import { ModelServer } from "./modelServer.ts";

/** A door that the test opens: what waits for it goes on then. */
export function gate(): { open: () => void; opened: Promise<void> } {
  let open = () => {};
  const opened = new Promise<void>((r) => {
    open = r;
  });
  return { open, opened };
}

export type Script = (question: string) => AsyncIterable<string> | Iterable<string>;

/**
 * A model server that speaks as the script does, and a team at work that asks it: PM may command Dev and Writer, and
 * not Ops. The team that is open shows the same agents.
 */
export async function teamAtWork(hub: Hub, script: Script, ja = false): Promise<ModelServer> {
  const server = await ModelServer.start({ models: ["m"], script });
  await hub.ask("POST", "/api/providers", {
    name: "local",
    kind: "openai",
    baseUrl: `${server.url}/v1`,
    default: true,
  });
  const names = ja
    ? { pm: "リーダー", dev: "開発", writer: "ライター", ops: "運用" }
    : { pm: "PM", dev: "Dev", writer: "Writer", ops: "Ops" };
  const agents = [
    {
      id: "pm",
      name: names.pm,
      role: "Coordinator",
      model: "local/m",
      connections: [
        { type: "command", targetId: "dev" },
        { type: "command", targetId: "writer" },
      ],
    },
    { id: "dev", name: names.dev, role: "Developer", model: "local/m" },
    { id: "writer", name: names.writer, role: "Writer", model: "local/m" },
    { id: "ops", name: names.ops, role: "Operator", model: "local/m" },
  ];
  const [team] = await hub.teams();
  await hub.save(team!.id, {
    agents,
    layout: { pm: { x: 240, y: 0 }, dev: { x: 0, y: 160 }, writer: { x: 240, y: 160 }, ops: { x: 480, y: 160 } },
  });
  await hub.apply(team!.id);
  return server;
}

export type Submitted = { taskId: string; status: string; message: string };

/** Gives a task as a script would. */
export const submit = (hub: Hub, userPrompt: string, context: object = {}, taskType = "chat") =>
  hub.ask<Submitted>("POST", "/submit_task", { sessionId: "e2e", userPrompt, taskType, context });

type Status = { status: string; progress: number; errorMessage?: string };
export const statusOf = (app: App, id: string) => app.hub.ask<Status>("GET", `/tasks/${id}/status`);
export const rows = (app: App) => app.page.locator("[data-task]");
export const row = (app: App, id: string) => app.page.locator(`[data-task="${id}"]`);
export const output = (app: App) => app.page.getByRole("log", { name: "Output" });
export const view = (app: App) => app.page.getByRole("region", { name: "Task", exact: true });
/** A script that says one thing. */
export const says = (word: string): Script =>
  function* () {
    yield word;
  };
export const what = (app: App) => app.page.getByPlaceholder("What should be done?");
export const toTasks = async (app: App) => {
  await app.go("tasks");
  await what(app).waitFor();
};

type Open = (o: Options) => Promise<App>;

/** Runs with a team at work, and ends its model server. */
export async function withTeam(
  open: Open,
  script: Script,
  work: (app: App) => Promise<void>,
  options: Options = {},
): Promise<void> {
  let server: ModelServer | undefined;
  try {
    await work(
      await open({
        ...options,
        seed: async (hub) => {
          server = await teamAtWork(hub, script, options.language === "ja");
        },
      }),
    );
  } finally {
    await server?.stop();
  }
}
