import { Copy } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { drawPicture, pngOf, scaleFor } from "@/flow/picture/draw";
import type { Theme } from "@/flow/picture/theme";
import { formatNumber } from "@/i18n/format";
import { useTeam } from "@/stores/team";
import { useUi } from "@/stores/ui";
import { chosenCount } from "@/topology";
import { Button, Dialog, ErrorState, Segmented, Switch, toast } from "@/ui";
import { save } from "./actions";
import { closeDialog } from "./dialogs";

const kinds = ["svg", "1", "2"] as const;
type Kind = (typeof kinds)[number];
/** A preview larger than this is slow to show and no easier to judge. */
const previewAtMost = 400;

/** The team, or what is chosen of it, as a picture to save or to copy. */
export function PictureDialog() {
  const { t } = useTranslation();
  const topology = useTeam((s) => s.topology),
    faces = useTeam((s) => s.faces),
    name = useTeam((s) => s.name);
  const chosen = useUi((s) => s.chosen),
    some = chosen.agents.length + chosen.notes.length + chosen.groups.length > 0 && chosenCount(chosen) > 0;
  const [part, setPart] = useState<"all" | "chosen">(some ? "chosen" : "all");
  const [theme, setTheme] = useState<Theme>(document.documentElement.dataset.theme === "dark" ? "dark" : "light");
  const [ground, setGround] = useState(true);
  const [kind, setKind] = useState<Kind>("2");
  const [busy, setBusy] = useState<"save" | "copy">();
  const [failed, setFailed] = useState<string>();
  const drawn = useMemo(
    () => drawPicture(t, { topology, faces, only: part === "chosen" ? chosen : undefined, theme, background: ground }),
    [t, topology, faces, part, chosen, theme, ground],
  );
  const src = useMemo(
    () =>
      topology.agents.length <= previewAtMost || part === "chosen"
        ? `data:image/svg+xml,${encodeURIComponent(drawn.svg)}`
        : undefined,
    [drawn, topology, part],
  );
  const wish = Number(kind === "svg" ? 1 : kind),
    scale = kind === "svg" ? 1 : scaleFor(drawn, wish);
  const size = t("picture.size", {
    width: formatNumber(Math.round(drawn.width * scale)),
    height: formatNumber(Math.round(drawn.height * scale)),
  });
  const stem = name.replace(/[/\\:*?"<>|]/g, "-").trim() || "team";
  const run = (what: "save" | "copy", work: () => Promise<boolean>) => {
    setBusy(what);
    setFailed(undefined);
    work().then(
      (done) => {
        setBusy(undefined);
        if (done) closeDialog();
      },
      (e: unknown) => {
        setBusy(undefined);
        setFailed(e instanceof Error ? e.message : String(e));
      },
    );
  };
  const write = () =>
    run("save", async () =>
      save(
        `${stem}.${kind === "svg" ? "svg" : "png"}`,
        kind === "svg" ? new Blob([drawn.svg], { type: "image/svg+xml" }) : await pngOf(drawn, wish),
      ),
    );
  const copy = () =>
    run("copy", async () => {
      await navigator.clipboard.write([new ClipboardItem({ "image/png": pngOf(drawn, kind === "svg" ? 2 : wish) })]);
      toast({ tone: "done", text: t("picture.copied"), closeLabel: t("common.close") });
      return true;
    });
  return (
    <Dialog
      open
      onOpen={(o) => {
        if (!o && !busy) closeDialog();
      }}
      title={t("picture.title")}
      width={640}
      footer={
        <>
          <Button disabled={!!busy} onClick={closeDialog}>
            {t("common.cancel")}
          </Button>
          {typeof ClipboardItem !== "undefined" && (
            <Button icon={Copy} busy={busy === "copy"} disabled={!!busy} onClick={copy}>
              {t("picture.copy")}
            </Button>
          )}
          <Button tone="main" busy={busy === "save"} disabled={!!busy} onClick={write}>
            {t("picture.save", { format: kind === "svg" ? "SVG" : "PNG" })}
          </Button>
        </>
      }
    >
      <div className="col gap-4 text-text">
        <div
          className="relative flex h-72 flex-none items-center justify-center overflow-hidden rounded-[var(--r-2)] border border-line-2 phone:h-48"
          style={
            ground
              ? undefined
              : { background: "repeating-conic-gradient(var(--surface-2) 0 25%, var(--surface) 0 50%) 0 0 / 16px 16px" }
          }
        >
          {src ? (
            <img
              src={src}
              alt={t("picture.preview", { name })}
              className="absolute inset-2 h-[calc(100%-16px)] w-[calc(100%-16px)] object-contain"
            />
          ) : (
            <span className="t2">
              {t("picture.large", { agents: t("counts.agents", { count: topology.agents.length }) })}
            </span>
          )}
        </div>
        <div className="grid grid-cols-[auto_1fr] items-center justify-items-start gap-x-4 gap-y-3">
          {some && (
            <>
              <span>{t("picture.part")}</span>
              <Segmented
                label={t("picture.part")}
                value={part}
                onValue={setPart}
                options={[
                  { value: "all", label: t("picture.all") },
                  { value: "chosen", label: t("picture.chosen") },
                ]}
              />
            </>
          )}
          <span>{t("picture.format")}</span>
          <Segmented
            label={t("picture.format")}
            value={kind}
            onValue={setKind}
            options={kinds.map((value) => ({ value, label: t(`picture.kind.${value}`) }))}
          />
          <span>{t("picture.theme")}</span>
          <Segmented
            label={t("picture.theme")}
            value={theme}
            onValue={setTheme}
            options={[
              { value: "light", label: t("picture.light") },
              { value: "dark", label: t("picture.dark") },
            ]}
          />
        </div>
        <div className="row justify-between">
          <Switch label={t("picture.ground")} checked={ground} onChecked={setGround} />
          <span className="cap num" role="status">
            {kind !== "svg" && scale < wish ? t("picture.smaller", { size }) : size}
          </span>
        </div>
        {failed && <ErrorState title={t("picture.failed")}>{t("picture.failedWhy", { cause: failed })}</ErrorState>}
      </div>
    </Dialog>
  );
}
