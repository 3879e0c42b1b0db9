import { useState } from "react";
import { useTranslation } from "react-i18next";
import { errorMeaning } from "@/i18n/problem";
import { asApiError } from "@/stores/faults";
import { roomActions, useRooms } from "@/stores/rooms";
import { Button, Dialog, Field, Input, isEnter } from "@/ui";

type Props = { open: boolean; onOpen: (open: boolean) => void; onMade: (room: string) => void };

export function NewRoomDialog({ open, onOpen, onMade }: Props) {
  const { t } = useTranslation();
  return <Dialog open={open} onOpen={onOpen} title={t("rooms.new")}><Form onDone={(room) => { onOpen(false); if (room) onMade(room); }} /></Dialog>;
}

function Form({ onDone }: { onDone: (room?: string) => void }) {
  const { t } = useTranslation();
  const [name, setName] = useState(""), [busy, setBusy] = useState(false), [said, setSaid] = useState("");
  const taken = useRooms((s) => s.list.some((r) => r.name === name.trim()));
  const ready = name.trim() !== "" && !taken && !busy;
  const make = () => {
    if (!ready) return;
    setBusy(true);
    roomActions.create(name.trim()).then((r) => onDone(r.name), (e: unknown) => { setSaid(errorMeaning(t, asApiError(e))); setBusy(false); });
  };
  return (
    <>
      <Field label={t("rooms.name")} hint={t("rooms.createHint")} error={taken ? t("rooms.taken") : said}>
        {(ids) => <Input {...ids} value={name} maxLength={100} autoFocus invalid={taken || said !== ""} onText={(v) => { setName(v); setSaid(""); }} onKeyDown={(e) => { if (isEnter(e)) make(); }} />}
      </Field>
      <div className="row mt-3 justify-end"><Button onClick={() => onDone()}>{t("common.cancel")}</Button><Button tone="main" busy={busy} disabled={!ready} onClick={make}>{t("rooms.create")}</Button></div>
    </>
  );
}
