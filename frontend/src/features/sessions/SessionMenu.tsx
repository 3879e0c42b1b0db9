import { Eraser, FoldVertical, GitFork, Square } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { attempt } from "@/stores/faults";
import { sessionActs, useActing, useSessionActs } from "@/stores/sessionActs";
import { sessionPlace } from "@/stores/sessionNews";
import type { GatewayView } from "@/stores/sessions";
import { Button, Dialog, toast, type MenuItem } from "@/ui";

type Props = {
  gateway: string;
  view: GatewayView;
  sessionKey: string;
  /** Of the agent. */ name: string;
  /** The session's name: the agent's, with what tells it from the agent's other sessions. */ called: string;
  running: boolean;
  onOpen: (key: string) => void;
};

/** What can be done with a session as a whole: only what its gateway offers. The dialog stands outside of the menu. */
export function useSessionMenu({ gateway, view, sessionKey, name, called, running, onOpen }: Props): {
  items: MenuItem[];
  dialog: ReactNode;
} {
  const { t } = useTranslation();
  const offered = useSessionActs(gateway),
    acting = useActing((s) => s[sessionPlace(gateway, sessionKey)]);
  const [asking, setAsking] = useState(false);
  const say = (text: string) => toast({ tone: "done", text, closeLabel: t("common.close") });
  const reset = async () => {
    const done = await attempt("sessionReset", () => sessionActs.reset(gateway, sessionKey));
    setAsking(false);
    if (!done) return;
    view.reload();
    say(t("sessions.act.resetDone"));
  };
  const compact = () =>
    void attempt("sessionCompact", async () => {
      const { compacted, reason } = await sessionActs.compact(gateway, sessionKey);
      view.reload();
      if (compacted) say(t("sessions.act.compactDone"));
      else
        toast({
          tone: "info",
          text: reason ? t("sessions.act.compactNot", { reason }) : t("sessions.act.compactNothing"),
          closeLabel: t("common.close"),
        });
    });
  const fork = () =>
    void attempt("sessionFork", async () => {
      const key = await sessionActs.fork(gateway, sessionKey);
      view.reload();
      onOpen(key);
      say(t("sessions.act.forkDone"));
    });
  const refused = acting ? t(`sessions.act.doing.${acting}`) : running ? t("sessions.act.whileRunning") : undefined;
  const items: MenuItem[] = [];
  if (running && offered.includes("stop"))
    items.push({
      label: t("sessions.stop"),
      icon: Square,
      onSelect: () => void attempt("stop", () => view.stop(sessionKey)),
    });
  if (offered.includes("compact"))
    items.push({ label: t("sessions.act.compact"), icon: FoldVertical, refused, onSelect: compact });
  if (offered.includes("fork")) items.push({ label: t("sessions.act.fork"), icon: GitFork, refused, onSelect: fork });
  if (offered.includes("reset"))
    items.push({
      label: t("sessions.act.reset"),
      icon: Eraser,
      danger: true,
      takesFocus: true,
      refused: acting && refused,
      onSelect: () => setAsking(true),
    });
  return {
    items,
    dialog: (
      <Dialog
        open={asking}
        onOpen={setAsking}
        title={t("sessions.act.resetTitle", { name: called })}
        footer={
          <>
            <Button onClick={() => setAsking(false)}>{t("common.cancel")}</Button>
            <Button tone="danger" busy={acting === "reset"} onClick={() => void reset()}>
              {t("sessions.act.resetDo")}
            </Button>
          </>
        }
      >
        <p>{t("sessions.act.resetWhy", { name })}</p>
        {running && <p>{t("sessions.act.resetRunning")}</p>}
        {offered.includes("fork") && !running && <p>{t("sessions.act.resetFork")}</p>}
      </Dialog>
    ),
  };
}
