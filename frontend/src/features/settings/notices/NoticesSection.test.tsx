// @vitest-environment happy-dom
import { act } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { loadLanguage, startLanguage } from "@/i18n";
import { ApiError } from "@/stores/faults";
import { usePush } from "@/stores/push";
import { NoticesSection } from "./NoticesSection";

// What the store reads and does is in its own tests. Here each of its states is shown.
vi.mock("@/stores/push", async (original) => ({
  ...(await original<object>()),
  readPush: () => Promise.resolve(),
}));

const first = usePush.getState();
beforeAll(() => startLanguage().then(() => loadLanguage("en")));
beforeEach(() => vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true));
afterEach(() => {
  usePush.setState(first, true);
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

/** The section as it is shown: its text, and the switch. */
function shown(state: Partial<ReturnType<typeof usePush.getState>>) {
  usePush.setState({ ...first, ...state }, true);
  vi.stubGlobal("isSecureContext", true);
  const at = document.body.appendChild(document.createElement("div")),
    root = createRoot(at);
  act(() => root.render(<NoticesSection />));
  const found = at.querySelector<HTMLButtonElement>('[role="switch"]');
  const out = {
    text: at.textContent,
    on: found?.getAttribute("aria-checked"),
    disabled: found?.disabled,
    buttons: [...at.querySelectorAll("button:not([role])")].map((b) => b.textContent),
  };
  act(() => root.unmount());
  return out;
}

it("OC-5 push notifications are off until the person turns them on, and then there is a test", () => {
  expect(shown({ state: "off" })).toMatchObject({ on: "false", disabled: false });
  expect(shown({ state: "off" }).buttons).not.toContain("Send a test");
  const on = shown({ state: "on" });
  expect(on.on).toBe("true");
  expect(on.buttons).toContain("Send a test");
  expect(shown({ state: "on", busy: true }).disabled).toBe(true);
});

it("OC-5 the switch says why it can't be turned on, and is disabled where it never can", () => {
  for (const [why, text, disabled] of [
    ["window", "the AgentFlow window notifies you", true],
    ["insecure", "https://", true],
    ["unsupported", "has no push notifications", true],
    ["blocked", "in the browser's settings", false],
    ["unanswered", "choose Allow", false],
    ["certificate", "certificate", false],
    ["browser", "push service", false],
  ] as const) {
    const seen = shown({ state: "off", why });
    expect([seen.on, seen.disabled]).toEqual(["false", disabled]);
    expect(seen.text).toContain(text);
  }
});

it("OC-5 a failure is shown with the way out: reading, turning on, turning off", () => {
  const full = new ApiError({ code: "CONFLICT", message: "full", details: { reason: "push_full", most: 50 } }, 409);
  expect(shown({ state: "failed", error: full }).buttons).toContain("Retry");
  expect(shown({ state: "off", error: full }).text).toContain(
    "Couldn't turn on push notifications50 browsers get push notifications already.",
  );
  expect(shown({ state: "on", error: full }).text).toContain("Couldn't turn off push notifications");
  expect(shown({ state: "reading" }).on).toBeUndefined();
});

it("OC-5 a test says as much as is known", () => {
  const service = "push.example.net";
  expect(shown({ state: "on", test: { service, arrived: false } }).text).toContain(
    "push.example.net accepted the test. It hasn't arrived in this browser yet.",
  );
  expect(shown({ state: "on", test: { service, arrived: true } }).text).toContain("The test has arrived");
  const details = { reason: "push_refused", service, status: 403 };
  const refused = new ApiError({ code: "UNAVAILABLE", message: "no", details }, 503);
  expect(shown({ state: "on", testError: refused }).text).toContain(
    "Couldn't send the testpush.example.net rejected the notification (status 403).",
  );
});
