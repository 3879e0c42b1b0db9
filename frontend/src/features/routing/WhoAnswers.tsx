import { Search } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { formatList } from "@/i18n/format";
import { errorMeaning } from "@/i18n/problem";
import type { Read } from "@/stores/read";
import { useTeam } from "@/stores/team";
import { useUi } from "@/stores/ui";
import { displayName, findAgent, type RouteAnswer, type RouteFrom, type RouteTable } from "@/topology";
import { Button, ErrorState } from "@/ui";
import { AgentFace } from "./AgentFace";
import { fromOf, nowhere, type Lack } from "./form";
import { PlaceFields } from "./PlaceFields";

type Props = {
  table: RouteTable;
  asked?: RouteFrom;
  onAsk: (from: RouteFrom) => void;
  answer: Read<RouteAnswer>;
  /** On a phone the inspector would hide the answer. */ viewOnly?: boolean;
};

/** Type where a message comes from, and see which agent answers it. */
export function WhoAnswers({ table, asked, onAsk, answer, viewOnly }: Props) {
  const { t } = useTranslation();
  const [place, setPlace] = useState({
      ...nowhere,
      channel: table.channels[0]?.id ?? table.rules[0]?.match?.channel ?? "",
    }),
    [lack, setLack] = useState<Lack>();
  useShown(viewOnly ? undefined : asked, answer);
  return (
    <section className="routes-part" aria-labelledby="routes-who">
      <h2 id="routes-who">{t("routes.who.title")}</h2>
      <form
        className="routes-ask"
        onSubmit={(e) => {
          e.preventDefault();
          const missing: Lack | undefined = place.channel.trim() ? undefined : "channel";
          setLack(missing);
          if (!missing) onAsk(fromOf(place));
        }}
      >
        <PlaceFields one place={place} channels={table.channels} onPlace={setPlace} lack={lack} />
        <Button type="submit" tone="main" icon={Search} className="self-start">
          {t("routes.who.ask")}
        </Button>
      </form>
      <div role="status" className="routes-answer" hidden={!asked}>
        {asked && answer.data && <Answered answer={answer.data} table={table} />}
      </div>
      {asked && answer.error && <ErrorState title={t("routes.who.failed")}>{errorMeaning(t, answer.error)}</ErrorState>}
    </section>
  );
}

/** Selects the agent that answers on the canvas, once for each question. */
function useShown(asked: RouteFrom | undefined, answer: Read<RouteAnswer>): void {
  const shown = useRef<RouteFrom>(undefined);
  useEffect(() => {
    if (!asked || shown.current === asked || !answer.current || !answer.data) return;
    shown.current = asked;
    const { agent, group, broadcast = [] } = answer.data,
      { topology } = useTeam.getState();
    const agents = (group === undefined ? (agent ? [agent] : []) : broadcast).filter((id) => findAgent(topology, id));
    if (!agents.length) return;
    useUi.getState().choose({ agents });
    useUi.getState().revealAgents(agents);
  }, [asked, answer]);
}

function Answered({ answer: a, table }: { answer: RouteAnswer; table: RouteTable }) {
  const { t } = useTranslation();
  const topology = useTeam((s) => s.topology);
  const named = (id?: string) => {
    const agent = id && findAgent(topology, id);
    return agent ? displayName(agent) : (id ?? "");
  };
  if (a.group !== undefined) {
    const cast = a.broadcast ?? [];
    return (
      <>
        {cast.map((id) => (
          <AgentFace key={id} id={id} />
        ))}
        <span>
          {cast.length
            ? t("routes.who.broadcast", { count: cast.length, names: formatList(cast.map(named)) })
            : t("routes.who.broadcastNobody")}
        </span>
      </>
    );
  }
  const at = table.rules.findIndex((r) => r.at === a.at),
    rule = table.rules[at],
    number = at + 1;
  const words = {
    rule: () => t("routes.who.rule", { name: named(a.agent), number }),
    default: () => t("routes.who.default", { name: named(a.agent) }),
    nobody: () => t("routes.who.nobody"),
    unknown_agent: () =>
      a.agent
        ? t("routes.who.unknownDefault", { other: named(a.agent), name: named(rule?.agent), number })
        : t("routes.who.unknown", { name: named(rule?.agent), number }),
  };
  return (
    <>
      {a.agent && <AgentFace id={a.agent} />}
      <span>{words[a.reason]()}</span>
    </>
  );
}
