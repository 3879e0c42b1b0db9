import { afterEach, describe, expect, it, vi } from "vitest";
import { hub } from "../api/hub";
import { defaultSettings } from "./apply";
import { takeNotify, useHub } from "./hub";
import { changeSettings } from "./settings";

afterEach(() => {
  vi.restoreAllMocks();
  useHub.setState({ settings: defaultSettings });
});

/** A hub that answers when the test releases it. */
function slowHub() {
  const open: { body: typeof defaultSettings; done: () => void; fail: () => void }[] = [];
  vi.spyOn(hub, "saveSettings").mockImplementation(
    (body) =>
      new Promise((done, failed) => {
        open.push({ body, done: () => done(body), fail: () => failed(new Error("no")) });
      }),
  );
  const next = async () => {
    await vi.waitFor(() => expect(open.length).toBeGreaterThan(0));
    return open.shift()!;
  };
  return { open, next };
}

describe("settings", () => {
  it("two quick changes are saved one after the other, and neither is lost or shown as lost", async () => {
    const { open, next } = slowHub(),
      shown = () => `${useHub.getState().settings.theme} ${useHub.getState().settings.motion}`;
    const a = changeSettings({ theme: "dark" }),
      b = changeSettings({ motion: "reduced" });
    const first = await next();
    expect(open).toHaveLength(0);
    first.done();
    await a;
    expect(shown()).toBe("dark reduced");
    takeNotify({ seq: 1, settings: first.body });
    expect(shown()).toBe("dark reduced");
    const second = await next();
    expect(second.body).toMatchObject({ theme: "dark", motion: "reduced" });
    second.done();
    await b;
    expect(useHub.getState().settings).toMatchObject({ theme: "dark", motion: "reduced" });
  });

  it("a change that the hub rejects is taken back alone", async () => {
    const { next } = slowHub();
    const a = changeSettings({ theme: "dark" }),
      b = changeSettings({ textSize: 125 });
    (await next()).fail();
    await expect(a).rejects.toThrow();
    (await next()).done();
    await b;
    expect(useHub.getState().settings).toMatchObject({ theme: "auto", textSize: 125 });
  });
});
