import { useTranslation } from "react-i18next";
import { formatTime } from "@/i18n/format";
import { chooseQuestion } from "@/stores/inbox";
import type { Question } from "@/topology";
import { Avatar, ListRow } from "@/ui";
import { useFace } from "./useFace";
import { gateOf, outcomeOf, titleOf } from "./words";

/** A question in the list: who, what, when; and what became of it. */
export function QuestionRow({ question: q, current }: { question: Question; current: boolean }) {
  const { t } = useTranslation();
  const face = useFace(q.agent, q.gateway?.name);
  const title = titleOf(t, q);
  const caption =
    q.state === "waiting"
      ? q.gateway
        ? [q.agent && face.name, q.gateway.name, q.gateway.stale && t("inbox.gateway.staleShort")]
            .filter(Boolean)
            .join(" · ")
        : [face.name, q.room ?? (gateOf(q) ? undefined : q.tool)].filter(Boolean).join(" · ")
      : [face.name, outcomeOf(t, q)].join(" · ");
  return (
    <ListRow
      current={current}
      titleText={title}
      onClick={() => chooseQuestion(q.id)}
      lead={<Avatar initials={face.initials} color={face.color} />}
      title={<b>{title}</b>}
      caption={caption}
      end={
        <time className="cap self-start" dateTime={q.askedAt}>
          {formatTime(q.askedAt)}
        </time>
      }
    />
  );
}
