import { FileDiff, FileMinus, FilePen, FilePlus } from "lucide-react";
import { useEffect, useMemo, useState, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { errorMeaning } from "@/i18n/problem";
import { asApiError, type ApiError } from "@/stores/faults";
import { planLibrary, usePlan } from "@/stores/plans";
import type { PlanProgress, Sides, TaskChanges } from "@/topology";
import { Badge, Dialog, EmptyState, ErrorState, Button, Segmented, Skeleton, TextDiff, useMedia } from "@/ui";

const icons = { added: FilePlus, modified: FilePen, deleted: FileMinus } as const;
const languageOf = (path: string) => (/\.json$/i.test(path) ? "json" : /\.ya?ml$/i.test(path) ? "yaml" : "text");

type Props = {
  task: string;
  title: string;
  progress: PlanProgress;
  /** From 1. */ attempt: number;
  onClose: () => void;
};

/** What a try of a task has changed, file by file, beside what was there before. */
export function ChangesDialog({ task, title, progress, attempt: first, onClose }: Props) {
  const { t } = useTranslation();
  const [attempt, setAttempt] = useState(first),
    [at, setAt] = useState(""),
    [again, setAgain] = useState(0);
  const [found, setFound] = useState<{ key: number; changes?: TaskChanges; error?: ApiError }>(),
    tries = progress.attempts?.length ?? 0;
  const live = attempt === tries && !progress.attempts?.[attempt - 1]?.endedAt,
    beat = live ? progress.updatedAt : "",
    working = progress.status !== "VALIDATING"; // the worker has finished; checks, a review or the merge come
  useEffect(() => {
    let here = true;
    planLibrary.changes(usePlan.getState().id, task, attempt).then(
      (changes) => {
        if (here) setFound({ key: attempt, changes });
      },
      (e: unknown) => {
        if (here) setFound({ key: attempt, error: asApiError(e) });
      },
    );
    return () => {
      here = false;
    };
  }, [task, attempt, beat, again]);
  const changes = found?.key === attempt ? found.changes : undefined,
    error = found?.key === attempt ? found.error : undefined;
  const files = changes?.files ?? [],
    path = files.some((f) => f.path === at) ? at : (files[0]?.path ?? "");
  const walk = (e: KeyboardEvent<HTMLElement>) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[e.key],
      next = step && files[files.findIndex((f) => f.path === path) + step];
    if (!next) return;
    e.preventDefault();
    setAt(next.path);
    e.currentTarget.querySelector<HTMLElement>(`[data-file="${CSS.escape(next.path)}"]`)?.focus();
  };
  return (
    <Dialog
      open
      onOpen={onClose}
      title={t("plan.changes.title", { title })}
      width={1120}
      footer={<Button onClick={onClose}>{t("common.close")}</Button>}
    >
      <div className="plan-changes-bar">
        {tries > 1 && (
          <Segmented
            size="sm"
            label={t("plan.attempts")}
            value={String(attempt)}
            onValue={(v) => {
              setAttempt(Number(v));
              setAt("");
            }}
            options={Array.from({ length: tries }, (_, i) => ({
              value: String(i + 1),
              label: t("plan.changes.try", { n: i + 1 }),
            }))}
          />
        )}
        {changes?.live && <Badge>{t(working ? "plan.changes.live" : "plan.changes.checked")}</Badge>}
      </div>
      {error ? (
        error.code === "NOT_FOUND" ? (
          <EmptyState icon={FileDiff} title={t("plan.changes.unknown")}>
            {error.message}
          </EmptyState>
        ) : (
          <ErrorState
            title={t("plan.changes.unread")}
            actions={
              <Button size="sm" onClick={() => setAgain(again + 1)}>
                {t("common.retry")}
              </Button>
            }
          >
            {errorMeaning(t, error)}
          </ErrorState>
        )
      ) : !changes ? (
        <Skeleton lines={6} label={t("common.loading")} />
      ) : !files.length ? (
        <EmptyState icon={FileDiff} title={t("plan.changes.none")}>
          {t(changes.live && working ? "plan.changes.noneYet" : "plan.changes.noneWhy")}
        </EmptyState>
      ) : (
        <div className="plan-changes">
          <ul className="plan-files rows" aria-label={t("plan.changes.files")} onKeyDown={walk}>
            {files.map((f) => {
              const Icon = icons[f.kind];
              return (
                <li key={f.path}>
                  <button
                    type="button"
                    className="lrow"
                    data-file={f.path}
                    aria-current={f.path === path || undefined}
                    tabIndex={f.path === path ? 0 : -1}
                    onClick={() => setAt(f.path)}
                  >
                    <Icon
                      size={14}
                      className={`plan-file--${f.kind} flex-none`}
                      aria-label={t(`plan.changes.${f.kind}`)}
                    />
                    <span className="mono cut" title={f.path} translate="no">
                      {f.path}
                    </span>
                  </button>
                </li>
              );
            })}
          </ul>
          <File key={`${attempt} ${path}`} task={task} attempt={attempt} path={path} beat={beat} />
        </div>
      )}
    </Dialog>
  );
}

function File({ task, attempt, path, beat }: { task: string; attempt: number; path: string; beat: string }) {
  const { t } = useTranslation();
  const narrow = useMedia("(max-width: 959px)"),
    [sides, setSides] = useState<Sides>(),
    [error, setError] = useState<ApiError>(),
    [again, setAgain] = useState(0);
  useEffect(() => {
    let here = true;
    planLibrary.sides(usePlan.getState().id, task, attempt, path).then(
      (s) => {
        if (here) {
          setSides((had) => (had && had.before === s.before && had.after === s.after ? had : s));
          setError(undefined);
        }
      },
      (e: unknown) => {
        if (here) setError(asApiError(e));
      },
    );
    return () => {
      here = false;
    };
  }, [task, attempt, path, beat, again]);
  const labels = useMemo(
    () => ({
      before: t("plan.changes.before"),
      after: t("plan.changes.after"),
      both: path,
      same: t("plan.changes.same"),
    }),
    [t, path],
  );
  if (error)
    return (
      <ErrorState
        title={t("plan.changes.fileUnread")}
        actions={
          <Button
            size="sm"
            onClick={() => {
              setError(undefined);
              setAgain(again + 1);
            }}
          >
            {t("common.retry")}
          </Button>
        }
      >
        {errorMeaning(t, error)}
      </ErrorState>
    );
  if (!sides) return <Skeleton lines={6} label={t("common.loading")} />;
  if (sides.binary || sides.large)
    return <EmptyState icon={FileDiff} title={t(sides.binary ? "plan.changes.binary" : "plan.changes.large")} />;
  return (
    <TextDiff
      before={sides.before}
      after={sides.after}
      language={languageOf(path)}
      mode={narrow || sides.kind !== "modified" ? "unified" : "split"}
      labels={labels}
      loading={<Skeleton lines={6} label={t("common.loading")} />}
      failed={<ErrorState title={t("plan.changes.fileUnread")} />}
    />
  );
}
