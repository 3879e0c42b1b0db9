import { useTranslation } from "react-i18next";
import { formatTime } from "@/i18n/format";
import { errorMeaning } from "@/i18n/problem";
import { useTeam } from "@/stores/team";
import { diskFull } from "@/stores/saveQueue";

/** Whether the hub has everything: when the team was changed last, here or elsewhere, or why it has not. */
export function SavedState() {
  const { t } = useTranslation();
  const save = useTeam((s) => s.save),
    updatedAt = useTeam((s) => s.updatedAt);
  const text =
    save.state === "offline"
      ? t(diskFull(save) ? "status.diskFull" : "status.offline")
      : save.state === "refused"
        ? t("status.refused", { why: save.error ? errorMeaning(t, save.error) : "" })
        : save.state === "saved"
          ? t("status.saved", { time: formatTime(Date.parse(updatedAt)) })
          : t("status.saving");
  return (
    <span
      className={
        save.state === "offline"
          ? "cap cut text-waiting!"
          : save.state === "refused"
            ? "cap cut text-failed!"
            : "cap cut"
      }
    >
      {text}
    </span>
  );
}
