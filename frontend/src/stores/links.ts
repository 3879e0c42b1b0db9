import { windowApp } from "../api/endpoint";
import { ApiError, attempt } from "./faults";

/** The origin of an address, also where its scheme has none by the standard, such as wails. */
const originOf = ({ protocol, host }: URL) => `${protocol}//${host}`;

/** Whether an address leads away from a page. */
export function foreign(href: string, page: string): boolean {
  const to = new URL(href, page);
  return to.protocol !== "blob:" && originOf(to) !== originOf(new URL(page));
}

/** In the desktop window a link opens in the person's browser. The window itself never leaves its page, because whatever page it shows gets the owner's token. */
export function followLinks(): () => void {
  const app = windowApp();
  if (!app) return () => {};
  const open = (e: Event) => {
    const link = e.target instanceof Element ? e.target.closest<HTMLAnchorElement>("a[href]") : null;
    if (!link || !foreign(link.href, location.href)) return;
    e.preventDefault();
    void attempt("link", () =>
      app.OpenLink(link.href).catch((err: unknown) => {
        throw new ApiError({ code: "LINK", message: String(err) }, 400);
      }),
    );
  };
  const stay = (e: Event) => {
    const { url } = (e as Event & { destination: { url: string } }).destination;
    if (foreign(url, location.href)) e.preventDefault();
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
