import { createInstance } from "i18next";
import { renderToStaticMarkup } from "react-dom/server";
import { I18nextProvider, initReactI18next } from "react-i18next";
import { expect, test, vi } from "vitest";
import en from "@/i18n/en/rooms.json";
import ja from "@/i18n/ja/rooms.json";
import type { RoomStatus } from "@/topology";
import { TurnBar } from "./TurnBar";

vi.mock("@/i18n", () => ({ i18next: {} })); // it asks the browser for its language
vi.mock("@/i18n/format", () => ({ formatList: (l: string[]) => l.join() }));
vi.mock("@/stores/faults", () => ({ attempt: () => undefined }));
vi.mock("@/stores/rooms", () => ({ roomActions: {} }));
vi.mock("@/ui/chat", () => ({ TypingLine: () => null }));

type Member = Partial<RoomStatus["agents"][number]>;

async function stopOf(lng: "en" | "ja", state: RoomStatus["state"], member: Member) {
  const i18n = createInstance();
  await i18n.use(initReactI18next).init({ lng, resources: { [lng]: { translation: { rooms: { en, ja }[lng] } } } });
  const floor = { state, agents: [{ name: "Dev", status: "online", ...member }] } as RoomStatus;
  const html = renderToStaticMarkup(
    <I18nextProvider i18n={i18n}>
      <TurnBar room="dev" floor={floor} />
    </I18nextProvider>,
  );
  const button = html.match(/<button[^>]*>/g)!.find((b) => b.includes({ en, ja }[lng].turn.stop))!;
  return { off: button.includes("disabled"), why: button.includes({ en, ja }[lng].turn.nothingToStop) };
}

test("CH-12 Stop all answers is enabled only while there is an answer to stop", async () => {
  const on = { off: false, why: false },
    off = { off: true, why: true };
  for (const lng of ["en", "ja"] as const) {
    expect(await stopOf(lng, "open", {})).toEqual(off);
    expect(await stopOf(lng, "open", { status: "answering", turnId: "1" })).toEqual(on);
    expect(await stopOf(lng, "open", { queued: true })).toEqual(on);
    expect(await stopOf(lng, "paused", { queued: true })).toEqual(on);
    // A limit ended the turns: no agent answers until Resume or a message.
    expect(await stopOf(lng, "halted", { queued: true })).toEqual(off);
    expect(await stopOf(lng, "halted", { status: "answering", turnId: "1" })).toEqual(on);
  }
});
