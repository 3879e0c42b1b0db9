/** The first stop of Tab: over rail and head, to the work. Shown only while it has the focus. */
export function SkipLink({ label, to }: { label: string; to: () => HTMLElement | null }) {
  return <button type="button" className="skip btn btn--main" onClick={() => to()?.focus()}>{label}</button>;
}
