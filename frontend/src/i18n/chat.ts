import type { TFunction } from "i18next";
import { formatDateTime, formatNumber, formatTime } from "./format";

/** What the parts of a conversation say. */
export const chatWords = (t: TFunction) => ({
  copy: t("chat.copy"),
  copied: t("chat.copied"),
  copyCode: t("chat.copyCode"),
  opensOutside: t("chat.opensOutside"),
  jump: t("chat.jump"),
  older: t("chat.older"),
  picture: (alt: string, host: string) => (alt ? t("chat.pictureOf", { alt, host }) : t("chat.picture", { host })),
  showAll: (n: number) => t("chat.showAll", { n: formatNumber(n) }),
  jumpNew: (count: number) => t("chat.jumpNew", { count }),
  tool: {
    input: t("chat.tool.input"),
    output: t("chat.tool.output"),
    ok: t("chat.tool.ok"),
    failed: t("chat.tool.failed"),
  },
  time: formatTime,
  moment: formatDateTime,
});

/** What the field for writing says. */
export const composerWords = (t: TFunction) => ({
  send: t("chat.send"),
  sends: t("chat.sends"),
  newLine: t("chat.newLine"),
  mention: t("chat.mention"),
  mentions: t("chat.mentions"),
});
