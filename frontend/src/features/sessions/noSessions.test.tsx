import { createInstance } from "i18next";
import { renderToStaticMarkup } from "react-dom/server";
import { I18nextProvider, initReactI18next } from "react-i18next";
import { expect, test, vi } from "vitest";
import sessions from "@/i18n/en/sessions.json";
import type * as News from "@/stores/sessionNews";
import { NoSessions } from "./NoSessions";

const hub = vi.hoisted(() => ({ gateways: [] as string[] }));
vi.mock("@/stores/gateways", () => ({ useGateways: () => hub.gateways.map((name) => ({ name })) }));
vi.mock("./NewSession", () => ({ NewSession: () => null }));
vi.mock("@/stores/sessionNews", async (original) => ({
  ...(await original<typeof News>()),
  useSessionNews: () => ({ "session:office/agent:lead:main": 2, "session:here/agent:lead:main": 1 }),
}));

async function shown(...gateways: string[]): Promise<string> {
  const i18n = createInstance();
  await i18n.use(initReactI18next).init({ lng: "en", resources: { en: { translation: { sessions } } } });
  hub.gateways = gateways;
  const nothing = () => undefined;
  return renderToStaticMarkup(
    <I18nextProvider i18n={i18n}>
      <NoSessions gateway="here" onOpen={nothing} onGateway={nothing} />
    </I18nextProvider>,
  );
}

test("GW-9 a gateway without sessions is named, with a button for what is unread on others", async () => {
  const html = await shown("here", "office", "quiet");
  expect(html).toContain("No sessions on here yet");
  expect(html.match(/[^<>]*unread/g)).toEqual(["office: 2 unread"]);
  expect(await shown("here")).toContain("No sessions yet");
});
