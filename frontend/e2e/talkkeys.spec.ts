import type { Locator } from "playwright-core";
import { describe } from "vitest";
import { expect, test, until, type App } from "./app.ts";
import type { Hub } from "./hub.ts";

const field = (app: App) => app.page.locator(".composer textarea");
const post = (hub: Hub, room: string, message: string) =>
  hub.ask("POST", "/api/message", { room, sender: "backend", message });
const palette = (app: App) => app.page.getByRole("dialog").getByRole("combobox");
/** Escape as browsers report it that cancels a conversion of the input method. */
const cancelConversion = (at: Locator) =>
  at.evaluate((e) =>
    e.dispatchEvent(
      new KeyboardEvent("keydown", { key: "Escape", isComposing: true, keyCode: 229, bubbles: true, cancelable: true }),
    ),
  );

describe("keys where a message is written", () => {
  test("APP-1 APP-4 Ctrl+K opens the palette from a message box; what is typed then is searched for, not sent", async ({
    open,
  }) => {
    const app = await open({ seed: (hub) => post(hub, "Checkout", "Here.").then(() => undefined) });
    for (const place of ["rooms/Checkout", `sessions/local/${encodeURIComponent("agent:lead:main")}`]) {
      await app.go(place);
      await field(app).click();
      await app.page.keyboard.type("k? j");
      expect(await field(app).inputValue()).toBe("k? j");
      await app.page.keyboard.press("Control+k");
      await palette(app).waitFor();
      await app.page.keyboard.type("settings");
      expect(await palette(app).inputValue()).toBe("settings");
      await app.page.keyboard.press("Escape");
      await palette(app).waitFor({ state: "detached" });
      expect(await field(app).inputValue()).toBe("k? j");
      await until("the focus to be back", () => field(app).evaluate((e) => e === document.activeElement));
    }
    const { messages } = await app.hub.ask<{ messages: unknown[] }>("GET", "/api/messages?room=Checkout&limit=10");
    expect(messages).toHaveLength(1);
    expect(await app.page.getByRole("dialog").count()).toBe(0);
    expect(app.complaints).toEqual([]);
  });

  test("APP-4 what is typed right after New session stands in its box", async ({ open }) => {
    const app = await open();
    await app.go("sessions");
    await app.page.getByText("No sessions yet").waitFor();
    // The history comes late, as from a gateway that is at work.
    let late = () => {};
    const held = new Promise<void>((r) => {
      late = r;
    });
    await app.page.route("**/api/gateway/chat/history", async (route) => {
      await held;
      await route.continue();
    });
    await app.button("New session").click();
    await app.page.getByRole("menuitem", { name: "Lead" }).press("Enter");
    await app.page.getByRole("region", { name: "Lead" }).waitFor();
    await app.page.keyboard.type("Good mornign");
    for (const key of ["Backspace", "Backspace", "n", "g"]) await app.page.keyboard.press(key);
    late();
    await until(
      "what was typed",
      () => field(app).inputValue(),
      (v) => v === "Good morning",
    );
    await app.page.keyboard.type("!");
    expect(await field(app).inputValue()).toBe("Good morning!");
    expect(app.complaints).toEqual([]);
  });

  test("APP-4 Escape that cancels a conversion throws nothing away: name, plan, filter, dialog", async ({ open }) => {
    const app = await open({ language: "ja", seed: (hub) => post(hub, "会計", "はい").then(() => undefined) });
    await app.go(`rooms/${encodeURIComponent("会計")}`);
    await app.button("名前を変更").click();
    const name = app.page.getByLabel("ルームでの名前");
    await name.fill("みか");
    await cancelConversion(name);
    expect(await name.inputValue()).toBe("みか");
    await name.press("Escape");
    await name.waitFor({ state: "detached" });

    const { id } = await app.hub.ask<{ id: string }>("POST", "/api/plans", { name: "店" });
    await app.hub.ask("POST", `/api/plans/${id}/edit`, {
      version: 1,
      operations: [{ op: "create", temp_id: "t", title: "設計" }],
    });
    await app.go(`plan/${id}`);
    await app.page.getByRole("treeitem").first().click();
    const title = app.page.locator("#plan-title");
    await title.fill("設計と実装");
    await cancelConversion(title);
    expect(await title.inputValue()).toBe("設計と実装");

    await app.go("teams");
    const find = app.page.getByRole("textbox").first();
    await find.fill("みほん");
    await cancelConversion(find);
    expect(await find.inputValue()).toBe("みほん");
    await find.fill("");

    await app.go("rooms");
    await app.page.locator(".rooms-list").getByRole("button", { name: "ルームを作成" }).first().click();
    const made = app.page.getByRole("dialog").getByRole("textbox").first();
    await made.fill("夜");
    await cancelConversion(made);
    await until(
      "the dialog to stay",
      () => made.inputValue(),
      (v) => v === "夜",
    );
    await made.press("Escape");
    await made.waitFor({ state: "detached" });
  });
});
