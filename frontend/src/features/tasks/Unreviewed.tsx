import { CircleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { formatList } from "@/i18n/format";
import { useTasks } from "@/stores/tasks";
import type { TaskDetail } from "@/topology";
import { Banner } from "@/ui";

/** The reviewers that gave no verdict: a completed task's result counts without theirs. */
export function silentReviewers({ status, attempts }: Pick<TaskDetail, "status" | "attempts">): string[] {
  if (status !== "completed") return [];
  const last = new Map((attempts ?? []).filter((a) => a.review).map((a) => [a.agent, a]));
  return [...last.values()].filter((a) => a.error && a.cause?.code === "no_verdict").map((a) => a.agent);
}

/** Says that nobody has checked the result, although a reviewer should have. */
export function Unreviewed({ detail }: { detail: TaskDetail }) {
  const { t } = useTranslation();
  const known = useTasks((s) => s.agents),
    names = silentReviewers(detail).map((id) => known.find((a) => a.id === id)?.name || id);
  if (!names.length) return null;
  return (
    <Banner tone="waiting" icon={CircleAlert}>
      {t("tasks.unreviewed", { names: formatList(names) })}
    </Banner>
  );
}
