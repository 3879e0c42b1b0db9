import type { Mark } from "../topology";

export const markSign: Record<Mark, string> = { add: "+", del: "−", chg: "~", mov: "↔" };

/** + − ~ ↔ in its color; `inline` for rows, else at the corner of what it marks. */
export function ChangeMark({ mark, inline }: { mark: Mark; inline?: boolean }) {
  return (
    <b className={`mark mark--${mark}${inline ? " mark--in" : ""}`} translate="no" aria-hidden>
      {markSign[mark]}
    </b>
  );
}
