import { CircleCheck, Download, FilePlus2, GitCompare, Pencil, Undo2, type LucideIcon } from "lucide-react";
import type { TFunction } from "i18next";
import type { PlanProposal, PlanVersion } from "@/topology";

export const causeIcons: Record<PlanVersion["cause"], LucideIcon> = {
  create: FilePlus2,
  import: Download,
  edit: Pencil,
  status: CircleCheck,
  accept: GitCompare,
  restore: Undo2,
};

/** Who a version is from: the model whose proposal a person accepted, or the person. */
export function whoOf(t: TFunction, v: PlanVersion, proposals: readonly PlanProposal[]): string {
  const who = v.author || t("common.you"),
    model = v.proposal && proposals.find((p) => p.id === v.proposal)?.model;
  return model ? t("plan.history.byModel", { model, who }) : who;
}

export const titleOf = (t: TFunction, v: PlanVersion) => v.label || t(`plan.history.cause.${v.cause}`);

/** How much a version changed, as +2 −1 ~3. */
export const sizeOf = (v: { added: number; removed: number; changed: number }) =>
  [v.added && `+${v.added}`, v.removed && `−${v.removed}`, v.changed && `~${v.changed}`].filter(Boolean).join(" ");
