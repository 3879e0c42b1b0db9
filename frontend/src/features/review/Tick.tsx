import { Checkbox } from "@/ui";
import { include } from "./store";

/** Whether changes go with this apply. */
export function Tick({
  ids,
  on,
  label,
  disabled,
}: {
  ids: readonly string[];
  on: boolean | "indeterminate";
  label: string;
  disabled?: boolean;
}) {
  return (
    <span className="review-tick">
      <Checkbox
        checked={on}
        disabled={disabled}
        onChecked={(v) => include(ids, v)}
        label={<span className="sr-only">{label}</span>}
      />
    </span>
  );
}
