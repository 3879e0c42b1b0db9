import type { TFunction } from "i18next";
import { formatList } from "@/i18n/format";
import type { Lost } from "@/topology";

/** What a config lost, as part of a sentence: 6 of 7 agents, all 8 bindings and its channel. */
export function lostWords(t: TFunction, losses: readonly Lost[]): string {
  // A config that was emptied lost its bytes with its agents: the agents say it better.
  const replaced = losses.some((l) => l.kind === "replaced");
  const said = losses.filter((l) =>
    l.kind === "bytes" ? losses.length === 1 : l.kind === "agents" ? !replaced : true,
  );
  return formatList(
    said.map((l) =>
      t(`history.lost.${l.kind in whole && !l.after ? whole[l.kind as keyof typeof whole] : l.kind}`, {
        count: l.before,
        gone: l.before - l.after,
        before: l.before,
        after: l.after,
      }),
    ),
  );
}

/** The words where nothing is left. */
const whole = { agents: "allAgents", bindings: "allBindings", channels: "allChannels" } as const;
