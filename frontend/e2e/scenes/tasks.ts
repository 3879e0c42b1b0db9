import { until } from "../app.ts";
import { row, submit, teamAtWork } from "../team.ts";
import type { Hub } from "../hub.ts";
import type { Scene } from "./scene.ts";

const script = function* (q: string) {
  if (/fail|失敗/.test(q)) throw new Error("no");
  yield `# ${q}\n\n- one\n- two\n\n\`\`\`go\nfmt.Println("done")\n\`\`\`\n`;
};
const ids: Record<string, string> = {};

async function seed(hub: Hub, ja: boolean): Promise<void> {
  const server = await teamAtWork(hub, script, ja);
  const give = async (name: string, text: string, context: object = {}, type?: string) => {
    ids[name] = (await submit(hub, text, context, type)).taskId;
  };
  await give(
    "done",
    ja
      ? "手引きの税の節を書き直し、例を2つ添えてください。"
      : "Rewrite the guide's section on taxes, with two examples.",
    { agent: "writer" },
  );
  await give("failed", ja ? "失敗する仕事" : "Work that will fail", { agent: "dev" });
  await give("waiting", "ls -la", {}, "command_execution");
  for (const [name, want] of [
    ["done", "done"],
    ["failed", "failed"],
  ] as const)
    await until(
      `a task ${want}`,
      () => hub.ask<{ status: string }>("GET", `/tasks/${ids[name]}/status`),
      (s) => /(done|completed|failed)/i.test(s.status),
    );
  await server.stop();
}

/** Tasks that are done, failed and waiting. */
export const taskScenes: Scene[] = [
  {
    name: "tasks",
    seed,
    stops: [
      [
        "tasks",
        async (app) => {
          await app.go("tasks");
          await row(app, ids.done!).waitFor();
        },
      ],
      [
        "tasks-done",
        async (app) => {
          await row(app, ids.done!).click();
          await app.page.locator(".task").waitFor();
          await app.page.locator(".task-result, .md, [role=log]").first().waitFor();
        },
      ],
      [
        "tasks-failed",
        async (app, phone) => {
          if (phone) await app.go("tasks/");
          await row(app, ids.failed!).click();
          await app.page.locator(".task").waitFor();
        },
      ],
      [
        "tasks-nothing",
        async (app, phone) => {
          if (phone) await app.go("tasks/");
          await app.page.getByRole("textbox", { name: /^(Search tasks|タスクを検索)$/ }).fill("zzzz");
          await app.page.locator(".tasks-list .empty, .panel .empty").first().waitFor();
        },
      ],
    ],
  },
];
