import { memo } from "react";
import { useTranslation } from "react-i18next";
import { ChangeMark, captionOf, titleOf, type Teams } from "@/flow";
import { markOf } from "@/flow/changes";
import type { Impact, PreviewChange } from "@/topology";
import { Badge, cx, ListRow } from "@/ui";
import { opOf } from "./changes";
import { Tick } from "./Tick";
import { show } from "./store";

/** What a change does at the gateway. */
export function ImpactBadge({ impact, file }: { impact: Impact; /** It tells the agent instead. */ file?: string }) {
  const { t } = useTranslation();
  if (file) return <Badge title={t("review.impact.inFileWhy", { file })}>{t("review.impact.inFile", { file })}</Badge>;
  return (
    <Badge
      tone={impact === "delete" ? "del" : impact === "local" ? "mov" : undefined}
      title={t(`review.impact.${impact}Why`)}
    >
      {t(`review.impact.${impact}`)}
    </Badge>
  );
}

type Props = {
  change: PreviewChange;
  teams: Teams;
  current: boolean;
  /** Kept out of this apply. */ out: boolean;
  /** It is on its way or over: nothing to choose. */ fixed?: boolean;
  /** Under its agent. */ inner?: boolean;
};

export const ChangeRow = memo(function ChangeRow({ change: c, teams, current, out, fixed, inner }: Props) {
  const { t } = useTranslation();
  const title = titleOf(t, teams, c),
    caption = captionOf(t, teams, c);
  return (
    <li data-change={c.id} className={cx("review-row", inner && "review-row--inner", out && "is-out")}>
      {c.impact === "local" ? (
        <span className="review-tick" />
      ) : (
        <Tick
          ids={[c.id]}
          on={!out}
          disabled={fixed}
          label={t("choose.one", { what: caption ? `${title}${t("list.comma")}${caption}` : title })}
        />
      )}
      <ListRow
        whole
        current={current}
        onClick={() => show(c.id)}
        titleText={caption ? `${title} · ${caption}` : title}
        lead={
          <>
            <ChangeMark mark={markOf(c)} inline />
            <span className="sr-only">{t(`review.op.${opOf(c)}`)}</span>
          </>
        }
        title={<b className={c.op === "removed" ? "line-through" : undefined}>{title}</b>}
        caption={out && c.impact !== "local" ? t("choose.stays") : caption}
        end={out && c.impact !== "local" ? undefined : <ImpactBadge impact={c.impact} file={c.file} />}
      />
    </li>
  );
});
