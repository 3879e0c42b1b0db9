import { ArrowDown, ArrowUp, Pencil, Trash2, TriangleAlert } from "lucide-react";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { matchWords } from "@/flow/bindingWords";
import { useUi } from "@/stores/ui";
import type { Route, Verdict } from "@/topology";
import { announce, Badge, cx, IconButton } from "@/ui";
import { AgentFace } from "./AgentFace";
import { removeBindings, swap } from "./edit";

type Props = {
  rule: Route;
  /** Its place in the gateway's order, from 1. */ number: number;
  /** The place of another one, by its position in the config. */ numberOf: (at: number) => number;
  above?: Route;
  below?: Route;
  verdict?: Verdict;
  viewOnly?: boolean;
  /** Its line is chosen on the canvas. */ picked?: boolean;
  onEdit: () => void;
};

const tones = { wins: "add", loses: "chg", differs: undefined, skipped: undefined } as const;

/** One binding: the agent, the messages, what is wrong with it, and what it has to do with the message asked about. */
export function BindingRow({ rule, number, numberOf, above, below, verdict, viewOnly, picked, onEdit }: Props) {
  const { t } = useTranslation();
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (picked) row.current?.scrollIntoView({ block: "nearest" });
  }, [picked]);
  const known = !!rule.match;
  const same = (other?: Route) => (known && other?.level === rule.level ? other : undefined);
  const up = same(above),
    down = same(below);
  const remove = () => {
    if (removeBindings([rule])) announce(t("routes.removed"));
  };
  const select = () => {
    if (!rule.agent) return;
    useUi.getState().choose({ agents: [rule.agent] });
    useUi.getState().revealAgents([rule.agent]);
  };
  return (
    <li
      ref={row}
      aria-current={picked || undefined}
      className={cx(
        "routes-row",
        picked && "is-picked",
        verdict?.outcome === "wins" && "is-won",
        verdict?.outcome === "differs" && "is-out",
      )}
    >
      <span className="routes-number num">{number}</span>
      <span className="col grow min-w-0">
        {rule.agent && (
          <button type="button" className="routes-agent" onClick={select}>
            <AgentFace id={rule.agent} />
          </button>
        )}
        {rule.match ? (
          <span className="routes-match">{matchWords(t, rule.match)}</span>
        ) : (
          <>
            <span className="cap">{t(rule.skipped === "acp" ? "routes.acp" : "routes.notUnderstood")}</span>
            <code className="routes-raw" translate="no">
              {JSON.stringify(rule.raw)}
            </code>
          </>
        )}
        {rule.comment && <span className="cap">{rule.comment}</span>}
        {rule.notes?.map((n) => (
          <span key={n.code} className="routes-note s-waiting">
            <TriangleAlert size={12} className="sc" aria-hidden />
            {t(`routes.note.${n.code}`, { name: rule.agent, number: numberOf(n.by), defaultValue: n.code })}
          </span>
        ))}
        {verdict && <Said verdict={verdict} />}
      </span>
      {!viewOnly && known && (
        <span className="routes-tools">
          <IconButton
            icon={ArrowUp}
            size="sm"
            label={t("routes.up", { number })}
            disabled={!up}
            onClick={() => up && swap(rule, up)}
          />
          <IconButton
            icon={ArrowDown}
            size="sm"
            label={t("routes.down", { number })}
            disabled={!down}
            onClick={() => down && swap(rule, down)}
          />
          <IconButton icon={Pencil} size="sm" label={t("routes.edit", { number })} onClick={onEdit} />
          <IconButton icon={Trash2} size="sm" label={t("routes.remove", { number })} onClick={remove} />
        </span>
      )}
    </li>
  );
}

function Said({ verdict: v }: { verdict: Verdict }) {
  const { t } = useTranslation();
  const why = v.why && v.outcome !== "skipped" ? t(`routes.why.${v.why}`, { defaultValue: "" }) : "";
  return (
    <span className="routes-said">
      <Badge tone={tones[v.outcome]}>{t(`routes.outcome.${v.outcome}`)}</Badge>
      {why && <span className="cap">{why}</span>}
    </span>
  );
}
