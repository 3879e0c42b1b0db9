import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { inflateRawSync } from "node:zlib";
import type { Download } from "playwright-core";
import { describe } from "vitest";
import { expect, test, until, type App } from "./app.ts";
import { dropFile } from "./drop.ts";
import { seedShop } from "./seed.ts";

const secret = "sk-abcd1234efgh5678ijkl";
const team = `agentflow: 1\nname: 落とした図\nagents:\n  - id: a\n    name: エー\n    connections: [{targetId: b, type: command}]\n  - id: b\n`;

const dialog = (app: App) => app.page.getByRole("dialog");
const bytes = async (d: Download) => readFile(await d.path());

/** The files of a zip, by its central directory. */
function unzip(zip: Buffer): Map<string, string> {
  const out = new Map<string, string>();
  let at = zip.readUInt32LE(zip.lastIndexOf("PK\u0005\u0006") + 16);
  for (
    ;
    zip.readUInt32LE(at) === 0x02014b50;
    at += 46 + zip.readUInt16LE(at + 28) + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  ) {
    const size = zip.readUInt32LE(at + 20),
      local = zip.readUInt32LE(at + 42),
      name = zip.subarray(at + 46, at + 46 + zip.readUInt16LE(at + 28)).toString();
    const from = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    out.set(name, inflateRawSync(zip.subarray(from, from + size)).toString());
  }
  return out;
}

describe("files", () => {
  test("APP-1 a file that the program is started with is shown by the first page, once", async ({ open }) => {
    const folder = await mkdtemp(path.join(tmpdir(), "agentflow-file-"));
    try {
      const file = path.join(folder, "given.agentflow.yaml");
      await writeFile(file, team);
      const app = await open({ file });
      await dialog(app).getByText("2 agents · 1 connection").waitFor();
      await dialog(app).getByText("given.agentflow.yaml").first().waitFor();
      await dialog(app)
        .getByRole("button", { name: /^(Open|Make|Create|New)/ })
        .first()
        .click();
      await app.kept(
        "the file as a new team",
        (d) => d.topology.name === "落とした図" && d.topology.agents.length === 2,
      );
      await app.page.reload();
      await app.ready();
      expect(await app.hub.ask("POST", "/api/files/take")).not.toHaveProperty("file");
      expect(await dialog(app).count()).toBe(0);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
  test("APP-1 a file dropped on any screen is shown before it is drawn, into the team or as a new one", async ({
    open,
  }) => {
    const app = await open();
    const before = await app.team();
    await app.go("settings");
    await dropFile(app, "team.agentflow.yaml", team);
    await dialog(app).getByText("2 agents · 1 connection").waitFor();
    await dialog(app)
      .getByText(/^If you load it into .*: .*added/)
      .waitFor();
    expect((await app.team()).head).toBe(before.head);
    await dialog(app)
      .getByRole("button", { name: /^Load into/ })
      .click();
    await app.kept("the team in the open team", (d) => d.id === before.id && d.topology.agents.length === 2);
    await app.frontToast().getByRole("button", { name: "Undo" }).click();
    await app.kept("the team as it was", (d) => d.topology.agents.length === before.topology.agents.length);

    await dropFile(app, "openclaw.json", `{"agents":{"list":[{"id":"x","model":"openai/gpt-5-mini","zap":1}]}}`);
    await dialog(app).getByText("OpenClaw config, agents as a list").waitFor();
    await dialog(app)
      .getByText(/1 unknown field is kept: .*zap/)
      .waitFor();
    await dialog(app).getByRole("button", { name: "Open as a new team" }).click();
    const made = await until(
      "a new team",
      () => app.team(),
      (d) => d.id !== before.id,
    );
    expect([made.name, made.topology.agents.map((a) => a.id), made.canUndo]).toEqual(["openclaw", ["x"], false]);
    await app.frontToast().getByRole("button", { name: "Undo" }).click();
    await until(
      "the one before",
      () => app.team(),
      (d) => d.id === before.id,
    );
    expect(app.complaints).toEqual([]);
  });

  test("APP-1 a file that cannot be read is refused with its name and line; the team stays", async ({ open }) => {
    const app = await open();
    const before = await app.team(),
      count = (await app.hub.teams()).length;
    await dropFile(app, "broken.yaml", "agentflow: 1\nagents:\n  - id: a\n    temperature: warm\n");
    await dialog(app).getByRole("alert").filter({ hasText: "broken.yaml:4" }).waitFor();
    expect(await dialog(app).getByRole("button", { name: "Open as a new team" }).isDisabled()).toBe(true);
    await app.page.keyboard.press("Escape");
    await dropFile(
      app,
      "evil.agentflow.zip",
      Buffer.from(
        "UEsDBAoAAAAAAAAAIQAAAAAAAAAAAAAAAAAPAAAALi4vLi4vZXZpbC55YW1sUEsBAgoACgAAAAAAAAAhAAAAAAAAAAAAAAAAAA8AAAAAAAAAAAAAAAAAAAAAAC4uLy4uL2V2aWwueWFtbFBLBQYAAAAAAQABAD0AAAAtAAAAAAA=",
        "base64",
      ),
    );
    await dialog(app).getByRole("alert").filter({ hasText: "leads elsewhere" }).waitFor();
    await app.page.keyboard.press("Escape");
    expect([(await app.team()).head, (await app.hub.teams()).length]).toEqual([before.head, count]);
  });

  test("APP-1 GW-7 a bundle tells what it leaves out, holds no secret, and comes back as a team with its named versions", async ({
    open,
  }) => {
    const app = await open();
    const { id, head, topology } = await app.team();
    await app.hub.ask("PATCH", `/api/teams/${id}/versions/${head}`, { name: "はじめ" });
    await app.hub.save(id, {
      ...topology,
      agents: topology.agents.map((a, i) => (i ? a : { ...a, persona: `Say ${secret}` })),
    });
    await app.run("pack as a bundle");
    await dialog(app).getByText("contains a secret, so it's left out").waitFor();
    await dialog(app).getByText("Contains 4 files").waitFor();
    const [download] = await Promise.all([
      app.page.waitForEvent("download"),
      dialog(app)
        .getByRole("button", { name: /^Save .*\.agentflow\.zip$/ })
        .click(),
    ]);
    const data = await bytes(download),
      files = unzip(data);
    expect(files.get("README.md")).toContain("`persona`");
    expect([...files.values()].join("\n")).not.toContain(secret);
    expect([...files.keys()].filter((n) => n.endsWith(".agentflow.yaml")).length).toBe(2);

    await dropFile(app, download.suggestedFilename(), data);
    await dialog(app).getByText("はじめ").waitFor();
    await dialog(app).getByRole("button", { name: "Open as a new team" }).click();
    const made = await until(
      "the team of the bundle",
      () => app.team(),
      (d) => d.id !== id,
    );
    expect(made.topology.layout).toEqual(topology.layout);
    expect(made.topology.agents[0]!.persona).toBe("Say [removed]");
    const { versions } = await app.hub.ask<{ versions: { name?: string }[] }>("GET", `/api/teams/${made.id}/versions`);
    expect(versions.map((v) => v.name ?? "")).toEqual(["", "はじめ"]);
    expect(app.complaints).toEqual([]);
  });
});

describe("pictures", () => {
  test("APP-1 the team as SVG: every name as text, in its place, Japanese, dark or light, well formed", async ({
    open,
  }) => {
    let id = "";
    const app = await open({
      language: "ja",
      seed: async (hub) => {
        id = await seedShop(hub, true);
      },
    });
    await until(
      "the team",
      () => app.page.locator(".react-flow__node-agent").count(),
      (n) => n === 9,
    );
    await app.run("画像として保存");
    await dialog(app).getByRole("radio", { name: "SVG", exact: true }).click();
    await dialog(app).getByRole("radio", { name: "ダーク" }).click();
    const [download] = await Promise.all([
      app.page.waitForEvent("download"),
      dialog(app).getByRole("button", { name: "SVGで保存" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("ショップ開発チーム.svg");
    const svg = (await bytes(download)).toString();
    const { topology } = await app.hub.team(id);
    for (const a of topology.agents) expect(svg).toContain(`>${a.name}<`);
    expect(svg.match(/data-agent=/g)).toHaveLength(topology.agents.length);
    expect(svg.match(/marker-end=/g)).toHaveLength(
      topology.agents.reduce((n, a) => n + (a.connections?.length ?? 0), 0),
    );
    expect(svg).toContain("#111415");
    expect(svg).not.toMatch(/var\(|https?:\/\/(?!www\.w3\.org)|<script|undefined|NaN/);
    const seen = await app.page.evaluate((text) => {
      const doc = new DOMParser().parseFromString(text, "image/svg+xml"),
        root = doc.documentElement;
      const [x, y, w, h] = root.getAttribute("viewBox")!.split(" ").map(Number);
      const rects = [...doc.querySelectorAll("[data-agent] > rect:first-child")].map((r) =>
        ["x", "y", "width", "height"].map((k) => Number(r.getAttribute(k))),
      );
      return {
        fault: doc.querySelector("parsererror")?.textContent ?? "",
        inside: rects.every(
          ([rx, ry, rw, rh]) => rx! >= x! && ry! >= y! && rx! + rw! <= x! + w! && ry! + rh! <= y! + h!,
        ),
      };
    }, svg);
    expect(seen).toEqual({ fault: "", inside: true });
    expect(app.complaints).toEqual([]);
  });

  test("APP-1 PNG of the selection, twice the size, without a background, and to the clipboard", async ({ open }) => {
    const app = await open();
    await app.context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await app.node("researcher").click();
    await app.node("writer").click({ modifiers: ["Shift"] });
    await app.run("save as image");
    await dialog(app).getByRole("radio", { name: "Selection" }).click();
    await dialog(app).getByRole("switch", { name: "With background" }).click();
    await dialog(app).getByRole("radio", { name: "PNG 2×" }).click();
    const said = await dialog(app).getByRole("status").textContent();
    const [download] = await Promise.all([
      app.page.waitForEvent("download"),
      dialog(app).getByRole("button", { name: "Save PNG" }).click(),
    ]);
    const png = await bytes(download);
    expect(png.subarray(1, 4).toString()).toBe("PNG");
    const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
    expect(said).toBe(`${width} × ${height} px`);
    // 400 px of agents side by side and 32 px around, twice.
    expect([width, height]).toEqual([2 * (400 + 64), 2 * (70 + 64)]);
    const corner = await app.page.evaluate(async (data) => {
      const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(data), (c) => c.charCodeAt(0))]));
      const el = new OffscreenCanvas(bitmap.width, bitmap.height),
        g = el.getContext("2d", { willReadFrequently: true })!;
      g.drawImage(bitmap, 0, 0);
      return [[...g.getImageData(2, 2, 1, 1).data], [...g.getImageData(64 + 30, 64 + 128, 1, 1).data].slice(0, 3)];
    }, png.toString("base64"));
    expect(corner[0]![3]).toBe(0);
    expect(corner[1]).toEqual([255, 255, 255]);

    await app.run("save as image");
    await dialog(app).getByRole("button", { name: "Copy as PNG" }).click();
    await app.page.getByText("Image copied").waitFor();
    expect(await app.page.evaluate(async () => (await navigator.clipboard.read()).flatMap((i) => i.types))).toEqual([
      "image/png",
    ]);
    expect(app.complaints).toEqual([]);
  });

  test("APP-1 a thousand agents are one picture, none of them missing", async ({ open }) => {
    const app = await open({
      seed: async (hub) => {
        const agents = Array.from({ length: 1000 }, (_, i) => ({
          id: `a-${i}`,
          name: `担当 ${i}`,
          connections: i ? [{ type: "command", targetId: `a-${Math.floor((i - 1) / 4)}` }] : [],
        }));
        await hub.ask("POST", "/api/teams", {
          topology: {
            name: "Large",
            agents,
            layout: Object.fromEntries(
              agents.map((a, i) => [a.id, { x: (i % 40) * 200, y: Math.floor(i / 40) * 100 }]),
            ),
          },
        });
      },
    });
    await until(
      "the large one",
      () => app.team(),
      (d) => d.topology.agents.length === 1000,
    );
    await app.run("save as image");
    await dialog(app).getByRole("radio", { name: "PNG", exact: true }).click();
    const [download] = await Promise.all([
      app.page.waitForEvent("download", { timeout: 30_000 }),
      dialog(app).getByRole("button", { name: "Save PNG" }).click(),
    ]);
    const png = await bytes(download);
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([39 * 200 + 180 + 64, 24 * 100 + 70 + 64]);
    expect(png.length).toBeGreaterThan(200_000);
    expect(app.complaints).toEqual([]);
  });
});
