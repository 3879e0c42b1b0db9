import type { TFunction } from "i18next";
import type { Lost } from "@/topology";

/** What a config lost, as part of a sentence: 6 of 7 agents, all 8 bindings. */
export function lostWords(t: TFunction, losses: readonly Lost[]): string {
  // A config that was emptied lost its bytes with its agents: the agents say it better.
  const replaced = losses.some((l) => l.kind === "replaced");
  const said = losses.filter((l) =>
    l.kind === "bytes" ? losses.length === 1 : l.kind === "agents" ? !replaced : true,
  );
  return said
    .map((l) =>
      t(`history.lost.${l.kind}`, { count: l.before, gone: l.before - l.after, before: l.before, after: l.after }),
    )
    .join(t("list.comma"));
}
