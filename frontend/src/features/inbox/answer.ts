import { i18next } from "@/i18n";
import { begin } from "@/stores/begun";
import { attempt } from "@/stores/faults";
import { useHub } from "@/stores/hub";
import { answerQuestion, chooseQuestion, inOrder, isAnswering, useInbox } from "@/stores/inbox";
import type { AnswerChoice, Question, StandingPermission } from "@/topology";
import { announce, toast } from "@/ui";
import { outcomeOf, titleOf } from "./words";

/** Under which an answer is kept that isn't sent yet. */
export const draftOf = (q: Question) => `answer ${q.id}`;

/** Answers, confirms it, and opens the next question. */
export async function answer(
  q: Question,
  choice: AnswerChoice,
  word?: string,
  standing?: StandingPermission,
  answers?: Record<string, string[]>,
): Promise<void> {
  if (isAnswering(q.id)) return;
  const t = i18next.t.bind(i18next);
  const order = inOrder(useHub.getState().inbox, useInbox.getState().later),
    at = order.findIndex((x) => x.id === q.id);
  const next = order[at + 1] ?? order[at - 1];
  if (!(await attempt("answer", () => answerQuestion(q.id, choice, word, standing, answers)))) return;
  begin(draftOf(q), "");
  // A person who is at another question already stays there.
  const { chosen } = useInbox.getState();
  if (!chosen || chosen === q.id) chooseQuestion(next?.id);
  const text = t("inbox.said", { outcome: outcomeOf(t, { ...q, state: "answered", choice }), what: titleOf(t, q) });
  announce(text);
  toast({ text, tone: choice === "deny" ? "info" : "done", closeLabel: t("common.close"), id: "inbox" });
}
