import type { TFunction } from "i18next";
import { RadioGroup as R } from "radix-ui";
import { useId, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { formatTime } from "@/i18n/format";
import { useTeam } from "@/stores/team";
import { faceOf, type Choice, type Conflict } from "@/topology";
import { fileOf } from "@/topology/files";
import { Avatar, cx, Kbd, keysOf, Marked } from "@/ui";
import { pretty, sidesOf, sideText } from "./conflicts";
import { agentName, nameOfField, titleOf, type Teams } from "@/flow";
import { choose, useReview } from "./store";
import { compareWords } from "./words";

export function subjectOf(t: TFunction, c: Conflict): string {
  const what = c.field ? nameOfField(t, c.field) : "";
  if (c.reason === "both_changed") return what;
  const why = t(`merge.reason.${c.reason}`);
  return what ? `${what} · ${why}` : why;
}

type Props = {
  conflict: Conflict;
  n: number;
  all: number;
  teams: Teams;
  baseAt?: string;
  current: boolean;
  onFocus: () => void;
};

/** One thing that both sides changed, with a choice of whose stands. */
export function ConflictCard({ conflict: c, n, all, teams, baseAt, current, onFocus }: Props) {
  const { t } = useTranslation();
  const choice = useReview((s) => s.made[c.id]?.choice),
    faces = useTeam((s) => s.faces);
  const title = titleOf(t, teams, c),
    isAgent = c.agent && !c.target;
  const shown: Choice[] = ["base", "mine", "theirs", ...(c.keepBoth ? (["both"] as const) : [])];
  return (
    <section
      className="merge-conflict"
      id={`conflict-${c.id}`}
      aria-label={`${title} ${subjectOf(t, c)}`}
      onPointerDown={onFocus}
      onFocus={onFocus}
      data-current={current || undefined}
    >
      <div className="row mb-2">
        {isAgent && c.agent && <Avatar {...faceOf(faces, c.agent)} />}
        <b className="cut">{title}</b>
        <span className="t2 cut">{subjectOf(t, c)}</span>
        <span className="grow" />
        <span className="cap whitespace-nowrap">{t("merge.nth", { n, all })}</span>
      </div>
      <R.Root
        aria-label={t("merge.choiceFor", { name: title })}
        value={choice ?? ""}
        onValueChange={(v) => choose(c, v as Choice)}
        className={cx("merge-cards", shown.length > 3 && "merge-cards--four")}
      >
        {shown.map((side) => (
          <Side key={side} conflict={c} side={side} teams={teams} on={choice === side} baseAt={baseAt} />
        ))}
      </R.Root>
    </section>
  );
}

function Side({
  conflict: c,
  side,
  teams,
  on,
  baseAt,
}: {
  conflict: Conflict;
  side: Choice;
  teams: Teams;
  on: boolean;
  baseAt?: string;
}) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <div
      className={cx("merge-card", side === "base" && "merge-card--base", on && "is-on")}
      onClick={() => {
        if (getSelection()?.isCollapsed !== false) choose(c, side);
      }}
    >
      <header>
        <R.Item
          value={side}
          id={id}
          aria-label={t(`merge.side.${side}`)}
          className="check check--radio"
          onClick={(e) => e.stopPropagation()}
        />
        <label htmlFor={id} className="grow">
          <b>{t(`merge.side.${side}`)}</b>
        </label>
        {side === "base" && baseAt && <time className="cap">{formatTime(baseAt)}</time>}
        <Kbd keys={keysOf("chooseSide", sidesOf(c).indexOf(side))} />
      </header>
      <Value conflict={c} side={side} />
      <span className="cap">{meaning(t, c, side, teams)}</span>
    </div>
  );
}

function Value({ conflict: c, side }: { conflict: Conflict; side: Choice }) {
  const { t } = useTranslation();
  const pieces = useMemo(() => {
    if (side === "both") return c.both === undefined ? null : compareWords(sideText(c, "base") ?? "", pretty(c.both));
    const text = sideText(c, side);
    if (text === null) return null;
    // Of a file that was never read before, the two sides are compared with each other.
    const was = side === "base" ? null : (sideText(c, "base") ?? (fileOf(c.field) ? sideText(c, "mine") : null));
    return was === null ? [{ text, changed: false }] : compareWords(was, text);
  }, [c, side]);
  if (side === "both" && !pieces) return <div className="merge-value merge-value--none">{t("merge.bothWhy")}</div>;
  if (!pieces) {
    const gone = side !== "base" && c.base !== undefined && c.base !== null && !c.field;
    return (
      <div className={gone ? "merge-value merge-value--gone" : "merge-value merge-value--none"}>
        {gone ? <span translate="no">− {c.target ?? c.agent}</span> : t("merge.nothing")}
      </div>
    );
  }
  return (
    <div
      className="merge-value"
      translate="no"
      tabIndex={0}
      role="group"
      aria-label={t("merge.valueOf", { side: t(`merge.side.${side}`) })}
    >
      {pieces.map((p, i) => {
        const text = <Marked text={p.text} />;
        return p.changed ? <mark key={i}>{text}</mark> : <span key={i}>{text}</span>;
      })}
    </div>
  );
}

function bothMeaning(c: Conflict) {
  if (!c.field) return "merge.bothResult";
  const isText = fileOf(c.field) || c.field === "persona" || c.field === "description";
  return isText ? "decide.bothLines" : "decide.bothField";
}

/** What choosing a side does, where the value alone does not say it. */
function meaning(t: TFunction, c: Conflict, side: Choice, teams: Teams): string {
  if (side === "base") return t("merge.baseWhy");
  if (side === "both") return t(bothMeaning(c));
  const whole = !c.field && c.subject === "agent" && c.agent;
  if (whole && (c.reason === "removed_there" || c.reason === "removed_here")) {
    const removes = (c.reason === "removed_there") === (side === "theirs");
    return t(removes ? "merge.removes" : "merge.keeps", { name: agentName(teams, c.agent ?? "") });
  }
  return t(side === "mine" ? "merge.mineWhy" : "merge.theirsWhy");
}
