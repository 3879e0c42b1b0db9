import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { errorMeaning } from "@/i18n/problem";
import { agentNameOf } from "@/stores/agentNames";
import { takeFaults, useFaults } from "@/stores/faults";
import { parseRoute, useRoute } from "@/stores/routes";
import { useUi } from "@/stores/ui";
import { leaveToasts, toast, Toaster, useMedia } from "@/ui";

/** At the bottom right they have the field that sends a message, or the text that is reviewed. */
const usedAtTheBottom: readonly string[] = ["rooms", "sessions", "review", "merge"];

/** Shows each failure once, as a toast that stays until it is closed. */
export function Faults() {
  const { t } = useTranslation();
  const faults = useFaults((s) => s.faults),
    screen = useUi((s) => s.screen),
    phone = useMedia("(max-width: 639px)");
  const room = useRoute("rooms").params.room,
    session = useRoute("sessions").rest[0];
  // On a phone, a list of conversations fills the page, without a field at its bottom.
  const listed = phone && ((screen === "rooms" && !room) || (screen === "sessions" && !session)),
    reviews = phone && screen === "canvas", // the bar that leads to the review is at its bottom
    top = (usedAtTheBottom.includes(screen) && !listed) || reviews;
  useEffect(() => leaveToasts((hash) => (parseRoute(hash)?.screen ?? "canvas") === screen), [screen]);
  useEffect(() => {
    for (const f of takeFaults()) {
      const what = t(`fault.${f.what}`, { defaultValue: t("fault.any") });
      toast({
        tone: "failed",
        text: t("common.sentences", { a: what, b: errorMeaning(t, f.error, agentNameOf) }),
        closeLabel: t("common.close"),
      });
    }
  }, [faults, t]);
  return <Toaster label={t("common.notifications")} top={top} />;
}
