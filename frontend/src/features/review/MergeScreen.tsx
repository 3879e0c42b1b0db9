import { GitMerge, Undo2, Waypoints } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useShallow } from "zustand/react/shallow";
import { formatDay, formatTime } from "@/i18n/format";
import { useTeam } from "@/stores/team";
import { useUi } from "@/stores/ui";
import { MarkLegend, ReadOnlyCanvas, type Teams } from "@/flow";
import { worthTelling } from "@/flow/changes";
import { isOfEveryone, marksIn, marksOf, withRemoved, type Conflict, type Preview } from "@/topology";
import { Banner, Boundary, Button, IconButton, keysOf, Skeleton, useMedia, useShortcuts } from "@/ui";
import { sidesOf } from "./conflicts";
import { ConflictCard } from "./ConflictCard";
import { MergeList } from "./MergeList";
import { back, Frame, ReviewHead } from "./ReviewFrame";
import { TextOf } from "./ReviewText";
import { choose, chooseAll, loadPreview, undoDecision, openConflicts, useReview } from "./store";
import "./review.css";

/** The gateway moved while the person drew: both sides, and whose stands. */
export function MergeScreen() {
  const { t } = useTranslation();
  const id = useTeam((s) => s.id),
    ready = useTeam((s) => s.status) === "ready",
    updatedAt = useTeam((s) => s.updatedAt);
  const preview = useReview((s) => (s.team === id ? s.preview : undefined)),
    failed = useReview((s) => s.status === "failed");
  const merge = preview?.merge?.conflicts.length ? preview.merge : undefined;
  useEffect(() => {
    if (ready && id) void loadPreview();
  }, [ready, id, updatedAt]);
  const pointless = failed || (preview && !merge);
  useEffect(() => {
    if (pointless) useUi.getState().go("review");
  }, [pointless]);
  if (!preview || !merge)
    return (
      <Frame>
        <div className="body">
          <aside className="panel panel--list">
            <Skeleton lines={7} label={t("review.loading")} />
          </aside>
          <div className="grow" />
        </div>
      </Frame>
    );
  return <Work preview={preview} merge={merge} />;
}

const toReview = () => useUi.getState().go("review");
const scrollTo = (id: string) => document.getElementById(`conflict-${id}`)?.scrollIntoView({ block: "nearest" });

function Work({ preview, merge }: { preview: Preview; merge: NonNullable<Preview["merge"]> }) {
  const { t } = useTranslation();
  const open = useReview(useShallow(openConflicts)),
    busy = useReview((s) => s.refreshing),
    canUndo = useReview((s) => s.undone.length > 0);
  const [at, setAt] = useState<string | undefined>(() => (open[0] ?? merge.conflicts[0])?.id);
  const [onCanvas, setOnCanvas] = useState(false);
  const phone = useMedia("(max-width: 639px)"),
    wide = useMedia("(min-width: 1200px)");
  const teams = useMemo((): Teams => ({ after: merge.merged, before: merge.theirs, base: merge.base }), [merge]);
  const pick = (id: string) => {
    setOnCanvas(false);
    setAt(id);
    requestAnimationFrame(() => scrollTo(id));
  };
  useMergeKeys(merge.conflicts, at, pick);
  const fits = worthTelling(merge.fromMine).length + worthTelling(merge.fromTheirs).length;
  const first = open[0];
  const told = [
    merge.baseAt && t("merge.baseAt", { at: readAt(merge.baseAt) }),
    t("merge.nothingLost"),
    fits ? t("merge.fits", { count: fits }) : "",
    t("merge.needs", { count: merge.conflicts.length }),
  ]
    .filter((x) => x !== undefined && x !== "")
    .reduce((a, b) => t("common.sentences", { a, b }));
  const canvas = (
    <Boundary>
      <MergeCanvas
        merge={merge}
        onAgent={(id) => {
          const c = merge.conflicts.find((x) => x.agent === id);
          if (c) pick(c.id);
        }}
        onEveryone={() => {
          const c = merge.conflicts.find(isOfEveryone);
          if (c) pick(c.id);
        }}
      />
    </Boundary>
  );
  return (
    <>
      <ReviewHead title={t("merge.title")}>
        {!phone && (
          <Button tone="quiet" icon={Waypoints} aria-pressed={onCanvas} onClick={() => setOnCanvas(!onCanvas)}>
            {t(onCanvas ? "merge.showChoices" : "merge.onCanvas")}
          </Button>
        )}
      </ReviewHead>
      <Banner tone="waiting" icon={GitMerge}>
        <b>{t(merge.first ? "review.first" : "review.stale")}</b> {told}
      </Banner>
      <div className={phone ? "col grow min-h-0 overflow-auto" : "body"}>
        <aside className="panel panel--list" aria-label={t("merge.list")}>
          <Boundary>
            <MergeList merge={merge} teams={teams} current={at} onPick={pick} />
          </Boundary>
        </aside>
        <div className={phone ? "col" : "col grow"}>
          {onCanvas && !phone ? (
            canvas
          ) : (
            <div className={phone ? "px-5 py-4" : "scroll px-5 py-4"}>
              {merge.conflicts.map((c, i) => (
                <Boundary key={c.id}>
                  <ConflictCard
                    conflict={c}
                    n={i + 1}
                    all={merge.conflicts.length}
                    teams={teams}
                    baseAt={merge.baseAt}
                    current={c.id === at}
                    onFocus={() => setAt(c.id)}
                  />
                </Boundary>
              ))}
              <div className="row mb-2">
                <b>{t("merge.result")}</b>
                <span className="cap">{t(first ? "merge.resultUntil" : "merge.resultWhy")}</span>
              </div>
              <div className="merge-results">
                {wide && <div className="merge-result">{canvas}</div>}
                <div className="merge-result">
                  <Boundary>
                    <TextOf preview={preview} mode="unified" />
                  </Boundary>
                </div>
              </div>
            </div>
          )}
          <footer className="review-foot merge-foot">
            <span className="cap cut" aria-live="polite">
              {first
                ? t("decide.progress", { n: merge.conflicts.length - open.length, all: merge.conflicts.length })
                : t("merge.allDecided")}
            </span>
            <IconButton
              icon={Undo2}
              label={t("decide.undo")}
              keys={keysOf("undoChoice")}
              disabled={!canUndo}
              onClick={undoDecision}
            />
            <span className="grow" />
            <Button tone="quiet" onClick={() => chooseAll("mine")}>
              {t("merge.allMine")}
            </Button>
            <Button tone="quiet" onClick={() => chooseAll("theirs")}>
              {t("merge.allTheirs")}
            </Button>
            <Button onClick={back}>{t("merge.later")}</Button>
            <Button tone="main" keys={keysOf("goOn")} busy={!first && busy} disabled={!!first} onClick={toReview}>
              {t("merge.goOn")}
            </Button>
          </footer>
        </div>
      </div>
    </>
  );
}

const readAt = (at: string) =>
  new Date(at).toDateString() === new Date().toDateString() ? formatTime(at) : `${formatDay(at)} ${formatTime(at)}`;

type MergeCanvasProps = {
  merge: NonNullable<Preview["merge"]>;
  onAgent: (id: string) => void;
  onEveryone: () => void;
};

/** What would stand there with the choices so far. */
function MergeCanvas({ merge, ...acts }: MergeCanvasProps) {
  const { t } = useTranslation();
  const faces = useTeam((s) => s.faces);
  const changes = useMemo(() => [...merge.fromMine, ...merge.fromTheirs], [merge]);
  const picture = useMemo(() => withRemoved(merge.merged, merge.base, changes), [merge, changes]);
  const marks = useMemo(() => marksOf(changes), [changes]);
  return (
    <ReadOnlyCanvas topology={picture} marks={marks} faces={faces} label={t("review.canvas")} {...acts}>
      <MarkLegend marks={marksIn(changes)} />
    </ReadOnlyCanvas>
  );
}

/** Keys that choose a side, go from conflict to conflict, take a decision back, and go on. */
function useMergeKeys(conflicts: readonly Conflict[], at: string | undefined, pick: (id: string) => void): void {
  const i = conflicts.findIndex((c) => c.id === at);
  useShortcuts("merge", {
    nextConflict: (n, e) => {
      const widget = "[role=radiogroup], [role=group], [role=separator], .textdiff";
      if (e.key.startsWith("Arrow") && (e.target as HTMLElement).closest(widget)) return false;
      const next = conflicts[i + (n % 2 ? -1 : 1)];
      if (next) pick(next.id);
    },
    chooseSide: (n) => {
      const c = conflicts[i],
        side = c && sidesOf(c)[n];
      if (!side) return false;
      choose(c, side);
    },
    undoChoice: undoDecision,
    goOn: () => {
      if (!openConflicts(useReview.getState()).length) toReview();
    },
  });
}
