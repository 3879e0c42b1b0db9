import { useState } from "react";
import { useTranslation } from "react-i18next";
import { countOps, countsText } from "@/i18n/counts";
import { formatWhen } from "@/i18n/format";
import { errorMeaning } from "@/i18n/problem";
import { useTeam } from "@/stores/team";
import { teamActions, type GivenFile } from "@/stores/teams";
import { asApiError, type ApiError } from "@/stores/faults";
import { keyOf, useRead } from "@/stores/read";
import { plainName, type FileTeam } from "@/topology";
import { Badge, Button, Checkbox, Dialog, ErrorState, Skeleton, Sketch } from "@/ui";
import { FileAsks } from "./FileAsks";
import { drawGiven, openGiven } from "./actions";
import { closeDialog } from "./dialogs";

/** What a file would bring, before anything is drawn: its teams, versions and unknown keys, and where it may go. */
export function FileDialog({ file }: { file: GivenFile }) {
  const { t } = useTranslation();
  const id = useTeam((s) => s.id),
    name = useTeam((s) => s.name),
    ready = useTeam((s) => s.status === "ready");
  const into = ready ? id : undefined;
  const { data: seen, error } = useRead({
    key: ["file", keyOf(file), into],
    read: () => teamActions.previewFile(file, into),
  });
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  const [busy, setBusy] = useState<"new" | "into">();
  const [failed, setFailed] = useState<ApiError>();
  const chosen = seen?.teams.flatMap((_, i) => (left.has(i) ? [] : [i])) ?? [];
  const run = (what: "new" | "into") => {
    setBusy(what);
    setFailed(undefined);
    const done = what === "new" ? openGiven(file, left.size ? chosen : undefined, seen?.format) : drawGiven(file);
    done.then(closeDialog, (e: unknown) => {
      setFailed(asApiError(e));
      setBusy(undefined);
    });
  };
  const toggle = (i: number, on: boolean) =>
    setLeft((had) => {
      const next = new Set(had);
      if (on) next.delete(i);
      else next.add(i);
      return next;
    });
  return (
    <Dialog
      open
      onOpen={(o) => {
        if (!o && !busy) closeDialog();
      }}
      title={t("opening.title", { name: file.name })}
      width={560}
      footer={
        <>
          <Button disabled={!!busy} onClick={closeDialog}>
            {t("common.cancel")}
          </Button>
          {seen && seen.format !== "bundle" && into && (
            <Button busy={busy === "into"} disabled={!!busy} onClick={() => run("into")}>
              {t("opening.into", { name })}
            </Button>
          )}
          <Button tone="main" busy={busy === "new"} disabled={!!busy || !chosen.length} onClick={() => run("new")}>
            {t(chosen.length > 1 ? "opening.asNewMany" : "opening.asNew", { count: chosen.length })}
          </Button>
        </>
      }
    >
      <div className="col gap-3 text-text">
        {!seen && !error && <Skeleton lines={3} label={t("common.loading")} />}
        {error && <ErrorState title={t("fault.openFile")}>{errorMeaning(t, error)}</ErrorState>}
        {seen && (
          <>
            <p className="t2">
              {t(`opening.format.${seen.format}`)}
              {seen.at && <> · {t("opening.packed", { when: formatWhen(seen.at, true) })}</>}
            </p>
            <ul className="col max-h-80 gap-2 overflow-auto">
              {seen.teams.map((team, i) => (
                <li key={i} className="row rounded-[var(--r-2)] border border-line-2 p-2">
                  <TeamRow team={team} />
                  {seen.teams.length > 1 && (
                    <Checkbox
                      label={<span className="sr-only">{t("opening.take", { name: team.name })}</span>}
                      checked={!left.has(i)}
                      onChecked={(on) => toggle(i, on)}
                    />
                  )}
                </li>
              ))}
            </ul>
            <FileAsks teams={seen.teams} />
            {seen.unknown.length > 0 && (
              <p className="cap">
                {t("opening.unknown", {
                  count: seen.unknown.length,
                  keys: seen.unknown
                    .slice(0, 4)
                    .map((u) => u.path)
                    .join(t("list.comma")),
                })}
              </p>
            )}
            {into && seen.format !== "bundle" && (
              <p className="t2">
                {t("opening.wouldChange", {
                  name,
                  what: countsText(t, countOps(seen.changes ?? [])) || t("teams.nothingChanged"),
                })}
                {seen.teams[0] && plainName(seen.teams[0].name) !== plainName(name) && (
                  <> {t("opening.renames", { name: plainName(seen.teams[0].name) })}</>
                )}
              </p>
            )}
          </>
        )}
        {failed && <ErrorState title={t("fault.openFile")}>{errorMeaning(t, failed)}</ErrorState>}
      </div>
    </Dialog>
  );
}

function TeamRow({ team }: { team: FileTeam }) {
  const { t } = useTranslation();
  const parts = [
    t("counts.agents", { count: team.agents }),
    t("counts.connections", { count: team.connections }),
    ...(team.groups ? [t("opening.groups", { count: team.groups })] : []),
    ...(team.notes ? [t("opening.notes", { count: team.notes })] : []),
  ];
  return (
    <>
      <span className="h-14 w-20 flex-none overflow-hidden rounded-[var(--r-1)] bg-canvas p-1">
        <Sketch svg={team.sketch} />
      </span>
      <span className="col grow gap-0.5">
        <b className="cut" title={plainName(team.name)}>
          {plainName(team.name)}
        </b>
        <span className="cap">{parts.join(" · ")}</span>
        {team.versions.length > 0 && (
          <span className="row flex-wrap gap-1">
            {team.versions.slice(0, 6).map((v, i) => (
              <Badge key={i} title={formatWhen(v.at)}>
                {v.name}
              </Badge>
            ))}
            {team.versions.length > 6 && (
              <span className="cap">{t("teams.andMore", { count: team.versions.length - 6 })}</span>
            )}
          </span>
        )}
      </span>
    </>
  );
}
