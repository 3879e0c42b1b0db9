import type { TFunction } from "i18next";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useTeam } from "@/stores/team";
import { useUi } from "@/stores/ui";
import { displayName, type Collision } from "@/topology";
import { toast } from "@/ui";
import { deletedElsewhere, isGone, keyOf, standsYet, takingBack } from "./collisions";
import { nameOfField, shortValue, titleOf } from "@/flow";

/** Says that what this window changed was changed in another one too, with the way back to one's own. */
export function CollisionNotices() {
  const { t } = useTranslation();
  const id = useTeam((s) => s.id),
    ready = useTeam((s) => s.status === "ready"),
    collisions = useTeam((s) => s.collisions),
    own = useTeam((s) => s.own);
  const known = useRef<{ of: string; keys: Set<string> }>({ of: "", keys: new Set() });
  useEffect(() => {
    if (!ready) return;
    if (known.current.of !== id) {
      known.current = { of: id, keys: new Set(collisions.map(keyOf)) };
      return;
    }
    for (const c of collisions) {
      if (known.current.keys.has(keyOf(c))) continue;
      known.current.keys.add(keyOf(c));
      if (c.version !== own) tell(t, c);
    }
  }, [id, ready, collisions, own, t]);
  useEffect(
    () =>
      useTeam.subscribe((now, was) => {
        const { screen, chosen } = useUi.getState();
        const gone = screen === "canvas" && deletedElsewhere(now, was, chosen.agents);
        if (gone) say(t, { text: t("collision.gone", { what: displayName(gone) }) });
      }),
    [t],
  );
  return null;
}

type ToastInput = Parameters<typeof toast>[0];
const say = (t: TFunction, what: Partial<ToastInput> & { text: string }) =>
  toast({
    closeLabel: t("common.close"),
    for: 30_000,
    action: { label: t("collision.history"), run: () => useUi.getState().go("history") },
    ...what,
  });

function tell(t: TFunction, c: Collision): void {
  const { topology, base, edit } = useTeam.getState();
  const teams = { after: topology, before: base?.topology };
  const what = [titleOf(t, teams, c), c.field && nameOfField(t, c.field)].filter(Boolean).join(t("list.comma"));
  const value = (v: unknown) =>
    shortValue(v, 60) ?? t(v === undefined || v === null || v === "" ? "collision.empty" : "collision.long");
  const back = takingBack(c);
  const current = standsYet(c);
  let stood = false; // this window shows what it hasn't saved yet, until their value comes
  const holds = () => {
    const stands = !!current?.(useTeam.getState().topology);
    stood ||= stands;
    return stands || !stood;
  };
  say(t, {
    text: c.field
      ? t("collision.field", { what, yours: value(c.theirs), theirs: value(c.mine) })
      : t(isGone(c) ? "collision.gone" : "collision.whole", { what }),
    while: current && { holds, subscribe: useTeam.subscribe },
    ...(back && { action: { label: t("collision.takeMine"), run: () => edit(`edit.field|${what}`, back) } }),
  });
}
