import type { TFunction } from "i18next";
import { secretsLeft } from "@/flow/secretsLeft";
import { gatewayName } from "@/i18n/gateway";
import type { Apply } from "@/topology";

function undoneText(t: TFunction, a: Apply): string {
  const text = t("apply.undone", { gateway: gatewayName(t, a.gateway) });
  const more = [
    a.jobs?.length && t("apply.jobsAgain", { names: a.jobs.join(t("list.comma")) }),
    a.secretsLeft?.length && secretsLeft(t, a.secretsLeft),
  ].filter((s) => !!s) as string[];
  if (!more.length) return text;
  return more.reduce((all, s) => t("common.sentences", { a: all, b: s }), t("common.sentence", { text }));
}

/** How an apply or a rollback ended that succeeded. */
export const doneText = (t: TFunction, a: Apply) =>
  a.kind === "rollback"
    ? undoneText(t, a)
    : a.sent
      ? t("apply.done", { count: a.sent, gateway: gatewayName(t, a.gateway) })
      : t("apply.same", { gateway: gatewayName(t, a.gateway) });
