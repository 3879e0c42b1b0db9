import { Send } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { errorMeaning } from "@/i18n/problem";
import { useBegun } from "@/stores/begun";
import { asApiError, type ApiError } from "@/stores/faults";
import { Button, ErrorState, isEnter, Textarea } from "@/ui";

type Props = {
  /** What the goal is for: what was written stays with it. */
  of: string;
  label: string;
  placeholder: string;
  send: string;
  /** Rejects with ApiError. */
  onSend: (text: string) => Promise<unknown>;
  onModels: () => void;
  disabled?: boolean;
  rows?: number;
};

/** Under which a goal that is not given yet is kept. */
export const goalKey = (of: string) => `goal ${of}`;

/** A goal is written and given to the planner. What was written stays until it is taken. */
export function GoalForm({ of, label, placeholder, send, onSend, onModels, disabled, rows = 2 }: Props) {
  const { t } = useTranslation();
  const [text, setText] = useBegun(goalKey(of)),
    [busy, setBusy] = useState(false),
    [error, setError] = useState<ApiError>();
  const give = async () => {
    if (!text.trim() || busy || disabled) return;
    setBusy(true);
    setError(undefined);
    try {
      await onSend(text.trim());
      (document.activeElement as HTMLElement | null)?.blur();
      setText("");
    } catch (e) {
      setError(asApiError(e));
    } finally {
      setBusy(false);
    }
  };
  const model = error && (error.details?.reason === "no_model" || error.code !== "VALIDATION_ERROR");
  return (
    <form
      className="plan-goal"
      aria-label={label}
      onSubmit={(e) => {
        e.preventDefault();
        void give();
      }}
    >
      <Textarea
        rows={rows}
        grow={200}
        maxLength={60_000}
        value={text}
        placeholder={placeholder}
        aria-label={placeholder}
        disabled={busy}
        onText={(v) => {
          setError(undefined);
          setText(v);
        }}
        onKeyDown={(e) => {
          e.stopPropagation();
          if (isEnter(e) && !e.shiftKey) {
            e.preventDefault();
            void give();
          }
        }}
      />
      <Button type="submit" tone="main" icon={Send} busy={busy} disabled={!text.trim() || disabled}>
        {send}
      </Button>
      {error && (
        <div className="plan-goal-error">
          <ErrorState
            title={t("plan.notAsked")}
            actions={
              model && (
                <Button size="sm" onClick={onModels}>
                  {t("plan.models")}
                </Button>
              )
            }
          >
            {errorMeaning(t, error)}
          </ErrorState>
        </div>
      )}
    </form>
  );
}
