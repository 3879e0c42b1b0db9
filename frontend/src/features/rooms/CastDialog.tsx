import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { errorMeaning } from "@/i18n/problem";
import { useTeam } from "@/stores/team";
import { useTeams } from "@/stores/teams";
import { asApiError } from "@/stores/faults";
import { readDrawnTeam, useDrawnTeams } from "@/stores/gatewayAgents";
import { roomActions } from "@/stores/rooms";
import type { RoomStatus } from "@/topology";
import { Button, Dialog, ErrorState } from "@/ui";
import { CastField } from "./CastField";

type Props = { room: string; floor: RoomStatus; onClose: () => void };

/** Adds agents of a team to a room, or removes them. */
export function CastDialog({ room, floor, onClose }: Props) {
  const { t } = useTranslation();
  const open = useTeam(),
    team = floor.cast?.team || open.id;
  useEffect(() => void readDrawnTeam(team), [team]);
  const other = useDrawnTeams((s) => s[team]),
    named = useTeams().find((d) => d.id === team)?.name;
  const agents = team === open.id ? open.topology.agents : (other?.agents ?? []);
  const [cast, setCast] = useState<readonly string[]>(floor.cast?.agents ?? []);
  const [busy, setBusy] = useState(false),
    [error, setError] = useState<string>();
  const save = () => {
    const chosen = agents.filter((a) => cast.includes(a.id)).map((a) => a.id);
    setBusy(true);
    roomActions.setCast(room, chosen.length ? team : "", chosen).then(onClose, (e: unknown) => {
      setError(errorMeaning(t, asApiError(e)));
      setBusy(false);
    });
  };
  return (
    <Dialog
      open
      onOpen={(shown) => {
        if (!shown && !busy) onClose();
      }}
      title={t("rooms.castTitle", { room })}
      footer={
        <>
          <Button disabled={busy} onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button tone="main" busy={busy} disabled={!agents.length} onClick={save}>
            {t("rooms.castSave")}
          </Button>
        </>
      }
    >
      <CastField
        team={named ?? open.name}
        agents={agents}
        offered={agents}
        cast={cast}
        onCast={setCast}
        onLeave={onClose}
      />
      {error && <ErrorState title={t("rooms.castFailed")}>{error}</ErrorState>}
    </Dialog>
  );
}
