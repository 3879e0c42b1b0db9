import { useState, type FormEvent, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { formatNumber } from "@/i18n/format";
import { errorMeaning } from "@/i18n/problem";
import { asApiError } from "@/stores/faults";
import { roomActions } from "@/stores/rooms";
import type { RoomPolicy, RoomStatus } from "@/topology";
import { Button, composing, Dialog, ErrorState, Field, Input, RadioGroup, Segmented } from "@/ui";
import { limits, numberOf, type Limit } from "./policy";

type Props = { room: string; floor: RoomStatus; onClose: () => void };

/** Who can reply to which participants in a room, and how much agents can say. */
export function PolicyDialog({ room, floor, onClose }: Props) {
  const { t } = useTranslation();
  const [policy, setPolicy] = useState<RoomPolicy>(floor.policy);
  const [typed, setTyped] = useState<Record<Limit, string>>(() => ({
    maxAgentTurns: String(floor.policy.maxAgentTurns),
    turnsPerMinute: String(floor.policy.turnsPerMinute),
    maxTokens: String(floor.policy.maxTokens),
  }));
  const [busy, setBusy] = useState(false),
    [error, setError] = useState<string>();
  const set = (change: Partial<RoomPolicy>) => setPolicy((p) => ({ ...p, ...change }));
  const wrong = (l: Limit) => numberOf(l, typed[l]) === undefined;
  const save = (e: FormEvent<HTMLFormElement>) => {
    e.preventDefault();
    const next = { ...policy };
    for (const l of Object.keys(limits) as Limit[]) {
      const n = numberOf(l, typed[l]);
      if (n === undefined) {
        e.currentTarget.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
        return;
      }
      next[l] = n;
    }
    setBusy(true);
    roomActions.setPolicy(room, next).then(onClose, (e: unknown) => {
      setError(errorMeaning(t, asApiError(e)));
      setBusy(false);
    });
  };
  const keepEnter = (e: KeyboardEvent) => {
    if (e.key === "Enter" && composing(e)) e.preventDefault();
  };
  const hearing = (["all", "connected", "mentioned", "none"] as const).filter(
    (v) => v !== "connected" || floor.cast || floor.policy.toAgents === "connected",
  );
  return (
    <Dialog
      open
      onOpen={(open) => {
        if (!open && !busy) onClose();
      }}
      width={520}
      title={t("rooms.policy.title", { room })}
      footer={
        <>
          <Button disabled={busy} onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button tone="main" type="submit" form="policy-form" busy={busy}>
            {t("rooms.policy.save")}
          </Button>
        </>
      }
    >
      <form
        id="policy-form"
        onSubmit={save}
        onKeyDown={keepEnter}
        noValidate
        autoComplete="off"
        className="rooms-policy-form"
      >
        <section>
          <h3 className="cap">{t("rooms.policy.order")}</h3>
          <Segmented
            label={t("rooms.policy.order")}
            value={policy.order}
            onValue={(order) => set({ order })}
            options={(["free", "round_robin"] as const).map((value) => ({ value, label: t(`rooms.policy.${value}`) }))}
          />
        </section>
        <section>
          <h3 className="cap">{t("rooms.policy.toPeople")}</h3>
          <RadioGroup
            label={t("rooms.policy.toPeople")}
            value={policy.toPeople}
            onValue={(toPeople) => set({ toPeople })}
            options={(["all", "mentioned"] as const).map((value) => ({
              value,
              label: t(`rooms.policy.people.${value}`),
            }))}
          />
        </section>
        <section>
          <h3 className="cap">{t("rooms.policy.toAgents")}</h3>
          <RadioGroup
            label={t("rooms.policy.toAgents")}
            value={policy.toAgents}
            onValue={(toAgents) => set({ toAgents })}
            options={hearing.map((value) => ({
              value,
              label: t(`rooms.policy.agents.${value}`),
              hint: value === "connected" ? t("rooms.policy.connectedHint") : undefined,
            }))}
          />
        </section>
        <section className="rooms-policy-limits" aria-label={t("rooms.policy.limits")}>
          {(Object.keys(limits) as Limit[]).map((l) => (
            <Field
              key={l}
              label={t(`rooms.policy.${l}`)}
              hint={t(`rooms.policy.${l}Hint`, { used: formatNumber(floor.tokens) })}
              error={wrong(l) && t("rooms.policy.wrong", { most: formatNumber(limits[l]) })}
            >
              {(ids) => (
                <Input
                  {...ids}
                  value={typed[l]}
                  inputMode="numeric"
                  invalid={wrong(l)}
                  onText={(text) => setTyped((s) => ({ ...s, [l]: text }))}
                />
              )}
            </Field>
          ))}
        </section>
        {error && <ErrorState title={t("rooms.policy.failed")}>{error}</ErrorState>}
      </form>
    </Dialog>
  );
}
