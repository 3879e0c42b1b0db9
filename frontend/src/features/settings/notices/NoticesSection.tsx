import { BellRing, Send } from "lucide-react";
import { useEffect, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { errorMeaning } from "@/i18n/problem";
import { askPermission, canNotify, mayTell, useMayAsk } from "@/stores/desktop";
import { readPush, testPush, turnOff, turnOn, usePush } from "@/stores/push";
import { inWindow } from "@/stores/settings";
import { Banner, Button, ErrorState, Skeleton, Switch, toast } from "@/ui";
import { Card } from "../Card";

/** How the person hears of what waits: on the desktop while the page is open, by a push while it is closed. */
export function NoticesSection() {
  const { t } = useTranslation();
  useEffect(() => void readPush(), []);
  return (
    <>
      <p className="t2">{t("push.what")}</p>
      <Card title={t("push.desktop")}>
        <Desktop />
      </Card>
      <Card title={t("push.title")}>
        <Push />
      </Card>
    </>
  );
}

const Part = ({ children }: { children: ReactNode }) => <div className="col gap-3 p-3">{children}</div>;

function Desktop() {
  const { t } = useTranslation();
  const may = useMayAsk(); // drawn again when the person has answered
  if (inWindow()) return <Part>{t("push.desktopWindow")}</Part>;
  return (
    <Part>
      <p className="t2">{t("push.desktopWhy")}</p>
      {!canNotify() ? (
        <Banner>{t("push.desktopNone")}</Banner>
      ) : may ? (
        <div>
          <Button icon={BellRing} onClick={() => void askPermission()}>
            {t("push.allow")}
          </Button>
        </div>
      ) : mayTell() ? (
        <p>{t("push.desktopOn")}</p>
      ) : (
        <Banner tone="waiting">{t(isSecureContext ? "push.why.blocked" : "push.why.insecure")}</Banner>
      )}
    </Part>
  );
}

function Push() {
  const { t } = useTranslation();
  const { state, error, why, busy } = usePush();
  if (state === "reading") return <Skeleton lines={2} label={t("common.loading")} />;
  if (state === "failed")
    return (
      <Part>
        <ErrorState
          title={t("push.failed")}
          actions={
            <Button size="sm" onClick={() => void readPush()}>
              {t("common.retry")}
            </Button>
          }
        >
          {error && errorMeaning(t, error)}
        </ErrorState>
      </Part>
    );
  const never = why === "window" || why === "insecure" || why === "unsupported";
  const change = async (on: boolean) => {
    if (await (on ? turnOn() : turnOff()))
      toast({ tone: "done", text: t(on ? "push.done" : "push.undone"), closeLabel: t("common.close") });
  };
  return (
    <Part>
      <Switch
        label={t("push.label")}
        hint={t("push.labelWhy")}
        checked={state === "on"}
        disabled={busy || never}
        onChecked={(on) => void change(on)}
      />
      {why && <Banner tone={never ? undefined : "waiting"}>{t(`push.why.${why}`)}</Banner>}
      {error && (
        <ErrorState title={t(state === "on" ? "push.offFailed" : "push.onFailed")}>{errorMeaning(t, error)}</ErrorState>
      )}
      <Test on={state === "on"} />
    </Part>
  );
}

/** The result of a test, as far as it is known: the push service took it, and this browser got it. */
function Test({ on }: { on: boolean }) {
  const { t } = useTranslation();
  const { test, testing, testError } = usePush();
  if (!on && !testError) return null;
  return (
    <div className="col gap-2">
      {on && (
        <div>
          <Button icon={Send} busy={testing} onClick={() => void testPush()}>
            {t("push.test")}
          </Button>
        </div>
      )}
      {testError ? (
        <ErrorState title={t("push.testFailed")}>{errorMeaning(t, testError)}</ErrorState>
      ) : (
        <p className="t2" role="status">
          {test && (test.arrived ? t("push.testArrived") : t("push.testSent", { service: test.service }))}
        </p>
      )}
    </div>
  );
}
