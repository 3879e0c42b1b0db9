import { CirclePause } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useUi } from "@/stores/ui";
import { useNeedsYou } from "@/stores/inbox";
import { StatusItem } from "@/ui";

/** In the status bar: how many questions and permissions wait. */
export function InboxStatus() {
  const { t } = useTranslation();
  const n = useNeedsYou(),
    screen = useUi((s) => s.screen),
    go = useUi((s) => s.go);
  if (!n || screen === "inbox") return null;
  return (
    <StatusItem tone="waiting" onClick={() => go("inbox")}>
      <CirclePause size={12} aria-hidden />
      {t("inbox.needYou", { count: n })}
    </StatusItem>
  );
}
