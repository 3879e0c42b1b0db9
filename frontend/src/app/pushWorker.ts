import { asks, needsAnswer, needsApproval, several, severalWhy, testBody, testTitle } from "@/i18n/en/push.json";
import {
  asks as asksJa,
  needsAnswer as needsAnswerJa,
  needsApproval as needsApprovalJa,
  several as severalJa,
  severalWhy as severalWhyJa,
  testBody as testBodyJa,
  testTitle as testTitleJa,
} from "@/i18n/ja/push.json";
import { markedLine } from "@/ui/unseen";

// The page's service worker does two things: it shows push notifications, and opens their place on a click. It keeps
// nothing, and no request of the page passes through it.

/** What a push says (backend/work/webpush). */
type Message = { kind: string; name?: string; count?: number; place: string; language: string };

type Client = { focused: boolean; visibilityState: string; focus(): Promise<unknown>; postMessage(m: object): void };
type Shown = { title: string; body: string };
type Event = { waitUntil(work: Promise<unknown>): void };
type PushEvent = Event & { data: { text(): string } | null };
type ClickEvent = Event & { notification: { data: unknown; close(): void } };

/** What this file needs of a ServiceWorkerGlobalScope. */
export type Scope = {
  addEventListener(type: string, on: (e: never) => void): void;
  skipWaiting(): Promise<void>;
  navigator: { userAgent: string };
  registration: {
    scope: string;
    showNotification(title: string, options: NotificationOptions): Promise<void>;
    getNotifications(filter: { tag: string }): Promise<Shown[]>;
  };
  clients: {
    matchAll(o: { type: "window"; includeUncontrolled: true }): Promise<Client[]>;
    openWindow(url: string): Promise<unknown>;
  };
};

/** Named one by one, so that the other texts stay out of the file. */
const words = {
  en: { asks, needsAnswer, needsApproval, several, severalWhy, testBody, testTitle },
  ja: {
    asks: asksJa,
    needsAnswer: needsAnswerJa,
    needsApproval: needsApprovalJa,
    several: severalJa,
    severalWhy: severalWhyJa,
    testBody: testBodyJa,
    testTitle: testTitleJa,
  },
};

const inbox = "#/inbox";
/** A place of the page, as the desktop window takes one (app_notice.go). */
const place = /^#\/[\w/%.!~*'()-]{0,300}$/;

/** Reads a push. What can't be read still says that something waits: browsers want each push shown. */
function read(data: PushEvent["data"]): Message {
  const nothing = { kind: "", place: inbox, language: "" };
  try {
    const m = JSON.parse(data?.text() ?? "") as Partial<Record<keyof Message, unknown>> | null;
    const text = (v: unknown) => (typeof v === "string" ? v : "");
    const to = text(m?.place);
    return {
      kind: text(m?.kind),
      name: markedLine(text(m?.name)).slice(0, 300),
      count: typeof m?.count === "number" ? m.count : undefined,
      place: place.test(to) ? to : inbox,
      language: text(m?.language),
    };
  } catch {
    return nothing;
  }
}

function wordsOf(m: Message): Shown {
  const t = words[m.language === "ja" ? "ja" : "en"],
    fill = (text: string, name: string, value: string) => text.replace(`{{${name}}}`, () => value);
  if (m.kind === "test") return { title: t.testTitle, body: t.testBody };
  if ((m.kind !== "approval" && m.kind !== "question") || !m.name)
    return { title: m.count ? fill(t.several, "count", String(m.count)) : "AgentFlow", body: t.severalWhy };
  return { title: fill(t.asks, "name", m.name), body: m.kind === "approval" ? t.needsApproval : t.needsAnswer };
}

/** Safari ends the subscription of a page that doesn't show each push. */
const showsAll = (scope: Scope) =>
  /AppleWebKit/.test(scope.navigator.userAgent) && !/Chrom/.test(scope.navigator.userAgent);

const windowsOf = (scope: Scope) => scope.clients.matchAll({ type: "window", includeUncontrolled: true });

async function show(scope: Scope, m: Message): Promise<void> {
  const test = m.kind === "test",
    windows = await windowsOf(scope);
  // A page that is looked at shows it anyway.
  if (!test && !showsAll(scope) && windows.some((w) => w.focused && w.visibilityState === "visible")) return;
  const tag = test ? "push-test" : m.place.replace(/^.*\//, ""); // the page's own notice of a question has its ID, too
  const [had] = await scope.registration.getNotifications({ tag }),
    { title, body } = had ?? wordsOf(m);
  await scope.registration.showNotification(title, { body, tag, lang: m.language, data: m.place });
  if (test) for (const w of windows) w.postMessage({ push: "test" });
}

async function open(scope: Scope, at: unknown): Promise<void> {
  const to = typeof at === "string" && place.test(at) ? at : inbox,
    windows = await windowsOf(scope);
  const seen = windows.find((w) => w.visibilityState === "visible") ?? windows[0];
  if (!seen) {
    await scope.clients.openWindow(new URL(`/${to}`, scope.registration.scope).href);
    return;
  }
  seen.postMessage({ push: "open", place: to });
  await seen.focus();
}

/** Listens for pushes and for clicks on notifications, and to nothing else. */
export function listen(scope: Scope): void {
  scope.addEventListener("install", () => void scope.skipWaiting());
  scope.addEventListener("push", (e: PushEvent) => e.waitUntil(show(scope, read(e.data))));
  scope.addEventListener("notificationclick", (e: ClickEvent) => {
    e.notification.close();
    e.waitUntil(open(scope, e.notification.data));
  });
}
