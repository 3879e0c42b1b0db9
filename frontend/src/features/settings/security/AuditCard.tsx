import { Download, Search } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { asApiError, attempt, type ApiError } from "@/stores/faults";
import { securityActions } from "@/stores/security";
import type { AuditEntry, AuditFilter } from "@/topology";
import { Button, ErrorState, Input, Segmented, Skeleton, Switch, toast } from "@/ui";
import { Card } from "../Card";
import { AuditRow } from "./AuditRow";
import { meaning } from "./words";

const decisions = ["all", "done", "refused"] as const;
type Read = { of: AuditFilter; entries: AuditEntry[]; more: boolean; error?: ApiError };

/** Who asked for what and what was decided, the newest first. */
export function AuditCard({ auditsPrompts }: { auditsPrompts: boolean }) {
  const { t } = useTranslation();
  const [filter, setFilter] = useState<AuditFilter>({ decision: "", text: "" });
  const [read, setRead] = useState<Read>(),
    [busy, setBusy] = useState(false),
    [saving, setSaving] = useState(false);
  useEffect(() => {
    let gone = false;
    const timer = setTimeout(
      () => {
        securityActions.audit(filter).then(
          (r) => {
            if (!gone) setRead({ of: filter, ...r });
          },
          (e: unknown) => {
            if (!gone) setRead({ of: filter, entries: [], more: false, error: asApiError(e) });
          },
        );
      },
      filter.text ? 200 : 0,
    );
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [filter]);
  const older = () => {
    if (!read) return;
    setBusy(true);
    securityActions
      .audit(read.of, read.entries.at(-1)?.seq)
      .then(
        (r) =>
          setRead((now) =>
            now?.of === read.of ? { of: read.of, entries: [...read.entries, ...r.entries], more: r.more } : now,
          ),
        (e: unknown) => setRead((now) => now && { ...now, error: asApiError(e) }),
      )
      .finally(() => setBusy(false));
  };
  const save = () => {
    setSaving(true);
    void attempt("exportAudit", async () => {
      const name = await securityActions.exportAudit(filter);
      if (name) toast({ tone: "done", text: t("security.audit.exported", { name }), closeLabel: t("common.close") });
    }).finally(() => setSaving(false));
  };
  const filtered = !!filter.text || !!filter.decision;
  const again = (
    <Button size="sm" onClick={() => setFilter({ ...filter })}>
      {t("common.retry")}
    </Button>
  );
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
      {!read ? (
        <Skeleton lines={4} label={t("common.loading")} />
      ) : (
        <>
          {read.entries.length > 0 && (
            <ul aria-label={t("security.audit.title")} className="border-t border-line">
              {read.entries.map((e) => (
                <AuditRow key={e.seq} entry={e} />
              ))}
            </ul>
          )}
          {!read.entries.length && !read.error && (
            <p className="cap border-t border-line px-3 py-4 text-center" role="status">
              {t(filtered ? "security.audit.notFound" : "security.audit.none")}
            </p>
          )}
          {read.error && (
            <div className="p-3">
              <ErrorState title={t("security.audit.failed")} actions={again}>
                {meaning(t, read.error)}
              </ErrorState>
            </div>
          )}
          {read.more && (
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
