import { composing } from "./ime";

const field =
  "textarea, [contenteditable='true'], input:not([type=button], [type=checkbox], [type=color], [type=file], " +
  "[type=radio], [type=range], [type=reset], [type=submit])";
const fieldAt = (target: EventTarget | null) => (target as Element | null)?.closest?.<HTMLElement>(field) ?? undefined;

/** The text field that the person is in, also after it has gone. */
let writing: HTMLElement | undefined;
/** A field of one line whose text was confirmed by Enter: it may go at any time. */
let confirmed: HTMLElement | undefined;

/**
 * True from when the text field that the person is in has vanished, or takes no text any more, until the person does
 * something else: what is typed on meanwhile was meant for it. A field that the person left is none of these.
 */
export const fieldGone = () => !!writing && (!writing.isConnected || writing.matches(":disabled"));

const leaveField = () => {
  writing = undefined;
};

function onFocus({ target }: FocusEvent): void {
  const at = fieldAt(target);
  // The focus that a vanished field leaves behind is given to something by the page, not by the person.
  if (!at && fieldGone()) return;
  writing = at;
  confirmed = undefined;
}

function onPointer({ target }: Event): void {
  writing = fieldAt(target);
  confirmed = undefined;
}

function onKey(e: KeyboardEvent): void {
  if (composing(e)) return;
  const at = fieldAt(e.target);
  const undoes = at && (e.ctrlKey || e.metaKey) && /^[zy]$/i.test(e.key); // what made the field can go with it
  if (e.key === "Escape" || e.key === "Tab" || undoes) leaveField();
  else if (at && e.key === "Enter") {
    if (at instanceof HTMLInputElement) confirmed = at;
    leaveField();
  } else if (at && at !== confirmed) writing = at;
  else if (at !== writing && !fieldGone()) leaveField();
}

if (typeof document !== "undefined") {
  document.addEventListener("focusin", onFocus);
  for (const press of ["pointerdown", "click"]) document.addEventListener(press, onPointer, true);
  window.addEventListener("keydown", onKey, true);
  window.addEventListener("hashchange", leaveField);
}
