import type { TFunction } from "i18next";
import { formatList } from "../i18n/format";
import { castOf, placeOfKey, type Change } from "../topology";
import { channelName } from "./bindingWords";

// Broadcast groups in words, for the review, the history, the panel of routes and the canvas.

/** The conversation of a group: "Telegram, conversation -100123". */
export function placeWords(t: TFunction, { channel, peer }: { channel: string; peer: string }): string {
  return [channelName(channel), t("routes.broadcast.conversation", { id: peer })].join(t("list.comma"));
}

export const strategyWord = (t: TFunction, v: unknown): string =>
  v === "sequential" ? t("routes.broadcast.sequential") : t("routes.broadcast.parallel");

/** What a change or conflict of broadcast groups is about. */
export const broadcastTitle = (t: TFunction, key: string): string =>
  key === "strategy"
    ? t("routes.broadcast.title")
    : t("routes.broadcast.of", { place: placeWords(t, placeOfKey(key)) });

/** Who answers there, or who comes and who goes. */
export function broadcastCaption(t: TFunction, nameOf: (id: string) => string, c: Change): string {
  if (c.field === "strategy")
    return c.after === undefined
      ? t("routes.broadcast.byGateway")
      : t("review.setTo", { name: t("routes.broadcast.strategy"), now: strategyWord(t, c.after) });
  const was = castOf(c.before),
    now = castOf(c.after),
    names = (ids: string[]) => formatList(ids.map(nameOf));
  if (c.op === "removed") return t("routes.broadcast.noLonger", { names: names(was) });
  if (c.op === "added") return t("routes.broadcast.members", { names: names(now) });
  const came = now.filter((id) => !was.includes(id)),
    went = was.filter((id) => !now.includes(id));
  const parts = [
    came.length && t("routes.broadcast.came", { names: names(came) }),
    went.length && t("routes.broadcast.went", { names: names(went) }),
  ].filter(Boolean);
  if (parts.length) return parts.join(t("list.comma"));
  return was.join("\n") === now.join("\n") ? t("routes.changed") : t("routes.order");
}
