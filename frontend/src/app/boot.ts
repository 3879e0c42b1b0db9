import { followVersion } from "@/features/history";
import { followSection } from "@/features/settings";
import { setLanguage } from "@/i18n";
import { useTeam } from "@/stores/team";
import { followTeam } from "@/stores/teamNews";
import { lastTeam, showTeam } from "@/stores/teams";
import { attempt } from "@/stores/faults";
import { startHub, useHub } from "@/stores/hub";
import { followLinks } from "@/stores/links";
import { look, useOwnLook } from "@/stores/look";
import { startLogin } from "@/stores/login";
import { followModels } from "@/stores/models";
import { followQuestion } from "@/stores/inbox";
import { enterAddress, keptRoute, parseRoute, replaceAddress, routeOf } from "@/stores/routes";
import { useUi } from "@/stores/ui";
import { fetchLater, watchStyles } from "@/stores/fetched";
import { fetchTip, followWidth, setTextSize } from "@/ui";
import { followTeamAddress } from "./team";
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

/** The address names the screen, so that reload and the browser's Back work. A screen that is come back to shows what it showed. */
function followAddress(): () => void {
  const last = new Map<string, string>();
  const read = () => {
    const id = parseRoute(location.hash)?.screen;
    if (!id) {
      if (!location.hash) replaceAddress(keptRoute(useUi.getState().screen) ?? "");
      return;
    }
    last.set(id, location.hash);
    useUi.getState().go(id);
  };
  read();
  addEventListener("hashchange", read);
  const off = useUi.subscribe((s, before) => {
    if (s.screen !== before.screen && parseRoute(location.hash)?.screen !== s.screen)
      enterAddress(keptRoute(s.screen) ?? ((!onPhone() && last.get(s.screen)) || `#/${s.screen}`));
  });
  // Sessions of another gateway belong to the team of before. The person can choose that gateway again.
  let gateway = "";
  const offTeam = useTeam.subscribe((team) => {
    if (!team.gateway || team.gateway === gateway) return;
    const params: { gateway?: string } = parseRoute(last.get("sessions") ?? "")?.params ?? {};
    if (gateway && params.gateway !== team.gateway) last.delete("sessions");
    gateway = team.gateway;
  });
  return () => {
    removeEventListener("hashchange", read);
    off();
    offTeam();
  };
}

/** Shows the team that the address names, else that of last time, else the newest, as soon as the hub has told what there is. */
function openFirst(): () => void {
  const open = () => {
    const { known, teams } = useHub.getState();
    if (!known) return;
    off();
    const wished = [routeOf("canvas")?.params.team, lastTeam(), teams[0]?.id],
      id = wished.find((w) => teams.some((d) => d.id === w));
    if (id) void attempt("open", () => showTeam(id));
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
    followTeamAddress(),
    followSection(),
    followQuestion(),
    followVersion(),
    followAddress(),
    followLinks(),
    followTeam(),
    followModels(),
    openFirst(),
    startHub(),
    watchStyles(),
    speak(),
  ];
  return () => {
    media.removeEventListener("change", paint);
    for (const off of offs) off();
  };
}
