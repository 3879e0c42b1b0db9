import { i18next } from "@/i18n";
import { applyActions } from "@/stores/applies";
import type { Preview } from "@/topology";
import { toast } from "@/ui";

/** Saves the config of the review where the person says, for a gateway that doesn't accept it. */
export async function saveConfig(p: Preview): Promise<void> {
  const name = await applyActions.saveConfig(`openclaw.${p.language === "yaml" ? "yaml" : "json"}`, p.after);
  if (name)
    toast({
      tone: "done",
      text: i18next.t("review.readOnly.saved", { file: name }),
      closeLabel: i18next.t("common.close"),
    });
}
