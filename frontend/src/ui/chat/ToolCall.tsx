import { ChevronRight, CircleAlert, LoaderCircle, Wrench } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "../cx";

export type ToolCallProps = {
  /** What was done: the tool's name. */
  name: string;
  /** Beside it, in short: what it was done to. */
  summary?: string;
  state?: "running" | "failed";
  /** How it ended, in words. */
  outcome?: ReactNode;
  /** Unfolded: what went in and what came out. */
  children?: ReactNode;
};

/** What an agent did with a tool, folded to one line. */
export function ToolCall({ name, summary, state, outcome, children }: ToolCallProps) {
  const Icon = state === "running" ? LoaderCircle : state === "failed" ? CircleAlert : Wrench;
  const line = <><Icon size={12} className={cx(state === "running" && "spin text-running", state === "failed" && "text-failed")} aria-hidden /><span className="mono">{name}</span>{summary && <span className="mono cut" title={summary}>{summary}</span>}{outcome}</>;
  if (!children) return <div className="tool">{line}</div>;
  return (
    <details className="toolbox">
      <summary className="tool"><ChevronRight size={12} className="tool-fold" aria-hidden />{line}</summary>
      <div className="tool-body">{children}</div>
    </details>
  );
}
