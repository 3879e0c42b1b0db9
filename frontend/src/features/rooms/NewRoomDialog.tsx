import { useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { errorMeaning } from "@/i18n/problem";
import { useTeam, useTarget } from "@/stores/team";
import { asApiError } from "@/stores/faults";
import { useNewRoom } from "@/stores/newRoom";
import { roomActions, useRooms } from "@/stores/rooms";
import { useUi } from "@/stores/ui";
import { Button, composing, Dialog, Field, Input } from "@/ui";
import { CastField } from "./CastField";

/** Of a larger team, those that are chosen on the canvas. */
const mostOffered = 60;

type Props = { open: boolean; onOpen: (open: boolean) => void; onMade: (room: string) => void };

export function NewRoomDialog({ open, onOpen, onMade }: Props) {
  const { t } = useTranslation();
  return (
    <Dialog open={open} onOpen={onOpen} title={t("rooms.new")}>
      <Form
        onDone={(room) => {
          onOpen(false);
          if (room) onMade(room);
        }}
      />
    </Dialog>
  );
}

function Form({ onDone }: { onDone: (room?: string) => void }) {
  const { t } = useTranslation();
  const [name, setName] = useState(""),
    [busy, setBusy] = useState(false),
    [said, setSaid] = useState("");
  const { id: team, name: drawn, topology } = useTeam(),
    all = topology.agents;
  const [cast, setCast] = useState<readonly string[]>(
    () => useNewRoom.getState().agents ?? useUi.getState().chosen.agents,
  );
  const offered = all.length <= mostOffered ? all : all.filter((a) => cast.includes(a.id));
  const target = useTarget(),
    away = target && target.dialect !== "local" ? target.name : "";
  const taken = useRooms((s) => s.list.some((r) => r.name === name.trim()));
  const ready = name.trim() !== "" && !taken && !busy;
  const make = (e: FormEvent) => {
    e.preventDefault();
    if (!ready) return;
    setBusy(true);
    roomActions
      .create(
        name.trim(),
        team,
        all.filter((a) => cast.includes(a.id)).map((a) => a.id),
      )
      .then(
        (r) => onDone(r.name),
        (e: unknown) => {
          setSaid(errorMeaning(t, asApiError(e)));
          setBusy(false);
        },
      );
  };
  return (
    <form onSubmit={make} noValidate autoComplete="off">
      <Field label={t("rooms.name")} hint={t("rooms.createHint")} error={taken ? t("rooms.taken") : said}>
        {(ids) => (
          <Input
            {...ids}
            value={name}
            maxLength={100}
            autoFocus
            invalid={taken || said !== ""}
            onText={(v) => {
              setName(v);
              setSaid("");
            }}
            onKeyDown={(e) => {
              if (e.key === "Enter" && composing(e)) e.preventDefault();
            }}
          />
        )}
      </Field>
      {all.length > 0 && (
        <CastField
          team={drawn}
          agents={all}
          offered={offered}
          cast={cast}
          onCast={setCast}
          away={away}
          onLeave={() => onDone()}
        />
      )}
      <div className="row mt-3 justify-end">
        <Button onClick={() => onDone()}>{t("common.cancel")}</Button>
        <Button tone="main" busy={busy} disabled={!ready} type="submit">
          {t("rooms.create")}
        </Button>
      </div>
    </form>
  );
}
