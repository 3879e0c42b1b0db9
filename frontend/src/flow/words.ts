import type { TFunction } from "i18next";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { fieldName, problemShort } from "../i18n/problem";
import { spokenAgent, spokenLine } from "./spoken";
import type { Words } from "./flowPicture";
import { useKnown } from "./work";

export function wordsOf(t: TFunction, known = true): Words {
  return {
    idle: t(known ? "status.idle" : "status.unknown"),
    added: t("mark.new"),
    removed: t("mark.removed"),
    moved: t("mark.moved"),
    was: (value) => t("mark.was", { value }),
    changed: (fields) => t("mark.changedFields", { fields: fields.map((f) => fieldName(t, f)).join(t("list.comma")) }),
    problem: (p) => problemShort(t, p),
    spoken: (a) => spokenAgent(t, a),
    line: (l) => spokenLine(t, l),
    note: (text) => t("spoken.note", { text }),
    kind: t("spoken.agent"),
    noteKind: t("spoken.noteKind"),
    groupKind: t("spoken.groupKind"),
    lineKind: t("spoken.lineKind"),
  };
}

export function useWords(): Words {
  const { t } = useTranslation();
  const known = useKnown();
  return useMemo(() => wordsOf(t, known), [t, known]);
}
