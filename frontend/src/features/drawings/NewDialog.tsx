import { FilePlus2, Waypoints } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { errorMeaning } from "@/i18n/problem";
import { drawingActions } from "@/stores/drawings";
import { asApiError, type ApiError } from "@/stores/faults";
import type { Template } from "@/topology";
import { Button, Dialog, ErrorState, Skeleton } from "@/ui";
import { startDrawing } from "./actions";
import { closeDialog } from "./dialogs";
import { Sketch } from "./Sketch";

/** What a new drawing starts from. */
export function NewDialog() {
  const { t, i18n } = useTranslation();
  const lng = i18n.language === "ja" ? "ja" : "en";
  const [templates, setTemplates] = useState<Template[]>();
  const [unread, setUnread] = useState<ApiError>();
  const [round, setRound] = useState(0);
  const [busy, setBusy] = useState<string>();
  const [error, setError] = useState<ApiError>();
  useEffect(() => {
    let gone = false;
    drawingActions.templates(lng).then((all) => { if (!gone) { setTemplates(all); setUnread(undefined); } }, (e: unknown) => { if (!gone) setUnread(asApiError(e)); });
    return () => { gone = true; };
  }, [lng, round]);
  const start = (template?: string) => {
    setBusy(template ?? "empty");
    startDrawing(template ? { template } : {}).then(closeDialog, (e: unknown) => { setError(asApiError(e)); setBusy(undefined); });
  };
  const card = (id: string, name: string, why: string, picture: React.ReactNode, template?: string) => (
    <button key={id} type="button" disabled={!!busy} aria-busy={busy === id || undefined} onClick={() => start(template)}
      className="flex min-h-18 items-center gap-3 rounded-[var(--r-2)] border border-line-2 bg-surface px-3 py-2 text-left text-text hover:border-line-control hover:bg-surface-2">
      <span className="grid h-14 w-20 flex-none place-items-center overflow-hidden rounded-[var(--r-1)] bg-canvas">{picture}</span>
      <span className="col gap-0.5"><b>{name}</b><span className="cap">{why}</span></span>
    </button>
  );
  return (
    <Dialog open onOpen={(o) => { if (!o && !busy) closeDialog(); }} title={t("drawings.newTitle")} width={640} footer={<Button onClick={closeDialog} disabled={!!busy}>{t("common.cancel")}</Button>}>
      <div className="grid gap-2 sm:grid-cols-2">
        {card("empty", t("drawings.empty"), t("drawings.emptyWhy"), <FilePlus2 size={20} className="t3" aria-hidden />)}
        {card("example", t("drawings.example"), t("drawings.exampleWhy"), <Waypoints size={20} className="t3" aria-hidden />, "example")}
        {templates?.map((x) => card(x.id, x.name, x.description, <Sketch svg={x.sketch} />, x.id))}
      </div>
      {!templates && !unread && <Skeleton lines={3} label={t("common.loading")} />}
      {unread && <div className="mt-3"><ErrorState title={t("drawings.templatesFailed")} actions={<Button size="sm" onClick={() => setRound(round + 1)}>{t("common.retry")}</Button>}>{errorMeaning(t, unread)}</ErrorState></div>}
      {error && <div className="mt-3"><ErrorState title={t("fault.create")}>{errorMeaning(t, error)}</ErrorState></div>}
    </Dialog>
  );
}
