import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { ApplyNotices } from "@/features/review";
import { useUi } from "@/stores/ui";
import { Rail, TabBar, TooltipProvider, type RailItem } from "@/ui";
import { AppStatus } from "./AppStatus";
import { boot } from "./boot";
import { Everywhere } from "./Everywhere";
import { Faults } from "./Faults";
import { HubBanner } from "./HubBanner";
import { ScreenBoundary } from "./ScreenBoundary";
import { screens } from "./screens";

/** The frame: rail, the screen, the status bar; on a phone the tab bar instead. */
export function App() {
  const { t } = useTranslation();
  const id = useUi((s) => s.screen), go = useUi((s) => s.go);
  useEffect(boot, []);
  const screen = screens.find((s) => s.id === id) ?? screens[0];
  const items = screens.flatMap((s): RailItem[] => (s.icon ? [{ id: s.id, label: t(s.label), icon: s.icon, foot: s.foot }] : []));
  const current = screen?.icon ? screen.id : (screen?.under ?? "canvas");
  const name = screen ? t(screen.label) : "";
  useEffect(() => { document.title = `AgentFlow · ${name}`; }, [name]);
  return (
    <TooltipProvider>
      <div className="app">
        <Rail label={t("screen.nav")} items={items} current={current} onGo={go} />
        <main className="main">
          <HubBanner />
          <ScreenBoundary key={screen?.id}>{screen?.render()}</ScreenBoundary>
        </main>
        <AppStatus />
        <TabBar label={t("screen.nav")} items={items} current={current} onGo={go} />
      </div>
      <ApplyNotices />
      <Everywhere />
      <Faults />
    </TooltipProvider>
  );
}
