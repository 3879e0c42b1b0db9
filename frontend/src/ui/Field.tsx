import { CircleAlert, TriangleAlert } from "lucide-react";
import { useId, type ReactNode } from "react";

export type FieldProps = {
  label: ReactNode;
  /** Beside the label, right: what it was, or a count. */
  aside?: ReactNode;
  hint?: ReactNode;
  error?: ReactNode;
  warning?: ReactNode;
  /** Gets the ids to put on the control. */
  children: (ids: { id: string; "aria-describedby"?: string; "aria-invalid"?: true }) => ReactNode;
};

/** A label, a control and what there is to say about it. */
export function Field({ label, aside, hint, error, warning, children }: FieldProps) {
  const id = useId();
  const said = error || warning || hint;
  return (
    <div className="field">
      <label htmlFor={id}>
        <span>{label}</span> {aside && <span className="hint cut">{aside}</span>}
      </label>
      {children({ id, "aria-describedby": said ? `${id}-hint` : undefined, "aria-invalid": error ? true : undefined })}
      <div id={`${id}-hint`} aria-live="polite">
        {error ? (
          <span className="hint hint--bad">
            <CircleAlert className="inline align-[-2px] mr-1" size={12} aria-hidden />
            {error}
          </span>
        ) : warning ? (
          <span className="hint hint--warn">
            <TriangleAlert className="inline align-[-2px] mr-1" size={12} aria-hidden />
            {warning}
          </span>
        ) : (
          hint && <span className="hint">{hint}</span>
        )}
      </div>
    </div>
  );
}
