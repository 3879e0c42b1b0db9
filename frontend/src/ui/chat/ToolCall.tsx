import { Check, ChevronRight, CircleAlert, Wrench } from "lucide-react";
import { cx } from "../cx";
import { inShort } from "./inShort";
import { useChatWords } from "./words";

export type ToolCallProps = {
  /** What was done: the tool's name. */
  name: string;
  /** Who called the tool, if nothing around it shows that. */
  by?: string;
  at?: string | number | Date;
  /** What went in and what came out. */
  input?: string;
  output?: string;
  /** How it ended. */
  state?: "ok" | "failed";
  /** How it failed, in a few words. */
  why?: string;
  /** It begins unfolded. */
  open?: boolean;
};

/** What an agent did with a tool, folded to one line. */
export function ToolCall({ name, by, at, input, output, state, why, open }: ToolCallProps) {
  const words = useChatWords(),
    failed = state === "failed",
    brief = inShort(input ?? "");
  const Icon = failed ? CircleAlert : Wrench;
  const line = (
    <>
      {by && (
        <b className="cut" title={by}>
          <bdi>{by}</bdi>
        </b>
      )}
      <Icon size={12} className={cx(failed && "text-failed")} aria-hidden />
      <span className="mono cut" title={name}>
        {name}
      </span>
      {brief && (
        <span className="mono cut tool-brief" title={brief}>
          {brief}
        </span>
      )}
      {state && (
        <span className={cx("tool-end", failed && "text-failed")}>
          {!failed && <Check size={12} aria-hidden />}
          {failed ? [words.tool.failed, why].filter(Boolean).join(" · ") : words.tool.ok}
        </span>
      )}
      {at !== undefined && (
        <time dateTime={new Date(at).toISOString()} title={words.moment(at)}>
          {words.time(at)}
        </time>
      )}
    </>
  );
  if (!input && !output) return <div className="tool">{line}</div>;
  return (
    <details className="toolbox" open={open || undefined}>
      <summary className="tool">
        <ChevronRight size={12} className="tool-fold" aria-hidden />
        {line}
      </summary>
      <div className="tool-body">
        {input && (
          <>
            <span className="cap">{words.tool.input}</span>
            <pre tabIndex={0} aria-label={words.tool.input}>
              {input}
            </pre>
          </>
        )}
        {output && (
          <>
            <span className="cap">{words.tool.output}</span>
            <pre tabIndex={0} aria-label={words.tool.output}>
              {output}
            </pre>
          </>
        )}
      </div>
    </details>
  );
}
