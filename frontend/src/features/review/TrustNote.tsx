import { ShieldAlert } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { AskList, Refusal } from "@/flow";
import type { Preview, TrustStanding } from "@/topology";
import { Checkbox, marked, useSeen } from "@/ui";
import { allow, useReview } from "./store";

/** Agents that wait until their owner allows what they ask for. Applying allows only those that the person ticks. */
export function TrustNote({
  preview: p,
  waiting,
  fixed,
}: {
  preview: Preview;
  waiting: readonly TrustStanding[];
  fixed?: boolean;
}) {
  const { t } = useTranslation();
  const title = t("trust.review.title", { count: waiting.length });
  return (
    <section className="review-note" aria-label={title} data-trust>
      <ShieldAlert size={14} className="text-waiting" aria-hidden />
      <b>{title}</b>
      <p className="cap">{t("trust.review.why")}</p>
      <ul className="col gap-4 pt-1">
        {waiting.map((a) => (
          <Waiting key={a.agent} of={a} may={(p.sends || p.stale) && !fixed} />
        ))}
      </ul>
    </section>
  );
}

function Waiting({ of: a, may }: { of: TrustStanding; may: boolean }) {
  const { t } = useTranslation();
  const name = marked(a.name || a.agent),
    item = useRef<HTMLLIElement>(null),
    [seen, setSeen] = useState("");
  const on = useReview((s) => s.allowing[a.agent] === a.hash),
    read = seen === a.hash;
  useSeen(item, a.hash, () => setSeen(a.hash));
  return (
    <li ref={item} className="col gap-1.5" data-agent={a.agent}>
      <span className="row flex-wrap gap-y-0.5">
        <b className="wrap-anywhere">{name}</b>
        <span className="cap">{t(`trust.state.${a.state}`)}</span>
      </span>
      {a.problem && <Refusal problem={a.problem} />}
      <AskList asks={a.asks} unset={a.unset} label={t("trust.asksOf", { name })} />
      {a.state !== "refused" && may && (
        <Checkbox
          checked={on}
          disabled={!read}
          onChecked={(yes) => allow(a, yes)}
          label={t("trust.review.allow", { name })}
          hint={read ? undefined : t("trust.readFirst")}
        />
      )}
    </li>
  );
}
