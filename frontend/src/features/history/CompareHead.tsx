import { ArrowLeftRight, ArrowRight, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { formatWhen } from "@/i18n/format";
import { IconButton } from "@/ui";
import { inSync } from "./fold";
import type { Chosen } from "./useChosen";
import { versionTitle } from "./words";

/** Which two versions stand beside each other. */
export function CompareHead({ chosen, phone }: { chosen: Chosen; phone: boolean }) {
  const { t } = useTranslation();
  const { a, aVersion, b, pinned } = chosen;
  if (!b) return null;
  return (
    <>
      {a && (
        <span className="chip" title={aVersion && versionTitle(t, aVersion)}>
          <b translate="no">A</b>
          {pinned && aVersion
            ? formatWhen(aVersion.at)
            : t(
                b.cause === "apply" && !pinned && aVersion && inSync(aVersion)
                  ? "history.beforeApply"
                  : "history.before",
              )}
        </span>
      )}
      {a && <ArrowRight size={12} className="t3 flex-none" aria-hidden />}
      <span
        className="chip"
        aria-current="true"
        title={versionTitle(t, b)}
        style={{ borderColor: "var(--accent-text)", color: "var(--accent-text)", background: "var(--accent-soft)" }}
      >
        <b translate="no">B</b>
        {formatWhen(b.at)}
      </span>
      {pinned && !phone && <IconButton icon={ArrowLeftRight} label={t("history.swap")} onClick={chosen.swap} />}
      {pinned && <IconButton icon={X} label={t("history.unpin")} onClick={chosen.unpin} />}
    </>
  );
}
