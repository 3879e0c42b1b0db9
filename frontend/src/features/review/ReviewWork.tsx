import { ArrowDown, ArrowUp, Columns2, GitMerge, Lock, Rows3 } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { MarkLegend, type Teams } from "@/flow";
import { useTeam } from "@/stores/team";
import { liveTeam, useTeams } from "@/stores/teams";
import { useUi, usePanel } from "@/stores/ui";
import { marksIn, type Apply, type Preview, type PreviewChange } from "@/topology";
import { Banner, Boundary, BoundaryWatch, Button, IconButton, keysOf, Panel, Segmented, useMedia } from "@/ui";
import { ended, failureOf } from "./applies";
import { ChangeList } from "./ChangeList";
import { changeAt, groupChanges, inOrder, step } from "./changes";
import { takenIn } from "./conflicts";
import { failureText } from "./failures";
import { othersOf } from "./first";
import { FirstChoice } from "./FirstChoice";
import { Notes } from "./Notes";
import { Outcome } from "./Outcome";
import { ReviewCanvas } from "./ReviewCanvas";
import { ReviewFoot } from "./ReviewFoot";
import { ReviewHead } from "./ReviewFrame";
import { ReviewText } from "./ReviewText";
import { openConflicts, partBroke, show, useReview } from "./store";
import { useReviewKeys } from "./useReviewKeys";

export type TextMode = "split" | "unified";
type PhoneView = "list" | "canvas" | "text";

/** The review itself: list, canvas and text, all standing on the same change. */
export function ReviewWork({ preview, apply }: { preview: Preview; apply?: Apply }) {
  const { t } = useTranslation();
  const drawn = useReview((s) => s.drawn),
    shownId = useReview((s) => s.shown);
  const groups = useMemo(() => groupChanges(preview.changes), [preview]);
  const order = useMemo(() => inOrder(groups), [groups]);
  const teams = useMemo((): Teams => ({ after: drawn?.after, before: drawn?.before, base: drawn?.base }), [drawn]);
  const change = order.find((c) => c.id === shownId);
  const phone = useMedia("(max-width: 639px)"),
    narrow = useMedia("(max-width: 1099px)");
  const [mode, setMode] = useState<TextMode | undefined>();
  const [view, setView] = useState<PhoneView>("list");
  const textMode = mode ?? (narrow ? "unified" : "split");
  useReviewKeys(order, !apply);

  const list = (
    <>
      <ChangeList preview={preview} groups={groups} teams={teams} shown={shownId} fixed={!!apply} />
      {!phone && <Notes preview={preview} teams={teams} fixed={!!apply} />}
    </>
  );
  const canvas = (
    <ReviewCanvas
      changes={preview.changes}
      onThing={(thing) => {
        const c = changeAt(order, thing);
        if (c) show(c.id);
      }}
      change={change}
    >
      {!phone && <MarkLegend marks={marksIn(preview.changes)} />}
    </ReviewCanvas>
  );
  const text = <ReviewText preview={preview} change={change} mode={textMode} />;
  return (
    <>
      <ReviewHead>
        {phone ? (
          <Segmented
            label={t("review.view")}
            value={view}
            onValue={setView}
            options={(["list", "canvas", "text"] as const).map((value) => ({
              value,
              label: t(`review.views.${value}`),
            }))}
          />
        ) : (
          <Segmented
            size="sm"
            label={t("review.text.label")}
            value={textMode}
            onValue={setMode}
            options={[
              { value: "split", label: t("review.text.split"), icon: <Columns2 size={12} aria-hidden /> },
              { value: "unified", label: t("review.text.unified"), icon: <Rows3 size={12} aria-hidden /> },
            ]}
          />
        )}
        {!phone && <Stepper order={order} shown={shownId} />}
      </ReviewHead>
      {othersOf(preview).length > 0 && !ended(apply) && <FirstChoice preview={preview} fixed={!!apply} />}
      <StaleBanner preview={preview} />
      <BoundaryWatch value={partBroke}>
        <div className="body">
          {phone ? (
            <div className="col grow min-h-0">
              <Boundary of={view}>
                {view === "list" ? (
                  <div className="scroll bg-chrome">
                    {list}
                    <Notes preview={preview} teams={teams} fixed={!!apply} />
                  </div>
                ) : view === "canvas" ? (
                  canvas
                ) : (
                  text
                )}
              </Boundary>
            </div>
          ) : (
            <Columns list={list} canvas={canvas} text={text} apply={apply} preview={preview} teams={teams} />
          )}
        </div>
      </BoundaryWatch>
      {phone && (
        <>
          {ended(apply) && <Outcome apply={apply} teams={teams} />}
          <ReviewFoot preview={preview} apply={apply} />
        </>
      )}
    </>
  );
}

type ColumnsProps = {
  list: React.ReactNode;
  canvas: React.ReactNode;
  text: React.ReactNode;
  apply?: Apply;
  preview: Preview;
  teams: Teams;
};

function Columns({ list, canvas, text, apply, preview, teams }: ColumnsProps) {
  const { t } = useTranslation();
  const side = usePanel("review.list"),
    bottom = usePanel("review.text"),
    setPanel = useUi((s) => s.setPanel);
  const height = useMedia("(max-height: 640px)") ? Math.min(bottom.size, 180) : bottom.size;
  return (
    <>
      <Panel
        kind="list"
        label={t("review.list")}
        size={side.size}
        split={{
          label: t("review.split.list"),
          edge: "right",
          size: side.size,
          min: 216,
          max: 376,
          onSize: (size) => setPanel("review.list", { size }),
          onFold: () => setPanel("review.list", { size: 304 }),
        }}
      >
        {list}
      </Panel>
      <div className="col grow">
        <Boundary>{canvas}</Boundary>
        {!bottom.folded && (
          <Panel
            kind="bottom"
            label={t("review.text.label")}
            size={height}
            split={{
              label: t("review.split.text"),
              edge: "top",
              size: height,
              min: 96,
              max: 480,
              onSize: (size) => setPanel("review.text", { size }),
              onFold: () => setPanel("review.text", { folded: true }),
            }}
          >
            {text}
          </Panel>
        )}
        {bottom.folded && (
          <button
            type="button"
            className="review-bar cap border-t border-b-0! hover:text-text"
            onClick={() => setPanel("review.text", { folded: false })}
          >
            {t("review.text.show")}
          </button>
        )}
        {ended(apply) && <Outcome apply={apply} teams={teams} />}
        <ReviewFoot preview={preview} apply={apply} />
      </div>
    </>
  );
}

function Stepper({ order, shown }: { order: PreviewChange[]; shown?: string }) {
  const { t } = useTranslation();
  const at = order.findIndex((c) => c.id === shown);
  return (
    <>
      <IconButton
        icon={ArrowUp}
        label={t("review.previous")}
        keys={keysOf("nextChange", 1)}
        disabled={at === 0 || !order.length}
        onClick={() => show(step(order, shown, -1))}
      />
      <span className="cap num whitespace-nowrap" aria-live="polite">
        {t("review.nth", { n: at < 0 ? "–" : at + 1, all: order.length })}
      </span>
      <IconButton
        icon={ArrowDown}
        label={t("review.next")}
        keys={keysOf("nextChange")}
        disabled={at === order.length - 1}
        onClick={() => show(step(order, shown, 1))}
      />
    </>
  );
}

/** The gateway moved: what is imported, or has to be decided first. Where there is neither, it's empty. */
export function StaleBanner({ preview: p }: { preview: Preview }) {
  const { t } = useTranslation();
  const open = useReview((s) => openConflicts(s).length),
    moved = useReview((s) => s.moved),
    refused = useReview((s) => s.refused);
  const id = useTeam((s) => s.id),
    live = liveTeam(useTeams(), p.gateway);
  const n = takenIn(p).length,
    says = open + n > 0 || !!p.merge?.conflicts.length;
  return (
    <>
      {refused && (
        <Banner tone="failed">
          <b>{t("apply.couldNot.apply")}</b> {failureText(t, failureOf(refused), refused)}
        </Banner>
      )}
      {p.readOnly && (
        <Banner tone="waiting" icon={Lock}>
          <b>{t(`apply.fail.${p.readOnly}.title`)}</b> {t(`apply.fail.${p.readOnly}.text`)}
        </Banner>
      )}
      {moved && (
        <Banner tone="waiting" icon={GitMerge}>
          {t(moved === "gateway" ? "review.movedBack" : "choose.teamMoved")}
        </Banner>
      )}
      {p.stale && says && (open > 0 || !othersOf(p).length) && (
        <Banner
          tone="waiting"
          icon={GitMerge}
          actions={
            open || p.merge?.conflicts.length ? (
              <Button size="sm" onClick={() => useUi.getState().go("merge")}>
                {t(open ? "review.decide" : "review.choices")}
              </Button>
            ) : undefined
          }
        >
          {!othersOf(p).length && (
            <>
              <b>
                {!p.merge?.first
                  ? t("review.stale")
                  : live && live.id !== id
                    ? t("review.firstOf", { name: live.name })
                    : t("review.first")}
              </b>{" "}
            </>
          )}
          {open + n > 0 && t(open ? "review.staleOpen" : "review.staleTaken", { count: open || n })}
        </Banner>
      )}
    </>
  );
}
