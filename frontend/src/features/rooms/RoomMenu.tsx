import { Bot, Braces, Ellipsis, FileText, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { shownLanguage } from "@/i18n";
import { attempt } from "@/stores/faults";
import { roomActions, saveBytes } from "@/stores/rooms";
import type { RoomStatus } from "@/topology";
import { Button, Dialog, IconButton, Menu } from "@/ui";
import { CastDialog } from "./CastDialog";

/** A name that every system takes. */
const fileName = (room: string) => room.replace(/[/\\:*?"<>|]/g, "-");

/** What can be done with the room as a whole. */
export function RoomMenu({ room, floor, onGone }: { room: string; floor?: RoomStatus; onGone: () => void }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false),
    [casting, setCasting] = useState(false),
    [busy, setBusy] = useState(false);
  const file = (format: "markdown" | "json") =>
    void attempt("roomFile", async () =>
      saveBytes(
        `${fileName(room)}.${format === "json" ? "json" : "md"}`,
        await roomActions.file(room, format, shownLanguage()),
      ),
    );
  const remove = async () => {
    setBusy(true);
    const gone = await attempt("roomDelete", () => roomActions.remove(room));
    setBusy(false);
    setAsking(false);
    if (gone) onGone();
  };
  return (
    <>
      <Menu
        align="end"
        trigger={<IconButton icon={Ellipsis} label={t("common.more")} />}
        items={[
          {
            label: t("rooms.castChange"),
            icon: Bot,
            disabled: !floor,
            takesFocus: true,
            onSelect: () => setCasting(true),
          },
          { kind: "separator" },
          { label: t("rooms.asMarkdown"), icon: FileText, onSelect: () => file("markdown") },
          { label: t("rooms.asJson"), icon: Braces, onSelect: () => file("json") },
          { kind: "separator" },
          { label: t("rooms.delete"), icon: Trash2, danger: true, takesFocus: true, onSelect: () => setAsking(true) },
        ]}
      />
      {casting && floor && <CastDialog room={room} floor={floor} onClose={() => setCasting(false)} />}
      <Dialog
        open={asking}
        onOpen={setAsking}
        title={t("rooms.deleteTitle", { room })}
        footer={
          <>
            <Button onClick={() => setAsking(false)}>{t("common.cancel")}</Button>
            <Button tone="danger" busy={busy} onClick={() => void remove()}>
              {t("rooms.deleteDo")}
            </Button>
          </>
        }
      >
        {t("rooms.deleteWhy")}
      </Dialog>
    </>
  );
}
