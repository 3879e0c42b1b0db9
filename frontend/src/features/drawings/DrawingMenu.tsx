import { ChevronDown, Waypoints } from "lucide-react";
import { Popover } from "radix-ui";
import { Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { allWords } from "@/i18n";
import { useDrawing } from "@/stores/drawing";
import { fetched } from "@/stores/fetched";
import { Button, Skeleton } from "@/ui";
import { useDialogs } from "./dialogs";
import { RenameField } from "./RenameField";

const DrawingMenuList = fetched(() => Promise.all([import("./DrawingMenuList"), allWords()]).then(([m]) => m.DrawingMenuList));

/** The drawing's name in the head of the canvas: all drawings, and what can be done with this one. */
export function DrawingMenu() {
  const { t } = useTranslation();
  const name = useDrawing((s) => s.name), status = useDrawing((s) => s.status);
  const renaming = useDialogs((s) => s.renaming);
  const [open, setOpen] = useState(false);
  if (renaming && status === "ready") return <RenameField />;
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <h1 className="min-w-0">
        <Popover.Trigger asChild>
          <Button tone="quiet" className="max-w-72 min-w-0 shrink! max-sm:max-w-44" aria-label={t("drawings.menu", { name: name || t("canvas.noDrawing") })} title={name}>
            <Waypoints size={16} aria-hidden /><b className="cut text-text">{name || t("canvas.drawing")}</b><ChevronDown size={12} aria-hidden />
          </Button>
        </Popover.Trigger>
      </h1>
      <Popover.Portal>
        <Popover.Content className="menu w-80 max-w-[calc(100vw-16px)] p-0!" align="start" sideOffset={4} collisionPadding={8} aria-label={t("drawings.title")} style={{ maxHeight: "min(560px, var(--radix-popper-available-height))" }}
          onCloseAutoFocus={(e) => { if (useDialogs.getState().renaming) e.preventDefault(); }}>
          <Suspense fallback={<Skeleton lines={6} label={t("common.loading")} />}><DrawingMenuList close={() => setOpen(false)} /></Suspense>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
