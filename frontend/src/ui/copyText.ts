/** Puts a text on the clipboard; also where the page has no secure context, as from another computer without TLS. */
export async function copyText(text: string): Promise<void> {
  const api = navigator.clipboard as Clipboard | undefined;
  if (api) return api.writeText(text);
  const field = document.createElement("textarea"),
    before = document.activeElement;
  field.value = text;
  field.className = "sr-only";
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  if (!done) throw new Error("the browser did not copy");
}
