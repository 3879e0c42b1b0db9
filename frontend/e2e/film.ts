import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { test, until, type App } from "./app.ts";
import { ModelServer } from "./modelServer.ts";
import { redraw } from "./seed.ts";
import { submit } from "./team.ts";

// The moving picture of the README, drawn by the program itself: connect, review, apply, watch the work, undo.

const root = fileURLToPath(new URL("../../", import.meta.url));
const size = { width: 1120, height: 700 };

/** Takes frames, each with the time for which it's shown, and makes one animation of them. */
class Film {
  private readonly dir = mkdtempSync(path.join(tmpdir(), "agentflow-film-"));
  private frames = 0;
  private readonly app: App;

  constructor(app: App) {
    this.app = app;
  }

  /** Screenshots have no pointer, so one is drawn. */
  async showPointer(): Promise<void> {
    await this.app.page.evaluate(() => {
      const pointer = document.createElement("div");
      pointer.style.cssText = "position:fixed;z-index:99999;pointer-events:none;left:0;top:0";
      pointer.innerHTML =
        '<svg width="20" height="26" viewBox="0 0 20 26" fill="#111" stroke="#fff" stroke-width="1.5">' +
        '<path d="M2 2v19l5-5 3.5 8 3.5-1.5L10.5 15H18z"/></svg>';
      document.body.append(pointer);
      document.addEventListener(
        "mousemove",
        (e) => {
          pointer.style.left = `${e.clientX}px`;
          pointer.style.top = `${e.clientY}px`;
        },
        true,
      );
    });
  }

  async frame(ms: number): Promise<void> {
    const name = `${String(this.frames++).padStart(3, "0")}-${ms}.png`;
    writeFileSync(path.join(this.dir, name), await this.app.page.screenshot({ caret: "hide" }));
  }

  /** Moves the pointer in steps that are seen. */
  async move(to: { x: number; y: number }, from: { x: number; y: number }, steps = 6): Promise<void> {
    for (let i = 1; i <= steps; i++) {
      await this.app.page.mouse.move(from.x + ((to.x - from.x) * i) / steps, from.y + ((to.y - from.y) * i) / steps);
      await this.frame(90);
    }
  }

  /** Writes the animation, and removes the frames. */
  save(name: string): void {
    execFileSync("go", ["run", "./build/film", this.dir, `docs/images/${name}.gif`], { cwd: root });
    rmSync(this.dir, { recursive: true });
  }
}

test("connect, review, apply, work, undo", async ({ open }) => {
  const server = await ModelServer.start({
    models: ["assistant"],
    script: async function* () {
      for (const word of "The cart rounds each line; the invoice rounds once per tax rate. ".split(" ")) {
        await new Promise((r) => setTimeout(r, 250));
        yield `${word} `;
      }
    },
  });
  try {
    const app = await open({
      viewport: size,
      seed: async (hub) => {
        await hub.ask("POST", "/api/providers", {
          name: "shop",
          kind: "openai",
          baseUrl: `${server.url}/v1`,
          default: true,
        });
        const [team] = await hub.teams();
        await redraw(hub, team!.id, "edit.model", (t) => ({
          ...t,
          agents: t.agents.map((a) => ({ ...a, model: "shop/assistant", workspace: `~/.openclaw/workspace-${a.id}` })),
        }));
        await hub.apply(team!.id);
      },
    });
    const { page } = app,
      film = new Film(app);
    await film.showPointer();
    const rest = { x: size.width / 2, y: size.height - 120 };
    await page.mouse.move(rest.x, rest.y);
    await film.frame(900);

    // Connect
    await app.node("lead").hover();
    const from = await app.middle(app.node("lead").locator('.react-flow__handle[data-handleid="b"]')),
      to = await app.middle(app.node("backend"));
    await film.move(from, rest);
    await page.mouse.down();
    await film.move(to, from, 8);
    await page.mouse.up();
    await film.frame(700);
    await page.keyboard.press("1");
    await app.kept("the connection", (d) => d.unsent === 1);
    await film.frame(1200);

    // Review
    await page.keyboard.press("Control+Enter");
    await page.locator(".review-row[data-change]").first().waitFor();
    const apply = app.button(/^Apply \d+ change/);
    await until("the apply to be offered", () => apply.isEnabled());
    await film.frame(1600);
    const at = await app.middle(apply);
    await film.move(at, to);

    // Apply
    await apply.click();
    await page
      .getByText(/^Applied \d+ change/)
      .first()
      .waitFor();
    await film.frame(1500);
    await app.go("canvas");
    await app.node("backend").waitFor();
    await film.frame(600);

    // Work
    await submit(app.hub, "Why do cart and invoice differ by 1 yen?", { agent: "backend" });
    await submit(app.hub, "Write down how prices are rounded", { agent: "writer" });
    await app.node("backend").locator(".node.s-running").waitFor();
    for (let i = 0; i < 6; i++) {
      await page.waitForTimeout(250);
      await film.frame(350);
    }

    // Undo
    await page.keyboard.press("Control+z");
    await page.getByRole("dialog").waitFor();
    await film.frame(1500);
    await page.getByRole("dialog").getByRole("button", { name: /^Undo/ }).last().click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.waitForTimeout(1500);
    await film.frame(2200);
    film.save("tour");
  } finally {
    await server.stop();
  }
});
