import { Send, SlidersHorizontal, TriangleAlert } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { errorMeaning } from "@/i18n/problem";
import { asApiError } from "@/stores/faults";
import { useHub } from "@/stores/hub";
import {
  changeDraft,
  draftKey,
  draftSent,
  loadTaskDraft,
  TASK_TYPES,
  useTaskDraft,
  type TaskType,
} from "@/stores/taskDraft";
import { watchGiven } from "@/stores/taskWatch";
import { taskActions, useTasks } from "@/stores/tasks";
import type { TaskCause } from "@/topology";
import { announce, Button, ErrorState, Field, IconButton, isEnter, Select, Textarea } from "@/ui";
import { AgentChoice } from "./AgentChoice";
import { BudgetFields } from "./Budget";
import { hindrance, type Hindrance } from "./hindrance";
import { useReceiver } from "./receiver";
import { stillHere } from "@/stores/routes";
import { showTask } from "@/stores/taskPlace";
import { Why } from "./Why";
import { Unapplied } from "./Unapplied";
import { limitOf, typeIcon } from "./words";

const field = "task-text";
const priorities = [50, 10, 0, -10] as const,
  deadlines = [0, 5, 15, 60, 240, 1440] as const;

/** Puts the cursor where a task is written. */
const focusText = () => {
  const el = document.getElementById(field) as HTMLTextAreaElement | null;
  el?.focus();
  el?.setSelectionRange(el.value.length, el.value.length);
};

/** A task is written, and given to the team or to one of it. */
export function Composer({ onConnect, phone }: { onConnect: (from: string, to: string) => void; phone: boolean }) {
  const { t } = useTranslation();
  const draft = useTaskDraft(),
    agents = useTasks((s) => s.agents);
  const [busy, setBusy] = useState(false),
    [refused, setRefused] = useState<{ text: string; cause?: TaskCause; away?: boolean }>(),
    [sent, setSent] = useState(0);
  const filled = draft.priority !== 0 || draft.minutes !== 0 || draft.tokens !== "" || draft.usd !== "";
  const [opened, setOpened] = useState({ open: filled, asked: draft.asked }),
    // A task that came from elsewhere shows all that it has.
    more = opened.open || (filled && opened.asked !== draft.asked);
  // Once the hub can be reached again, the refusal is no longer true.
  useEffect(
    () =>
      useHub.subscribe((s, was) => {
        if (s.link === "open" && was.link !== "open") setRefused((r) => (r?.away ? undefined : r));
      }),
    [],
  );
  const seen = useRef(0);
  useEffect(() => {
    loadTaskDraft().catch(() => undefined);
  }, []); // without the hub nothing can be given anyway
  useEffect(() => {
    if (draft.asked !== seen.current) {
      seen.current = draft.asked;
      focusText();
    }
  }, [draft.asked]);
  useEffect(() => {
    if (sent && !phone) focusText();
  }, [sent, phone]);
  const receiver = useReceiver(draft.type);
  const why: Hindrance | undefined = draft.agent
    ? hindrance(t, agents, draft.agent, draft.type)
    : receiver.why
      ? { text: receiver.why }
      : undefined;
  const give = async () => {
    const { text, type, priority, minutes, ...written } = useTaskDraft.getState(),
      agent = written.agent || receiver.agent;
    const tokens = limitOf(written.tokens),
      usd = limitOf(written.usd);
    if (!text.trim() || why || tokens === undefined || usd === undefined) return;
    const budget = { ...(tokens && { tokens: Math.round(tokens) }), ...(usd && { usd }) };
    setBusy(true);
    setRefused(undefined);
    const here = stillHere();
    try {
      const got = await taskActions.submit(
        {
          sessionId: "tasks",
          userPrompt: text,
          taskType: type,
          context: {
            ...(agent && { agent }),
            ...(priority && { priority }),
            ...(minutes && { timeoutSec: minutes * 60 }),
            ...(Object.keys(budget).length && { budget }),
          },
        },
        draftKey(),
      );
      if (got.status === "rejected") {
        setRefused({ text: got.message, cause: got.cause });
        return;
      }
      draftSent();
      setSent((n) => n + 1);
      announce(t("tasks.given"));
      watchGiven(got.taskId);
      if (here()) showTask(got.taskId);
    } catch (e) {
      const error = asApiError(e);
      setRefused({ text: errorMeaning(t, error), away: error.code === "UNREACHABLE" });
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      className="tasks-compose"
      aria-label={t("tasks.new")}
      onSubmit={(e) => {
        e.preventDefault();
        void give();
      }}
    >
      <Textarea
        key={sent}
        id={field}
        rows={2}
        grow={200}
        maxLength={200_000}
        value={draft.text}
        placeholder={t("tasks.what")}
        aria-label={t("tasks.what")}
        aria-describedby={refused || why ? "task-refused" : undefined}
        onText={(text) => {
          setRefused(undefined);
          changeDraft({ text });
        }}
        onKeyDown={(e) => {
          if (isEnter(e) && !e.shiftKey) {
            e.preventDefault();
            void give();
          }
        }}
      />
      <div className="row gap-1.5 pt-2">
        <Select
          size="sm"
          className="grow"
          label={t("tasks.kind")}
          value={draft.type}
          onValue={(type) => changeDraft({ type })}
          options={TASK_TYPES.map((value: TaskType) => {
            const Icon = typeIcon[value];
            return {
              value,
              label: t(`tasks.type.${value}`),
              icon: <Icon size={14} className="t2 flex-none" aria-hidden />,
            };
          })}
        />
        <AgentChoice
          agents={agents}
          receiver={receiver}
          value={draft.agent}
          type={draft.type}
          onValue={(agent) => {
            setRefused(undefined);
            changeDraft({ agent });
          }}
        />
        <IconButton
          icon={SlidersHorizontal}
          size={phone ? undefined : "sm"}
          label={t("tasks.options")}
          pressed={more}
          onClick={() => setOpened({ open: !more, asked: draft.asked })}
        />
        <Button
          type="submit"
          tone="main"
          size={phone ? undefined : "sm"}
          icon={Send}
          busy={busy}
          disabled={
            !draft.text.trim() || !!why || limitOf(draft.tokens) === undefined || limitOf(draft.usd) === undefined
          }
        >
          {t("tasks.give")}
        </Button>
      </div>
      {more && (
        <div className="tasks-options">
          <Field label={t("tasks.priority")}>
            {(ids) => (
              <Select
                {...ids}
                size="sm"
                value={String(draft.priority)}
                onValue={(v) => changeDraft({ priority: Number(v) })}
                options={priorities.map((n) => ({ value: String(n), label: t(`tasks.priorities.${n}`) }))}
              />
            )}
          </Field>
          <Field label={t("tasks.deadline")}>
            {(ids) => (
              <Select
                {...ids}
                size="sm"
                value={String(draft.minutes)}
                onValue={(v) => changeDraft({ minutes: Number(v) })}
                options={deadlines.map((n) => ({ value: String(n), label: t(`tasks.deadlines.${n}`) }))}
              />
            )}
          </Field>
          <BudgetFields />
        </div>
      )}
      {!draft.agent && <Unapplied />}
      <div id="task-refused">
        {why && (
          <div className="hint hint--warn pt-2">
            <TriangleAlert className="inline align-[-2px] mr-1" size={12} aria-hidden />
            {why.text}
            {why.connect && (
              <>
                {" "}
                <button type="button" className="link" onClick={() => onConnect(why.connect!.from, why.connect!.to)}>
                  {t("tasks.drawIt")}
                </button>
              </>
            )}
          </div>
        )}
        {refused && (
          <div className="pt-2">
            <ErrorState title={t("tasks.refused")}>
              <Why text={refused.text} cause={refused.cause} />
            </ErrorState>
          </div>
        )}
      </div>
    </form>
  );
}
