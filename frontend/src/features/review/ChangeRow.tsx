import { memo } from "react";
import { useTranslation } from "react-i18next";
import { ChangeMark } from "@/flow";
import type { Impact, PreviewChange } from "@/topology";
import { Badge, ListRow } from "@/ui";
import { markOf } from "./changes";
import { captionOf, titleOf, type Teams } from "./describe";
import { show } from "./store";

/** What becomes of a change at the gateway. */
export function ImpactBadge({ impact }: { impact: Impact }) {
  const { t } = useTranslation();
  return <Badge tone={impact === "delete" ? "del" : impact === "local" ? "mov" : undefined} title={t(`review.impact.${impact}Why`)}>{t(`review.impact.${impact}`)}</Badge>;
}

export const ChangeRow = memo(function ChangeRow({ change: c, teams, current }: { change: PreviewChange; teams: Teams; current: boolean }) {
  const { t } = useTranslation();
  const title = titleOf(t, teams, c), caption = captionOf(t, teams, c);
  return (
    <li data-change={c.id} className="review-row">
      <ListRow current={current} onClick={() => show(c.id)} titleText={caption ? `${title} · ${caption}` : title}
        lead={<><ChangeMark mark={markOf[c.op]} inline /><span className="sr-only">{t(`review.op.${c.op}`)}</span></>}
        title={<b className={c.op === "removed" ? "line-through" : undefined}>{title}</b>} caption={caption} end={<ImpactBadge impact={c.impact} />} />
    </li>
  );
});
