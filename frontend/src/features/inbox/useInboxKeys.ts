import { useEffect, useRef } from "react";
import { i18next } from "@/i18n";
import { chooseQuestion, putOff, useInbox } from "@/stores/inbox";
import type { Question } from "@/topology";
import { announce, composing, inField } from "@/ui";
import { answer, justAnswered } from "./answer";

/** Says that a question is not read to its end yet, and goes to the text so that the keys scroll it. */
function sayUnread() {
  announce(i18next.t("inbox.readFirst"));
  document.querySelector<HTMLElement>(".inbox-code")?.focus();
}

/** One key each: J and K, or the arrows, move; Y and N answer; E puts off. */
export function useInboxKeys(list: readonly Question[], chosen: Question | undefined, waiting: boolean): void {
  const now = useRef({ list, chosen, waiting });
  useEffect(() => {
    now.current = { list, chosen, waiting };
  });
  useEffect(() => {
    const move = (by: number) => {
      const { list: all, chosen: from } = now.current;
      const to = all[Math.min(Math.max(all.findIndex((q) => q.id === from?.id) + by, 0), all.length - 1)];
      if (to) chooseQuestion(to.id);
    };
    const act: Record<string, (q: Question) => void> = {
      y: (q) => {
        if (useInbox.getState().read === q.id) void answer(q, "once");
        else sayUnread();
      },
      n: (q) => void answer(q, "deny"),
      e: (q) => {
        move(1);
        putOff(q.id);
      },
    };
    const onKey = (e: KeyboardEvent) => {
      if (
        composing(e) ||
        e.ctrlKey ||
        e.metaKey ||
        e.altKey ||
        e.defaultPrevented ||
        e.repeat ||
        inField(e.target) ||
        document.querySelector("[role=dialog]")
      )
        return;
      const key = e.key.toLowerCase(),
        { chosen: q, waiting: open } = now.current;
      if (key === "j" || key === "arrowdown") {
        e.preventDefault();
        move(1);
        return;
      }
      if (key === "k" || key === "arrowup") {
        e.preventDefault();
        move(-1);
        return;
      }
      if (!q || !open || !act[key] || (key !== "e" && !q.tool)) return;
      e.preventDefault();
      if (key !== "e" && (justAnswered() || useInbox.getState().busy)) return;
      act[key](q);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}
