import { Pencil, Plus, Trash2, TriangleAlert } from "lucide-react";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { placeWords, strategyWord } from "@/flow/broadcastWords";
import { useRouting } from "@/stores/routing";
import { useTeam } from "@/stores/team";
import { useUi } from "@/stores/ui";
import { broadcastGroups, broadcastStrategy, findAgent, type BroadcastGroup, type RouteTable } from "@/topology";
import { announce, Button, cx, Field, IconButton, Select } from "@/ui";
import { AgentFace } from "./AgentFace";
import { BroadcastForm } from "./BroadcastForm";
import { removeBroadcast, setStrategy } from "./edit";

type Props = {
  table: RouteTable;
  /** Key of the group that answers what was asked. */ answers?: string;
  viewOnly?: boolean;
};

/** The conversations that several agents answer, and in which order they do. */
export function Broadcast({ table, answers, viewOnly }: Props) {
  const { t } = useTranslation();
  const topology = useTeam((s) => s.topology),
    groups = broadcastGroups(topology);
  const form = useRouting((s) => s.cast),
    picked = useRouting((s) => s.group);
  const open = (cast: { key?: string } | undefined) => useRouting.setState({ cast }),
    close = () => open(undefined);
  return (
    <section className="routes-part" aria-labelledby="routes-broadcast">
      <h2 id="routes-broadcast">{t("routes.broadcast.title")}</h2>
      <p className="cap">{t(groups.length ? "routes.broadcast.why" : "routes.broadcast.none")}</p>
      {groups.length > 0 && <Order viewOnly={viewOnly} />}
      <ul className="routes-list">
        {groups.map((group) =>
          form?.key === group.key ? (
            <li key={group.key}>
              <BroadcastForm channels={table.channels} group={group} onClose={close} />
            </li>
          ) : (
            <Row
              key={group.key}
              group={group}
              notes={(table.groups.find((g) => g.key === group.key)?.notes ?? []).map((n) => n.code)}
              picked={picked === group.key}
              answers={answers === group.key}
              viewOnly={viewOnly}
              onEdit={() => open({ key: group.key })}
            />
          ),
        )}
      </ul>
      {form && form.key === undefined ? (
        <BroadcastForm channels={table.channels} onClose={close} />
      ) : (
        !viewOnly && (
          <Button icon={Plus} className="self-start" onClick={() => open({})}>
            {t("routes.broadcast.add")}
          </Button>
        )
      )}
    </section>
  );
}

const strategies = ["parallel", "sequential"] as const;

function Order({ viewOnly }: { viewOnly?: boolean }) {
  const { t } = useTranslation();
  const strategy = useTeam((s) => broadcastStrategy(s.topology));
  if (viewOnly)
    return (
      <p className="cap">
        {t("review.setTo", { name: t("routes.broadcast.strategy"), now: strategyWord(t, strategy) })}
      </p>
    );
  return (
    <Field label={t("routes.broadcast.strategy")} hint={t("routes.broadcast.strategyHint")}>
      {(ids) => (
        <Select
          {...ids}
          value={strategy}
          options={strategies.map((value) => ({ value, label: strategyWord(t, value) }))}
          onValue={setStrategy}
        />
      )}
    </Field>
  );
}

type RowProps = {
  group: BroadcastGroup;
  notes: string[];
  /** Its line is chosen on the canvas. */ picked: boolean;
  answers: boolean;
  viewOnly?: boolean;
  onEdit: () => void;
};

function Row({ group, notes, picked, answers, viewOnly, onEdit }: RowProps) {
  const { t } = useTranslation();
  const topology = useTeam((s) => s.topology),
    row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (picked) row.current?.scrollIntoView({ block: "nearest" });
  }, [picked]);
  const place = placeWords(t, group),
    missing = group.agents.filter((id) => !findAgent(topology, id));
  const texts = [
    ...missing.map((name) => t("routes.note.unknown_agent", { name })),
    ...notes.filter((n) => n !== "unknown_agent").map((n) => t(`routes.note.${n}`, { defaultValue: n })),
  ];
  const show = (id: string) => {
    useUi.getState().choose({ agents: [id] });
    useUi.getState().revealAgents([id]);
  };
  const remove = () => {
    if (removeBroadcast(group)) announce(t("routes.broadcast.removed"));
  };
  return (
    <li
      ref={row}
      aria-current={picked || undefined}
      className={cx("routes-row", picked && "is-picked", answers && "is-won")}
    >
      <span className="col grow min-w-0 gap-1">
        <b className="routes-match">{place}</b>
        <span className="routes-faces">
          {group.agents.map((id, i) =>
            missing.includes(id) ? (
              <AgentFace key={`${i} ${id}`} id={id} />
            ) : (
              <button key={`${i} ${id}`} type="button" className="routes-agent" onClick={() => show(id)}>
                <AgentFace id={id} />
              </button>
            ),
          )}
        </span>
        {texts.map((text) => (
          <span key={text} className="routes-note s-waiting">
            <TriangleAlert size={12} className="sc" aria-hidden />
            {text}
          </span>
        ))}
      </span>
      {!viewOnly && (
        <span className="routes-tools">
          <IconButton icon={Pencil} size="sm" label={t("routes.broadcast.edit", { place })} onClick={onEdit} />
          <IconButton icon={Trash2} size="sm" label={t("routes.broadcast.remove", { place })} onClick={remove} />
        </span>
      )}
    </li>
  );
}
