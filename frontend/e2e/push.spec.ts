import { readFileSync } from "node:fs";
import path from "node:path";
import { describe } from "vitest";
import { expect, test, until, type App } from "./app.ts";
import { asks, askingEnv, elsewhereAgent, npm } from "./asking.ts";
import { violations } from "./axe.ts";
import { click, deliver, PushService, shownNotices } from "./pushService.ts";

const toggle = (app: App) => app.page.getByRole("switch", { name: /^Push notifications in this browser/ });
const kept = (app: App) => readFileSync(path.join(app.hub.data, "push.json"), "utf8");

async function withService(work: (service: PushService) => Promise<void>): Promise<void> {
  const service = await PushService.start();
  try {
    await work(service);
  } finally {
    service.stop();
  }
}

describe("push notifications", () => {
  test("OC-5 are off, then on for this browser: a test, a request, a click that shows it, and the end", async ({
    open,
  }) =>
    withService(async (service) => {
      const app = await open({
        fresh: true,
        env: { ...askingEnv, ...service.env },
        seed: (hub) => elsewhereAgent(hub, "writer"),
      });
      await service.subscribes(app);
      await app.page.reload();
      await app.ready();
      await app.go("settings/notices");
      await toggle(app).waitFor();
      expect(await toggle(app).isChecked()).toBe(false);
      expect(await app.page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);
      expect(await violations(app)).toEqual([]);

      await toggle(app).focus();
      await app.page.keyboard.press("Space");
      await app.button("Send a test").waitFor();
      expect(await toggle(app).isChecked()).toBe(true);
      expect(kept(app)).toContain("https://push.example.net/send/browser");

      await app.button("Send a test").click();
      await app.page.getByText("push.example.net accepted the test. It hasn't arrived in this browser yet.").waitFor();
      expect(service.got.map((p) => p.text.kind)).toEqual(["test"]);
      await deliver(app, service.got[0]!.text);
      await app.page.getByText(/^The test has arrived in this browser/).waitFor();
      expect((await shownNotices(app)).map((n) => n.title)).toEqual(["Test notification"]);
      expect(await violations(app)).toEqual([]);

      const q = await asks(app.hub, npm());
      const [, pushed] = await until(
        "the push",
        () => service.got,
        (l) => l.length === 2,
      );
      expect(pushed).toEqual({
        path: "/send/browser",
        text: { kind: "approval", name: "Writer", place: `#/inbox/${q.id}`, language: "en" },
      });
      // A page that is looked at shows it anyway.
      await deliver(app, pushed!.text, true);
      expect((await shownNotices(app)).map((n) => n.tag)).toEqual(["push-test"]);
      await deliver(app, pushed!.text);
      const notice = (await shownNotices(app)).find((n) => n.tag === q.id);
      expect(notice?.title).toBe("Writer has a question for you");
      await click(app, notice!);
      await app.page.getByRole("heading", { level: 2, name: "Run this command?" }).waitFor();
      expect(app.page.url()).toBe(`${app.hub.url}/#/inbox/${q.id}`);

      // Another browser ends this one's sign-in.
      await app.hub.ask("DELETE", "/api/logins");
      await until(
        "the browser to be removed",
        () => kept(app),
        (text) => !text.includes("push.example.net"),
      );
    }));

  test("OC-5 a push service that no longer knows the browser, one that refuses, and off again", async ({ open }) =>
    withService(async (service) => {
      const app = await open({ fresh: true, language: "ja", env: service.env });
      await service.subscribes(app);
      await app.page.reload();
      await app.ready();
      await app.go("settings/notices");
      const ja = app.page.getByRole("switch", { name: /^このブラウザーのプッシュ通知/ });
      await ja.click();
      await app.button("テストを送信").waitFor();
      service.status = 403;
      await app.button("テストを送信").click();
      await app.page.getByText("push.example.netが通知を拒否しました（状態コード403）。", { exact: false }).waitFor();
      expect(service.got.map((p) => p.text.language)).toEqual(["ja"]);
      expect(await ja.isChecked()).toBe(true);
      service.status = 410;
      await app.button("テストを送信").click();
      await app.page.getByText("プッシュサービスにこのブラウザーの登録がないため", { exact: false }).waitFor();
      expect(await ja.isChecked()).toBe(false);
      expect(kept(app)).not.toContain("push.example.net");
      service.status = 201;
      await ja.click();
      await app.button("テストを送信").waitFor();
      await ja.click();
      await app.page.getByText("プッシュ通知をオフにしました").waitFor();
      expect(kept(app)).not.toContain("push.example.net");
      expect(await app.page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);
      // The browser logs each answer that is an error.
      expect(app.complaints.filter((c) => !/status of (409|503)/.test(c))).toEqual([]);
    }));

  test("OC-5 a browser that blocks notifications, and an address inside a network", async ({ open }) => {
    const app = await open({ fresh: true });
    await app.go("settings/notices");
    await toggle(app).waitFor();
    await app.page
      .getByText(/^The browser blocks notifications from this page/)
      .first()
      .waitFor();
    await toggle(app).click();
    await until("the answer", () => toggle(app).isEnabled(), Boolean);
    expect(await toggle(app).isChecked()).toBe(false);
    const status = await app.page.evaluate(async () => {
      const headers = {
        "Content-Type": "application/json",
        "AgentFlow-Page-Key": localStorage.getItem("agentflow.pageKey") ?? "",
      };
      const { key } = (await (await fetch("/api/push/key", { headers })).json()) as { key: string };
      const body = JSON.stringify({ endpoint: "https://127.0.0.1/1", p256dh: "AA", auth: "AA", key, language: "en" });
      const answer = await fetch("/api/push", { method: "PUT", headers, body });
      return [
        answer.status,
        ((await answer.json()) as { error: { details: { reason: string } } }).error.details.reason,
      ];
    });
    expect(status).toEqual([400, "push_address"]);
  });
});
