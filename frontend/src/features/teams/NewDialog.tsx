import { Download, File, FileClock, FilePlus2, Waypoints } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { formatWhen } from "@/i18n/format";
import { errorMeaning } from "@/i18n/problem";
import { useTeam } from "@/stores/team";
import { useRecentFiles } from "@/stores/recent";
import { asApiError, type ApiError } from "@/stores/faults";
import { Badge, Button, Dialog, ErrorState, Skeleton, Sketch, workPlace } from "@/ui";
import { openFile, startTeam } from "./actions";
import { closeDialog, openDialog } from "./dialogs";
import { openRecent } from "./files";
import { useTemplates } from "./useTemplates";

/** What a new team starts from. */
export function NewDialog() {
  const { t } = useTranslation();
  const { all: templates, error: unread, retry } = useTemplates();
  const recent = useRecentFiles();
  const [before] = useState(() => useTeam.getState().id);
  const [busy, setBusy] = useState<string>();
  const [error, setError] = useState<ApiError>();
  const start = (template?: string) => {
    setBusy(template ?? "empty");
    startTeam(template ? { template } : {}).then(closeDialog, (e: unknown) => {
      setError(asApiError(e));
      setBusy(undefined);
    });
  };
  const away = (run: () => unknown) => () => {
    closeDialog();
    void run();
  };
  const card = (id: string, name: string, why: string, picture: ReactNode, run: () => void, own = false) => (
    <button
      key={id}
      type="button"
      disabled={!!busy}
      aria-busy={busy === id || undefined}
      onClick={run}
      className="flex min-h-18 items-center gap-3 rounded-[var(--r-2)] border border-line-2 bg-surface px-3 py-2 text-left text-text hover:border-line-control hover:bg-surface-2"
    >
      <span className="flex h-14 w-20 flex-none items-center justify-center overflow-hidden rounded-[var(--r-1)] bg-canvas p-1">
        {picture}
      </span>
      <span className="col min-w-0 grow gap-0.5">
        <span className="row">
          <b className="cut" title={name}>
            {name}
          </b>
          {own && <Badge>{t("library.own")}</Badge>}
        </span>
        <span className="cap">{why}</span>
      </span>
    </button>
  );
  const own = templates?.filter((x) => x.own) ?? [],
    given = templates?.filter((x) => !x.own) ?? [];
  return (
    <Dialog
      open
      onOpen={(o) => {
        if (!o && !busy) closeDialog();
      }}
      title={t("teams.newTitle")}
      width={640}
      onClosed={() => {
        if (useTeam.getState().id !== before) workPlace()?.focus({ preventScroll: true });
      }}
      footer={
        <Button onClick={closeDialog} disabled={!!busy}>
          {t("common.cancel")}
        </Button>
      }
    >
      <div className="grid gap-2 not-phone:grid-cols-2">
        {card("empty", t("teams.empty"), t("teams.emptyWhy"), <FilePlus2 size={20} className="t3" aria-hidden />, () =>
          start(),
        )}
        {card(
          "example",
          t("teams.example"),
          t("teams.exampleWhy"),
          <Waypoints size={20} className="t3" aria-hidden />,
          () => start("example"),
        )}
        {own.map((x) =>
          card(
            x.id,
            x.name,
            x.description || t("counts.agents", { count: x.agents }),
            <Sketch svg={x.sketch} />,
            () => start(x.id),
            true,
          ),
        )}
        {given.map((x) => card(x.id, x.name, x.description, <Sketch svg={x.sketch} />, () => start(x.id)))}
        {card(
          "file",
          t("teams.fromFile"),
          t("teams.fromFileWhy"),
          <File size={20} className="t3" aria-hidden />,
          away(() => openFile()),
        )}
        {card(
          "gateway",
          t("teams.fromGateway"),
          t("teams.fromGatewayWhy"),
          <Download size={20} className="t3" aria-hidden />,
          away(() => openDialog("import")),
        )}
      </div>
      {recent.length > 0 && (
        <section className="mt-4" aria-label={t("files.title")}>
          <h3 className="label pb-1">{t("files.title")}</h3>
          <div className="grid not-phone:grid-cols-2">
            {recent.map((f) => (
              <button
                key={f.id}
                type="button"
                className="trow"
                disabled={!!busy}
                title={f.folder ? `${f.folder}/${f.name}` : f.name}
                onClick={away(() => openRecent(f))}
              >
                <FileClock size={16} className="t2" aria-hidden />
                <span className="cut grow">{f.name}</span>
                <time className="cap flex-none" dateTime={f.at}>
                  {formatWhen(f.at)}
                </time>
              </button>
            ))}
          </div>
        </section>
      )}
      {!templates && !unread && <Skeleton lines={3} label={t("common.loading")} />}
      {unread && (
        <div className="mt-3">
          <ErrorState
            title={t("teams.templatesFailed")}
            actions={
              <Button size="sm" onClick={retry}>
                {t("common.retry")}
              </Button>
            }
          >
            {errorMeaning(t, unread)}
          </ErrorState>
        </div>
      )}
      {error && (
        <div className="mt-3">
          <ErrorState title={t("fault.create")}>{errorMeaning(t, error)}</ErrorState>
        </div>
      )}
    </Dialog>
  );
}
