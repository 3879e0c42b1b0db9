import { CircleCheck, Waypoints } from "lucide-react";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { tellLost } from "@/flow";
import { refusedWhy } from "@/flow/teamFault";
import { gatewayName } from "@/i18n/gateway";
import { useApply } from "@/stores/applies";
import { useTeam, useTarget } from "@/stores/team";
import { useUi } from "@/stores/ui";
import { Button, EmptyState, ErrorState, Skeleton, useMedia } from "@/ui";
import { ended, failureOf } from "./applies";
import { failureText, failureTitle } from "./failures";
import { back, Frame, Middle } from "./ReviewFrame";
import { ReviewWork } from "./ReviewWork";
import { RunningAlone } from "./RunningAlone";
import { enterReview, leaveReview, loadPreview, meetMoved, useReview } from "./store";
import "./review.css";

/** What an apply would do, then how it goes, then how it ended. */
export function ReviewScreen() {
  const { t } = useTranslation();
  const id = useTeam((s) => s.id),
    ready = useTeam((s) => s.status) === "ready",
    opening = useTeam((s) => s.status === "loading" || s.status === "none");
  const status = useReview((s) => s.status),
    preview = useReview((s) => s.preview),
    mine = useReview((s) => s.team) === id;
  const apply = useApply(useReview((s) => s.watching));
  useFresh(ready ? id : "");
  const followed = mine ? apply : undefined,
    shown = mine && followed?.kind !== "rollback" ? preview : undefined;

  if (!ready && !opening)
    return (
      <Frame>
        <Middle>
          <EmptyState
            icon={Waypoints}
            title={t("canvas.gone")}
            action={<Button onClick={back}>{t("apply.back")}</Button>}
          />
        </Middle>
      </Frame>
    );
  if (followed && !shown) return <RunningAlone apply={followed} />;
  if (status === "failed" && mine && !followed)
    return (
      <Frame>
        <Failure />
      </Frame>
    );
  if (!shown || !ready)
    return (
      <Frame>
        <Loading />
      </Frame>
    );
  if (!followed && !shown.changes.length && !shown.stale && !shown.sends)
    return (
      <Frame>
        <Nothing />
      </Frame>
    );
  return <ReviewWork preview={shown} apply={followed} />;
}

/** Keeps the preview true: a new one on entering, after an edit elsewhere, and when the gateway moved or is back. */
function useFresh(id: string): void {
  const updatedAt = useTeam((s) => s.updatedAt),
    drift = useTarget()?.drift === true,
    connected = useTarget()?.state === "connected";
  const watching = useReview((s) => s.watching);
  const apply = useApply(watching);
  useEffect(() => {
    if (id) enterReview(id);
    return leaveReview;
  }, [id]);
  useEffect(() => {
    const s = useReview.getState();
    if (id && s.team === id && s.preview && !s.watching) void loadPreview();
  }, [id, updatedAt, drift]);
  // A preview that failed because the gateway was away is asked for again once it is back.
  useEffect(() => {
    const s = useReview.getState();
    if (id && connected && s.team === id && s.status === "failed" && !s.refreshing) void loadPreview();
  }, [id, connected]);
  const moved = ended(apply) && apply.state === "failed" && failureOf(apply.error, apply) === "stale";
  useEffect(() => {
    if (moved) void meetMoved();
  }, [moved]);
}

function Loading() {
  const { t } = useTranslation();
  const phone = useMedia("(max-width: 639px)");
  return (
    <div className="body">
      <aside className="panel panel--list" style={phone ? undefined : { width: 304 }}>
        <Skeleton lines={7} label={t("review.loading")} />
      </aside>
      {!phone && (
        <div className="canvas grid place-items-center">
          <span className="cap" role="status">
            {t("review.loading")}
          </span>
        </div>
      )}
    </div>
  );
}

function Nothing() {
  const { t } = useTranslation();
  const gateway = useTeam((s) => s.gateway);
  return (
    <Middle>
      <EmptyState
        icon={CircleCheck}
        title={t("review.nothing")}
        action={
          <Button tone="main" onClick={back}>
            {t("apply.back")}
          </Button>
        }
      >
        {t("review.nothingWhy", { gateway: gatewayName(t, gateway) })}
      </EmptyState>
    </Middle>
  );
}

function Failure() {
  const refused = useTeam((s) => s.save.state === "refused");
  return refused ? <Refused /> : <NotCompared />;
}

/** The hub doesn't take the last edit, so there is no team to compare. */
function Refused() {
  const { t } = useTranslation();
  const error = useTeam((s) => s.save.error),
    topology = useTeam((s) => s.topology),
    why = error ? refusedWhy(t, error, topology) : "";
  const takeBack = async () => {
    tellLost(t, await useTeam.getState().takeBack());
    await loadPreview();
  };
  return (
    <Middle>
      <div className="w-120 max-w-full">
        <ErrorState
          title={t("review.refusedTitle")}
          actions={
            <>
              <Button size="sm" tone="main" onClick={() => void takeBack()}>
                {t("hub.takeBack")}
              </Button>
              <Button size="sm" tone="quiet" onClick={back}>
                {t("apply.back")}
              </Button>
            </>
          }
        >
          {t("review.refused", { why: /[.!?。！？]$/.test(why) ? why : t("common.sentence", { text: why }) })}
        </ErrorState>
      </div>
    </Middle>
  );
}

function NotCompared() {
  const { t } = useTranslation();
  const error = useReview((s) => s.error),
    busy = useReview((s) => s.refreshing);
  const why = failureOf(error),
    settings = why === "token" || why === "scope" || why === "pairing" || error?.code === "NOT_FOUND";
  const remedy = typeof error?.details.remedy === "string" ? error.details.remedy : "";
  return (
    <Middle>
      <div className="w-120 max-w-full">
        <ErrorState
          title={failureTitle(t, why, "preview")}
          actions={
            <>
              <Button size="sm" tone="main" busy={busy} onClick={() => void loadPreview()}>
                {t("common.retry")}
              </Button>
              {settings && (
                <Button size="sm" onClick={() => useUi.getState().go("settings")}>
                  {t("apply.openSettings")}
                </Button>
              )}
              <Button size="sm" tone="quiet" onClick={back}>
                {t("review.keepTeam")}
              </Button>
            </>
          }
        >
          {failureText(t, why, error, "preview")}
          {remedy && (
            <code className="block pt-1" translate="no">
              {remedy}
            </code>
          )}
        </ErrorState>
      </div>
    </Middle>
  );
}
