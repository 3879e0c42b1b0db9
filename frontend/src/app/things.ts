import { BookTemplate, FileClock } from "lucide-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { teamCommands, fileCommands, useTemplates } from "@/features/teams";
import type { PaletteThing } from "@/features/palette";
import { formatWhen } from "@/i18n/format";
import { attempt } from "@/stores/faults";
import { useRecentFiles } from "@/stores/recent";

/** What the palette finds besides what is drawn and what can be run: the templates and the last files. */
export function useThings(): readonly PaletteThing[] {
  const { t } = useTranslation();
  const { all: templates } = useTemplates();
  const files = useRecentFiles();
  return useMemo(
    () => [
      ...(templates ?? []).map((x): PaletteThing => ({
        kind: "template",
        id: x.id,
        title: x.name,
        words: x.description,
        icon: BookTemplate,
        end: t("counts.agents", { count: x.agents }),
        run: () => attempt("create", () => teamCommands.startTeam({ template: x.id })),
      })),
      ...files.map((f): PaletteThing => ({
        kind: "file",
        id: f.id,
        title: f.name,
        words: f.folder,
        icon: FileClock,
        end: formatWhen(f.at),
        run: () => fileCommands.openRecent(f),
      })),
    ],
    [templates, files, t],
  );
}
