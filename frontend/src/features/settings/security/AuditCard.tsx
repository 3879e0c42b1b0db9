import { Download, Search } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { attempt } from "@/stores/faults";
import { useReadPages } from "@/stores/read";
import { securityActions } from "@/stores/security";
import type { AuditEntry, AuditFilter } from "@/topology";
import { Button, ErrorState, Input, Segmented, Skeleton, Switch, toast, useSettled } from "@/ui";
import { Card } from "../Card";
import { AuditRow } from "./AuditRow";
import { meaning } from "./words";

const decisions = ["all", "done", "refused"] as const;
const patience = 200;

/** Who asked for what and what was decided, the newest first. */
export function AuditCard({ auditsPrompts }: { auditsPrompts: boolean }) {
  const { t } = useTranslation();
  const [filter, setFilter] = useState<AuditFilter>({ decision: "", text: "" });
  const [saving, setSaving] = useState(false);
  const { decision } = filter,
    text = useSettled(filter.text, patience);
  const { list, more, ready, error, busy, older, again } = useReadPages<AuditEntry>({
    key: ["audit", decision, text],
    keep: true,
    read: (last) =>
      securityActions.audit({ decision, text }, last?.seq).then((r) => ({ list: r.entries, more: r.more })),
  });
  const save = () => {
    setSaving(true);
    void attempt("exportAudit", async () => {
      const name = await securityActions.exportAudit(filter);
      if (name) toast({ tone: "done", text: t("security.audit.exported", { name }), closeLabel: t("common.close") });
    }).finally(() => setSaving(false));
  };
  const filtered = !!filter.text || !!filter.decision;
  return (
    <Card
      title={t("security.audit.title")}
      aside={
        <Button size="sm" icon={Download} busy={saving} onClick={save}>
          {t("security.audit.export")}
        </Button>
      }
    >
      <div className="col gap-3 p-3">
        <p className="t2">{t("security.audit.what")}</p>
        <Switch
          label={t("security.audit.prompts")}
          hint={t("security.audit.promptsWhy")}
          checked={auditsPrompts}
          onChecked={(on) => void attempt("settings", () => securityActions.auditPrompts(on))}
        />
        <div className="row flex-wrap gap-y-2">
          <div className="min-w-48 flex-1">
            <Input
              icon={Search}
              value={filter.text ?? ""}
              onText={(text) => setFilter((now) => ({ ...now, text }))}
              aria-label={t("security.audit.search")}
              placeholder={t("security.audit.search")}
            />
          </div>
          <Segmented
            label={t("security.audit.decision")}
            value={filter.decision || "all"}
            onValue={(d) => setFilter((now) => ({ ...now, decision: d === "all" ? "" : d }))}
            options={decisions.map((d) => ({ value: d, label: t(`security.audit.only.${d}`) }))}
          />
        </div>
      </div>
      {!ready && !error ? (
        <Skeleton lines={4} label={t("common.loading")} />
      ) : (
        <>
          {list.length > 0 && (
            <ul aria-label={t("security.audit.title")} className="border-t border-line">
              {list.map((e) => (
                <AuditRow key={e.seq} entry={e} />
              ))}
            </ul>
          )}
          {!list.length && !error && (
            <div className="cap border-t border-line px-3 py-4 text-center" role="status">
              {t(filtered ? "security.audit.notFound" : "security.audit.none")}
            </div>
          )}
          {error && (
            <div className="p-3">
              <ErrorState
                title={t("security.audit.failed")}
                actions={
                  <Button size="sm" onClick={again}>
                    {t("common.retry")}
                  </Button>
                }
              >
                {meaning(t, error)}
              </ErrorState>
            </div>
          )}
          {more && (
            <div className="border-t border-line px-2 py-1">
              <Button size="sm" tone="quiet" busy={busy} onClick={older}>
                {t("security.audit.older")}
              </Button>
            </div>
          )}
        </>
      )}
    </Card>
  );
}
