import { Suspense, useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useHub } from "@/stores/hub";
import { useLogin } from "@/stores/login";
import { useUi } from "@/stores/ui";
import { useNeedsYou } from "@/stores/inbox";
import { useWaiting } from "@/stores/waiting";
import {
  Announcer,
  Boundary,
  BoundaryProvider,
  Rail,
  Skeleton,
  SkipLink,
  TabBar,
  TooltipProvider,
  type RailItem,
} from "@/ui";
import { AppStatus } from "./AppStatus";
import { boot } from "./boot";
import { Everywhere } from "./Everywhere";
import { Faults } from "./Faults";
import { Notices } from "./Notices";
import { HubBanner } from "./HubBanner";
import { later } from "./later";
import { screens } from "./screens";

const SignInScreen = later(() => import("./SignInScreen").then((m) => m.SignInScreen));

/** The frame: rail, the screen, the status bar; on a phone the tab bar instead. */
export function App() {
  const { t } = useTranslation();
  const id = useUi((s) => s.screen),
    go = useUi((s) => s.go),
    dropOn = useUi((s) => s.dropOn);
  const words = useMemo(
    () => ({
      title: t("screen.broken"),
      meaning: (cause: string) => t("screen.brokenMeaning", { cause }),
      again: t("screen.tryAgain"),
    }),
    [t],
  );
  const waiting = useWaiting(),
    asked = useNeedsYou();
  useEffect(boot, []);
  const running = useHub((s) => s.work.running);
  const screen = screens.find((s) => s.id === id) ?? screens[0];
  const items = screens.flatMap((s): RailItem[] =>
    s.icon
      ? [
          {
            id: s.id,
            label: t(s.label),
            icon: s.icon,
            foot: s.foot,
            drop: s.id === dropOn,
            ...(s.id === "inbox"
              ? { count: asked, need: true }
              : { count: s.id === "tasks" ? running : waiting[s.id] }),
          },
        ]
      : [],
  );
  const current = screen?.icon ? screen.id : (screen?.under ?? "canvas");
  // Tasks and plans are one entry of the rail: it leads back to the one that was shown last.
  const [work, setWork] = useState("tasks");
  if (current === "tasks" && id !== work) setWork(id);
  const goTo = (item: string) => go(item === "tasks" && current !== "tasks" ? work : item);
  const name = screen ? t(screen.label) : "";
  useEffect(() => {
    document.title = `AgentFlow · ${name}`;
  }, [name]);
  const signedOut = useLogin((s) => s.signedOut);
  if (signedOut)
    return (
      <BoundaryProvider value={words}>
        <Suspense fallback={null}>
          <SignInScreen />
        </Suspense>
        <Announcer />
        <TooltipProvider />
      </BoundaryProvider>
    );
  return (
    <BoundaryProvider value={words}>
      <SkipLink label={t("spoken.skip")} />
      <div className="app">
        <Rail label={t("screen.nav")} items={items} current={current} onGo={goTo} />
        <main className="main" tabIndex={-1}>
          <HubBanner />
          <Notices />
          <Boundary of={id}>
            {/* The key unmounts the last screen: one that is hidden and shown again drops its dialogs' focus traps. */}
            <Suspense
              key={id}
              fallback={
                <div className="body">
                  <div className="grow">
                    <Skeleton lines={6} label={t("common.loading")} />
                  </div>
                </div>
              }
            >
              {screen?.render()}
            </Suspense>
          </Boundary>
        </main>
        <AppStatus />
        <TabBar label={t("screen.nav")} items={items} current={current} onGo={goTo} />
      </div>
      <Everywhere />
      <Faults />
      <Announcer />
      <TooltipProvider />
    </BoundaryProvider>
  );
}
