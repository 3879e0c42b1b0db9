import { workPlace } from "./workPlace";

/** The first stop of Tab: over rail and head, to the work. Shown only while it has the focus. */
export function SkipLink({ label }: { label: string }) {
  return (
    <button type="button" className="skip btn btn--main" onClick={() => workPlace()?.focus()}>
      {label}
    </button>
  );
}
