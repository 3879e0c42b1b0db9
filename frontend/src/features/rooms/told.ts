import type { TFunction } from "i18next";
import { causeText } from "@/i18n/cause";
import { commandEnd } from "@/i18n/commandEnd";
import { formatNumber } from "@/i18n/format";
import type { RoomMessage } from "@/topology";

/** What an agent did with a tool. */
export type ToolUse = { name: string; input: string; output: string; failed: boolean; why?: string };
/** What a system message tells, in the person's language. `own`: the hub's own words, where they say more. */
export type Told = { text: string; own?: string; tool?: ToolUse };

/** What stands in a fence of code. */
const unfenced = (text: string) => /^(`{3,})\n([\s\S]*)\n\1$/.exec(text)?.[2] ?? text;

/** A text in Markdown that is shown as it is, whatever stands in it. */
function code(text: string): string {
  const fence = "`".repeat(Math.max(0, ...[...text.matchAll(/`+/g)].map((m) => m[0].length)) + 1);
  return fence.length > 1 ? `${fence} ${text} ${fence}` : `${fence}${text}${fence}`;
}

/** The end of a text that is not the hub's words: a tool's result, or what had come of an answer. */
function ownEnd(m: RoomMessage): string {
  const n = Number(m.cause?.params?.own ?? 0),
    all = n > 0 ? Array.from(m.message) : [];
  return n > 0 && n < all.length ? all.slice(-n).join("") : "";
}

/** The hub's text without the sentence that introduces what follows, which is shown separately. */
const withoutLead = (text: string) => text.replace(/(?<=[.!?])\s+[^.!?]*:$/, "");

/** Tells a message in the person's language; as it is stored where there are no words for it. */
export function told(t: TFunction, m: RoomMessage): Told {
  if (m.type !== "system" || !m.cause) return { text: m.message };
  const { code: word, params = {} } = m.cause,
    end = ownEnd(m),
    key = `rooms.told.${word}`;
  const n = Number(params.n),
    agent = params.agent ?? m.sender;
  if (word === "unanswered") {
    const reason = params.why ? causeText(t, { code: params.why, params: { ...params, agent } }, "") : "";
    const head = reason ? t("rooms.told.unanswered_why", { agent, reason }) : t("rooms.told.unanswered", { agent });
    return {
      text: end ? `${head}\n\n${t("rooms.told.own")}\n\n${end}` : head,
      own: end ? withoutLead(m.message.slice(0, -end.length).trim()) : m.message,
    };
  }
  const call = params.tool ? code([params.tool, params.arguments].filter(Boolean).join(" ")) : "";
  const head = t(key, {
    agent,
    call,
    by: params.by,
    n: Number.isFinite(n) ? formatNumber(n) : params.n,
    defaultValue: "",
  });
  if (!head) return { text: m.message };
  const text = end ? `${head}\n\n${end}` : head;
  if (!params.tool) return { text };
  const output = unfenced(end),
    why = commandEnd(t, params.tool, output);
  return {
    text,
    tool: { name: params.tool, input: params.arguments ?? "", output, failed: !!why || word === "tool_failed", why },
  };
}
