import { CircleCheck, TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { visibilityWord } from "@/flow/messageWords";
import { formatList } from "@/i18n/format";
import { useAgentSettings } from "@/stores/agentSettings";
import { useGateways } from "@/stores/gateways";
import { useTeam } from "@/stores/team";
import { useUi } from "@/stores/ui";
import { displayName, findAgent, share, type ConnectionRef } from "@/topology";
import { Button } from "@/ui";
import { pairName } from "../../actions";
import { blocked, isOlder, ruleOf, withPair, type Blocked, type Rule } from "./rule";

/** Whether the two agents of a Message connection can message each other on the gateway, and who else then can. */
export function MessagePermission({ connection: c }: { connection: ConnectionRef }) {
  const { t } = useTranslation();
  const topology = useTeam((s) => s.topology),
    base = useTeam((s) => s.base?.topology.messages),
    gateway = useTeam((s) => s.gateway);
  const { data } = useAgentSettings(gateway);
  const older = useGateways().find((g) => g.name === gateway)?.optInMessages ?? isOlder(data?.version);
  const rule = ruleOf(topology.messages, older),
    why = blocked(rule, c.from, c.to);
  const name = (id: string) => displayName(findAgent(topology, id) ?? { id });
  const then = why ? ruleOf(withPair(topology, c.from, c.to, older).messages, older) : rule;
  const others = topology.agents.filter((a) => a.id !== c.from && a.id !== c.to && then.allows(a.id));
  const words = (w: Blocked, r: Rule) => {
    const missing = [c.from, c.to].filter((id) => !r.allows(id)).map(name);
    if (w === "off") return t("everyone.messages.isOff");
    if (w === "hidden") return t("everyone.messages.hidden", { visibility: visibilityWord(t, r.visibility) });
    const names = formatList(missing);
    return t(`everyone.messages.${missing.length > 1 ? "notListedBoth" : "notListed"}`, { names });
  };
  // The hub writes the parts in another order than the page.
  const here = topology.messages ?? {},
    sent = share(here, base ?? {}) === here;
  const Icon = why ? TriangleAlert : CircleCheck;
  return (
    <section className="section col gap-2" aria-labelledby="pair-title">
      <h3 id="pair-title">{t("everyone.messages.pair")}</h3>
      <p className="row items-start!">
        <Icon size={16} aria-hidden className="shrink-0" />
        <span>
          {why ? words(why, rule) : t("everyone.messages.can", { from: name(c.from), to: name(c.to) })}
          {!why && !sent && ` ${t("everyone.messages.unsent")}`}
        </span>
      </p>
      {then.all ? (
        <p className="cap">{t("everyone.messages.all")}</p>
      ) : (
        others.length > 0 && (
          <p className="cap">
            {t(`everyone.messages.${why ? "wouldOthers" : "others"}`, {
              names: formatList(others.map((a) => displayName(a))),
            })}
          </p>
        )
      )}
      <div className="row flex-wrap">
        {why && (
          <Button
            size="sm"
            tone="main"
            onClick={() =>
              useTeam.getState().edit(`edit.messagesAllow|${pairName(c)}`, (d) => withPair(d, c.from, c.to, older))
            }
          >
            {t("everyone.messages.allowPair")}
          </Button>
        )}
        <Button size="sm" onClick={() => useUi.getState().choose({ everyone: true })}>
          {t("everyone.messages.edit")}
        </Button>
      </div>
    </section>
  );
}
