import { setLanguage } from "@/i18n";
import { followDrawing } from "@/stores/drawingNews";
import { lastDrawing, showDrawing } from "@/stores/drawings";
import { attempt } from "@/stores/faults";
import { startHub, useHub } from "@/stores/hub";
import { followLinks } from "@/stores/links";
import { look, useOwnLook } from "@/stores/look";
import { startLogin } from "@/stores/login";
import { followModels } from "@/stores/models";
import { useUi } from "@/stores/ui";
import { fetchLater, fetchRest } from "@/stores/fetched";
import { fetchTip, followWidth, setTextSize } from "@/ui";
import { screens } from "./screens";
import { speak } from "./speak";

const dark = () => matchMedia("(prefers-color-scheme: dark)");

function paint(): void {
  const { motion, textSize } = useHub.getState().settings,
    { theme, language } = look();
  document.documentElement.dataset.theme = theme === "auto" ? (dark().matches ? "dark" : "light") : theme;
  document.documentElement.dataset.motion = motion;
  setLanguage(language);
  setTextSize(textSize ?? 100);
}

fetchLater(fetchTip);

/** There a screen begins with its list. */
const onPhone = () => matchMedia("(max-width: 639px)").matches;

/** What stands first in the address; what comes after it is the screen's own. */
const named = () => location.hash.replace(/^#\//, "").split("/")[0];

/** The address names the screen, so that reload and the browser's Back work. A screen that is come back to shows what it showed. */
function followAddress(): () => void {
  const last = new Map<string, string>();
  const read = () => {
    const id = named();
    if (id) last.set(id, location.hash);
    if (id && screens.some((s) => s.id === id)) useUi.getState().go(id);
  };
  read();
  addEventListener("hashchange", read);
  const off = useUi.subscribe((s, before) => {
    if (s.screen !== before.screen && named() !== s.screen)
      location.hash = (!onPhone() && last.get(s.screen)) || `/${s.screen}`;
  });
  return () => {
    removeEventListener("hashchange", read);
    off();
  };
}

/** Shows the drawing of last time, else the newest, as soon as the hub has told what there is. */
function openFirst(): () => void {
  const open = () => {
    const { known, drawings } = useHub.getState();
    if (!known) return;
    off();
    const id = drawings.find((d) => d.id === lastDrawing())?.id ?? drawings[0]?.id;
    if (id) void attempt("open", () => showDrawing(id));
  };
  const off = useHub.subscribe(open);
  return off;
}

/** Everything that runs beside the page, for as long as it lives. */
export function boot(): () => void {
  paint();
  const media = dark();
  media.addEventListener("change", paint);
  const offs = [
    startLogin(),
    useHub.subscribe((s, before) => {
      if (s.settings !== before.settings) paint();
    }),
    useOwnLook.subscribe(paint),
    followWidth(),
    followAddress(),
    followLinks(),
    followDrawing(),
    followModels(),
    openFirst(),
    startHub(),
    fetchRest(),
    speak(),
  ];
  return () => {
    media.removeEventListener("change", paint);
    for (const off of offs) off();
  };
}
