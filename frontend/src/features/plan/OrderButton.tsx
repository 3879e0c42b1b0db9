import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { TFunction } from "i18next";
import { formatCost, formatList, formatNumber } from "@/i18n/format";
import type { PlanOrder } from "@/topology";
import { Button, Dialog } from "@/ui";

/** How a plan is run: the names and values of the run dialog, without what was left at its default. */
function factsOf(t: TFunction, o: PlanOrder): [label: string, value: string][] {
  const acp = o.mode === "acp";
  const asks = [
    o.askPhases && t("plan.run.askPhases"),
    o.askMerges && !o.direct && t("plan.run.askMerges"),
    acp && o.askTools !== false && t("plan.run.askTools"),
  ].filter((x) => typeof x === "string");
  const none = t("common.none");
  return [
    [t("plan.run.folder"), o.direct ? `${o.folder}\n${t("plan.run.directHint")}` : o.folder],
    [t("plan.run.worker"), [o.worker, o.command].filter(Boolean).join("\n")],
    ...(o.workerModel ? [[t("plan.run.workerModel"), o.workerModel] as [string, string]] : []),
    [t("plan.run.mode"), t(`plan.run.modes.${acp ? "acp" : "exec"}`)],
    [t("plan.run.plannerModel"), o.model || none],
    [t("plan.run.test"), o.test || none],
    [t("plan.run.parallel"), formatNumber(o.parallel)],
    [t("plan.run.approvals"), asks.length ? formatList(asks) : none],
    [t("plan.run.env"), o.env?.length ? o.env.join("\n") : none],
    [t("plan.run.tokens"), o.maxTokens ? formatNumber(o.maxTokens) : none],
    [t("plan.run.usd"), o.maxUsd ? formatCost(o.maxUsd) : none],
    ...(o.tryUsd ? [[t("plan.run.tryUsd"), formatCost(o.tryUsd)] as [string, string]] : []),
  ];
}

/** Shows how the plan is run. It can't be changed while it runs. */
export function OrderButton({ order }: { order: PlanOrder }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button size="sm" onClick={() => setOpen(true)}>
        {t("plan.run.order")}
      </Button>
      {open && (
        <Dialog
          open
          onOpen={setOpen}
          title={t("plan.run.order")}
          width={480}
          footer={<Button onClick={() => setOpen(false)}>{t("common.close")}</Button>}
        >
          <dl className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] gap-x-4 gap-y-2">
            {factsOf(t, order).map(([label, value]) => (
              <div key={label} className="contents">
                <dt className="t3">{label}</dt>
                <dd className="whitespace-pre-wrap select-text wrap-anywhere">{value}</dd>
              </div>
            ))}
          </dl>
        </Dialog>
      )}
    </>
  );
}
