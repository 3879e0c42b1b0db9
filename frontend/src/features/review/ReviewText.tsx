import { ArrowRight, File } from "lucide-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Change, Preview } from "@/topology";
import { fileOf } from "@/topology/files";
import { ErrorState, Skeleton, TextDiff } from "@/ui";
import { findPlace } from "./place";

/** The config as it stands on the gateway beside what would be sent; secrets are masked by the hub. */
export function ReviewText({
  preview: p,
  change,
  mode,
}: {
  preview: Preview;
  change?: Change & { impact?: string; file?: string };
  mode: "split" | "unified";
}) {
  const { t } = useTranslation();
  const place = useMemo(() => findPlace(p.before, p.after, change), [p, change]);
  const here = change?.impact === "local";
  const name = change?.subject === "agent" ? fileOf(change.field) : undefined;
  const told = change?.file
    ? p.changes.find((c) => c.agent === change.agent && c.subject === "agent" && fileOf(c.field) === change.file)
    : undefined;
  if (told && change?.file) return <FileText preview={p} change={told} name={change.file} mode={mode} />;
  if (change && name) return <FileText preview={p} change={change} name={name} mode={mode} />;
  return (
    <>
      <div className="review-bar cap">
        <File size={14} aria-hidden className="flex-none" />
        <span className="mono">{p.language === "yaml" ? "openclaw.yaml" : "openclaw.json"}</span>
        {here && <span className="cut">{t("review.text.notInText")}</span>}
        <span className="grow" />
        <span className="cut">{t("review.text.before")}</span>
        <ArrowRight size={12} aria-hidden className="flex-none" />
        <span className="cut">{t("review.text.after")}</span>
      </div>
      <TextOf preview={p} mode={mode} place={here ? null : place} />
    </>
  );
}

/** A workspace file: the whole text as it is on the gateway beside what would be written. */
function FileText({
  preview: p,
  change: c,
  name,
  mode,
}: {
  preview: Preview;
  change: Change & { impact?: string };
  name: string;
  mode: "split" | "unified";
}) {
  const { t } = useTranslation();
  const text = (v: unknown) => (typeof v === "string" ? v : "");
  const file = p.files.find((f) => f.agent === c.agent && f.name === name);
  const note =
    c.impact === "local"
      ? typeof c.after !== "string"
        ? "review.file.leaves"
        : "review.file.stays"
      : file?.later
        ? "review.file.later"
        : file?.created
          ? "review.file.created"
          : file && !file.guarded
            ? "review.file.unguarded"
            : undefined;
  return (
    <>
      <div className="review-bar cap">
        <File size={14} aria-hidden className="flex-none" />
        <span className="mono">{name}</span>
        {note && (
          <span className="cut" title={t(note)}>
            {t(note)}
          </span>
        )}
        <span className="grow" />
        <span className="cut">{t("review.text.before")}</span>
        <ArrowRight size={12} aria-hidden className="flex-none" />
        <span className="cut">{t("review.text.after")}</span>
      </div>
      <TextOf key={c.id} preview={{ before: text(c.before), after: text(c.after), language: "text" }} mode={mode} />
    </>
  );
}

type Texts = { before: string; after: string; language: "json" | "yaml" | "text" };

export function TextOf({
  preview: p,
  mode,
  place,
}: {
  preview: Texts;
  mode: "split" | "unified";
  place?: ReturnType<typeof findPlace>;
}) {
  const { t } = useTranslation();
  const labels = useMemo(
    () => ({
      before: t("review.text.before"),
      after: t("review.text.after"),
      both: t("review.text.label"),
      same: t("review.text.same"),
    }),
    [t],
  );
  return (
    <TextDiff
      before={p.before}
      after={p.after}
      language={p.language}
      mode={mode}
      place={place}
      labels={labels}
      loading={<Skeleton lines={4} label={t("common.loading")} />}
      failed={
        <div className="p-3">
          <ErrorState title={t("review.text.failed")}>{t("review.text.failedWhy")}</ErrorState>
        </div>
      }
    />
  );
}
