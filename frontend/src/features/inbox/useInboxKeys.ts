import { i18next } from "@/i18n";
import { chooseQuestion, isAnswering, putOff, settle, useInbox } from "@/stores/inbox";
import type { Question } from "@/topology";
import { announce, useShortcuts } from "@/ui";
import { answer } from "./answer";
import { takes } from "./words";

/** Says that a question is not read to its end yet, and goes to the text so that the keys scroll it. */
function sayUnread() {
  announce(i18next.t("inbox.readFirst"));
  document.querySelector<HTMLElement>(".inbox-code")?.focus();
}

/** One key each: to move, to answer, to put off. */
export function useInboxKeys(list: readonly Question[], chosen: Question | undefined, waiting: boolean): void {
  const move = (by: number) => {
    const to = list[Math.min(Math.max(list.findIndex((q) => q.id === chosen?.id) + by, 0), list.length - 1)];
    if (to) chooseQuestion(to.id);
  };
  const answers = (choice: "once" | "deny", act: (q: Question) => void) => () => {
    if (!waiting || !chosen?.tool || !takes(chosen, choice)) return false;
    if (useInbox.getState().settled !== chosen.id) settle(chosen.id);
    else if (!isAnswering(chosen.id)) act(chosen);
  };
  useShortcuts("inbox", {
    nextQuestion: (n) => move(n % 2 ? -1 : 1),
    allowOnce: answers("once", (q) => {
      if (useInbox.getState().read === q.id) void answer(q, "once");
      else sayUnread();
    }),
    denyIt: answers("deny", (q) => void answer(q, "deny")),
    putOff: () => {
      if (!waiting || !chosen) return false;
      move(1);
      putOff(chosen.id);
    },
  });
}
