import { ArrowLeft, Bell, BellRing, Copy, Link, RotateCcw, Square } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { errorMeaning } from "@/i18n/problem";
import { attempt } from "@/stores/faults";
import { outputText } from "@/stores/taskOutput";
import { askAgain, useTaskDraft } from "@/stores/taskDraft";
import { taskActions } from "@/stores/tasks";
import { canNotify } from "@/stores/desktop";
import { useTaskWatch, watchTask } from "@/stores/taskWatch";
import { useLiveTask, type LiveTask } from "@/stores/useLiveTask";
import type { TaskDetail } from "@/topology";
import {
  Button,
  copyText,
  cx,
  EmptyState,
  ErrorState,
  IconButton,
  Progress,
  ScreenHead,
  Skeleton,
  StatusBadge,
  statusIcon,
  Tabs,
  toast,
  useMedia,
  Marked,
  marked,
} from "@/ui";
import { AsksYou } from "./AsksYou";
import { Facts } from "./Facts";
import { OutputView } from "./OutputView";
import { stillHere } from "@/stores/routes";
import { showTask, taskLink } from "@/stores/taskPlace";
import { commandFailure, Result, resultText } from "./Result";
import { Unreviewed } from "./Unreviewed";
import { WaitsFor } from "./WaitsFor";
import { useAsks } from "./useAsks";
import { useCause } from "./Why";
import { budgetGone, ended, retriable, standing, toneOf } from "./words";

type Tab = "output" | "result" | "details";
type Props = { id: string; phone?: boolean; onBack?: () => void; onConnect: (from: string, to: string) => void };

/** One task: what it says while it says it, what became of it, and every attempt. */
export function TaskView({ id, phone = false, onBack, onConnect }: Props) {
  const { t } = useTranslation();
  const live = useLiveTask(id),
    { detail, error } = live;
  const back = onBack && <IconButton icon={ArrowLeft} label={t("tasks.back")} onClick={onBack} />;
  if (detail) return <Known live={live} detail={detail} back={back} phone={phone} onConnect={onConnect} />;
  const gone = error?.code === "NOT_FOUND";
  return (
    <section className="task" aria-label={t("tasks.task")}>
      {back && (
        <ScreenHead>
          {back}
          <h1>{t("screen.tasks")}</h1>
        </ScreenHead>
      )}
      {!error && <Skeleton lines={6} label={t("common.loading")} />}
      {error && gone && (
        <div className="grid flex-1 place-items-center">
          <EmptyState
            title={t("tasks.gone")}
            action={<Button onClick={() => showTask("")}>{t("tasks.toList")}</Button>}
          >
            {t("tasks.goneWhy", { id })}
          </EmptyState>
        </div>
      )}
      {error && !gone && (
        <div className="pad">
          <ErrorState
            title={t("tasks.unreadOne")}
            actions={
              <Button size="sm" onClick={live.retry}>
                {t("common.retry")}
              </Button>
            }
          >
            {errorMeaning(t, error)}
          </ErrorState>
        </div>
      )}
    </section>
  );
}

function Known({
  live,
  detail,
  back,
  phone,
  onConnect,
}: {
  live: LiveTask;
  detail: TaskDetail;
  back?: React.ReactNode;
  phone: boolean;
  onConnect: Props["onConnect"];
}) {
  const { t } = useTranslation();
  const wide = useMedia("(min-width: 1100px)");
  const [picked, setPicked] = useState<Tab>();
  const done = detail.status === "completed";
  const usual: Tab = done ? "result" : "output";
  const tab = picked && (picked !== "details" || !wide) && (picked !== "result" || done) ? picked : usual;
  const long = detail.userPrompt.trim().length > (phone ? 12 : 60) || detail.userPrompt.trim().includes("\n"); // else the head says it all
  const facts = <Facts detail={detail} output={live.output} />;
  return (
    <section className="task" aria-label={t("tasks.task")}>
      <Head detail={detail} live={live} back={back} phone={phone} />
      {!ended(detail) && live.output.progress > 0 && (
        <Progress value={live.output.progress / 100} label={t("tasks.progress")} />
      )}
      {long && (
        <div className="task-prompt" tabIndex={0} role="region" aria-label={t("tasks.asked")}>
          {detail.userPrompt}
        </div>
      )}
      {!ended(detail) && <AsksYou task={detail.taskId} />}
      <Unreviewed detail={detail} />
      {detail.waits && <WaitsFor task={detail.taskId} waits={detail.waits} onConnect={onConnect} />}
      <div className="task-work">
        <div className="col grow min-h-0">
          <Tabs
            label={t("tasks.task")}
            value={tab}
            onValue={setPicked}
            tabs={[
              ...(done
                ? [
                    {
                      value: "result" as const,
                      label: t("tasks.tab.result"),
                      content: <Result value={detail.result} />,
                    },
                  ]
                : []),
              {
                value: "output",
                label: t("tasks.tab.output"),
                content: (
                  <OutputView
                    output={live.output}
                    link={live.link}
                    running={!ended(detail)}
                    written={detail.taskType === "chat" || detail.taskType === "complex_task"}
                  />
                ),
              },
              ...(wide
                ? []
                : [
                    {
                      value: "details" as const,
                      label: t("tasks.tab.details"),
                      content: <div className="pad">{facts}</div>,
                    },
                  ]),
            ]}
          />
        </div>
        {wide && (
          <aside className="task-side" aria-label={t("tasks.tab.details")}>
            {facts}
          </aside>
        )}
      </div>
    </section>
  );
}

function Head({
  detail,
  live,
  back,
  phone,
}: {
  detail: TaskDetail;
  live: LiveTask;
  back?: React.ReactNode;
  phone: boolean;
}) {
  const { t } = useTranslation();
  const why = useCause();
  const [busy, setBusy] = useState<"cancel" | "retry">();
  const word = standing(detail, useAsks(detail.taskId)),
    tone = toneOf[word],
    Icon = statusIcon[tone],
    failure = commandFailure(t, detail.result);
  const title = detail.userPrompt.trim().split("\n", 1)[0] ?? "";
  const act = async (what: "cancel" | "retry") => {
    setBusy(what);
    const here = stillHere();
    await attempt(what === "cancel" ? "cancelTask" : "retryTask", async () => {
      if (what === "cancel") {
        await taskActions.cancel(detail.taskId);
        return;
      }
      const got = await taskActions.retry(detail.taskId);
      if (got.status === "rejected")
        toast({ tone: "failed", text: why(got.cause, got.message), closeLabel: t("common.close") });
      else if (here()) showTask(got.taskId);
    });
    setBusy(undefined);
  };
  // Retried as it is, it would use up the same budget again; completed, it may be wanted a little different.
  const rewrite = () => {
    const before = askAgain(detail);
    showTask("");
    if (before.text && before.text !== detail.userPrompt)
      toast({
        text: t("tasks.draftReplaced"),
        closeLabel: t("common.close"),
        action: { label: t("common.undo"), run: () => useTaskDraft.setState(before) },
      });
  };
  const copy = (text: string, said: string) =>
    void attempt("copyTask", async () => {
      await copyText(text);
      toast({ tone: "done", text: said, closeLabel: t("common.close") });
    });
  const watched = useTaskWatch((s) => s.ids.includes(detail.taskId));
  const watch = async () => {
    if (!(await watchTask(detail.taskId, !watched)))
      toast({ tone: "failed", text: t("tasks.noNotices"), closeLabel: t("common.close") });
  };
  const whole = () => resultText(detail.result) ?? (outputText(live.output) || detail.errorMessage || "");
  return (
    <header className="head">
      {back}
      {failure ? (
        <StatusBadge status="failed">{failure}</StatusBadge>
      ) : (
        <Icon size={16} className={cx(`s-${tone}`, "sc flex-none", tone === "running" && "spin")} aria-hidden />
      )}
      <h2 className="cut grow" title={marked(title)}>
        <Marked text={title} />
      </h2>
      <span className="sr-only" role="status">
        {failure ?? t(`tasks.status.${word}`)}
      </span>
      {!ended(detail) && canNotify() && (
        <IconButton
          icon={watched ? BellRing : Bell}
          label={t(watched ? "tasks.unwatch" : "tasks.watch")}
          pressed={watched}
          onClick={() => void watch()}
        />
      )}
      <IconButton
        icon={Link}
        label={t("tasks.copyLink")}
        onClick={() => copy(taskLink(detail.taskId), t("tasks.linkCopied"))}
      />
      <IconButton
        icon={Copy}
        label={t("tasks.copy")}
        disabled={!whole()}
        onClick={() => copy(whole(), t("tasks.copied"))}
      />
      {!ended(detail) && (
        <Button tone="danger" icon={Square} busy={busy === "cancel"} onClick={() => void act("cancel")}>
          {phone ? t("tasks.stop") : t("tasks.cancel")}
        </Button>
      )}
      {detail.status === "completed" &&
        (phone ? (
          <IconButton icon={RotateCcw} label={t("tasks.askAgain")} onClick={rewrite} />
        ) : (
          <Button icon={RotateCcw} onClick={rewrite}>
            {t("tasks.askAgain")}
          </Button>
        ))}
      {retriable(detail) && budgetGone(detail) && (
        <Button icon={RotateCcw} onClick={rewrite}>
          {t("tasks.otherBudget")}
        </Button>
      )}
      {retriable(detail) && !budgetGone(detail) && (
        <Button icon={RotateCcw} busy={busy === "retry"} onClick={() => void act("retry")}>
          {t("tasks.again")}
        </Button>
      )}
    </header>
  );
}
