import { BookTemplate } from "lucide-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { drawingCommands, useTemplates } from "@/features/drawings";
import type { PaletteThing } from "@/features/palette";
import { attempt } from "@/stores/faults";

/** What the palette finds besides what is drawn and what can be run: the templates. */
export function useThings(): readonly PaletteThing[] {
  const { t } = useTranslation();
  const { all: templates } = useTemplates();
  return useMemo(() => (templates ?? []).map((x): PaletteThing => ({
    kind: "template", id: x.id, title: x.name, words: x.description, icon: BookTemplate, end: t("counts.agents", { count: x.agents }), run: () => attempt("create", () => drawingCommands.startDrawing({ template: x.id })),
  })), [templates, t]);
}
