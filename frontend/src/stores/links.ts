import { windowApp } from "../api/endpoint";
import { ApiError, attempt } from "./faults";

const foreign = (href: string) => {
  const to = new URL(href, location.href);
  return to.origin !== location.origin && to.protocol !== "blob:";
};

/** In the desktop window a link opens in the person's browser. The window itself never leaves its page, because whatever page it shows gets the owner's token. */
export function followLinks(): () => void {
  const app = windowApp();
  if (!app) return () => {};
  const open = (e: Event) => {
    const link = e.target instanceof Element ? e.target.closest<HTMLAnchorElement>("a[href]") : null;
    if (!link || !foreign(link.href)) return;
    e.preventDefault();
    void attempt("link", () =>
      app.OpenLink(link.href).catch((err: unknown) => {
        throw new ApiError({ code: "LINK", message: String(err) }, 400);
      }),
    );
  };
  const stay = (e: Event) => {
    if (foreign((e as Event & { destination: { url: string } }).destination.url)) e.preventDefault();
  };
  // Not every web view has the Navigation API.
  const moves = (window as { navigation?: EventTarget }).navigation;
  document.addEventListener("click", open, true);
  document.addEventListener("auxclick", open, true);
  moves?.addEventListener("navigate", stay);
  return () => {
    document.removeEventListener("click", open, true);
    document.removeEventListener("auxclick", open, true);
    moves?.removeEventListener("navigate", stay);
  };
}
