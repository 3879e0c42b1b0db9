import { Link, Pencil, X } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { formatCost, formatNumber, formatShort, formatWhen } from "@/i18n/format";
import { attempt } from "@/stores/faults";
import { roomActions } from "@/stores/rooms";
import { outside, securityActions, useSecurity } from "@/stores/security";
import { callPerson, useUi, usePanel } from "@/stores/ui";
import { formatRoute } from "@/stores/routes";
import type { RoomAgent, RoomMember, RoomStatus, RoomSummary } from "@/topology";
import { Avatar, Button, composing, cx, IconButton, Input, isEnter, ListRow, Panel, PanelHead } from "@/ui";
import { CopyText } from "@/ui/chat";
import type { People } from "./faces";
import { listed, type Lacking } from "./standing";

type Props = {
  room?: RoomSummary;
  floor?: RoomStatus;
  lacking: Lacking;
  me: string;
  people: People;
  over: boolean;
  onClose: () => void;
};

/** Who is in the room and what each is doing, and how others come in. */
export function HerePanel({ room, floor, lacking, me, people, over, onClose }: Props) {
  const { t } = useTranslation();
  const panel = usePanel("rooms.side"),
    setPanel = useUi((s) => s.setPanel);
  const formerly = useUi((s) => s.formerly);
  const [now] = useState(() => Date.now());
  const all = (room?.agents ?? []).filter((a) => listed(a, formerly, now));
  const agents = all.filter((a) => people.isAgent(a.name)),
    others = all.filter((a) => !people.isAgent(a.name) && a.name !== me);
  // On a sheet, it would leave too little for the others.
  const outsiders = room && <Outside key={room.name} room={room.name} />;
  return (
    <Panel
      kind="side"
      label={t("rooms.here")}
      over={over}
      size={over ? undefined : panel.size}
      className={cx(over && "panel--sheet")}
      split={
        over
          ? undefined
          : {
              label: t("rooms.here"),
              edge: "left",
              size: panel.size,
              min: 216,
              max: 420,
              onSize: (size) => setPanel("rooms.side", { size }),
              onFold: onClose,
            }
      }
    >
      <PanelHead>
        <h2>{t("rooms.here")}</h2>
        <span className="grow" />
        <IconButton icon={X} label={t("rooms.hide")} onClick={onClose} />
      </PanelHead>
      <div className="scroll" tabIndex={-1}>
        <div className="rows">
          {agents.length > 0 && <div className="label">{t("rooms.agents")}</div>}
          {agents.map((a) => (
            <Somebody
              key={a.name}
              a={a}
              member={floor?.agents.find((m) => m.name === a.name)}
              people={people}
              note={
                lacking.answers.has(a.name)
                  ? t("rooms.mute.short")
                  : lacking.tools.has(a.name)
                    ? t("rooms.bare.short")
                    : undefined
              }
            />
          ))}
          <div className="label">{t("rooms.people")}</div>
          <Me me={me} people={people} />
          {others.map((a) => (
            <Somebody key={a.name} a={a} people={people} />
          ))}
          {!all.some((a) => a.name !== me) && <p className="cap pad">{t("rooms.noOne")}</p>}
        </div>
        {over && outsiders}
      </div>
      {!over && outsiders}
    </Panel>
  );
}

/** How others come in from another computer; where none can reach AgentFlow, what would let them. */
function Outside({ room }: { room: string }) {
  const { t } = useTranslation();
  const stand = useSecurity((s) => s.stand);
  useEffect(() => {
    void securityActions.load();
  }, []);
  if (!stand) return null;
  const at = outside(stand);
  return (
    <div className="rooms-link">
      <h3 className="cap">{t("rooms.link")}</h3>
      {at ? (
        <Ways room={room} at={at} pin={stand.tls === "made" ? stand.fingerprint : undefined} />
      ) : (
        <>
          <p className="cap">{t("rooms.onlyHere")}</p>
          <Command text={stand.forOthers} />
          <ToSecurity />
        </>
      )}
    </div>
  );
}

/** For browsers and agents that reach AgentFlow at an address. */
export function Ways({
  room,
  at,
  pin,
}: {
  room: string;
  at: string;
  /** Of a certificate that nobody else knows. */ pin?: string;
}) {
  const { t } = useTranslation();
  return (
    <>
      <BrowserLink room={room} at={at} />
      <p className="cap">{t("rooms.linkAgents")}</p>
      <Command
        text={`agentflow chat join --url ${at}${pin ? ` --fingerprint ${pin}` : ""} --room ${quote(room)} --agents agents.yml`}
      />
      <p className="cap">{t("rooms.linkWhy")}</p>
      <ToSecurity />
    </>
  );
}

function ToSecurity() {
  const { t } = useTranslation();
  return (
    <p className="cap">
      <a className="underline underline-offset-2" href={formatRoute("settings", { section: "security" })}>
        {t("rooms.toSecurity")}
      </a>
    </p>
  );
}

const Command = ({ text }: { text: string }) => (
  <div className="row rooms-command">
    <code className="cut grow" title={text} translate="no">
      {text}
    </code>
    <CopyText text={text} />
  </div>
);

/** A link for one browser elsewhere. It is made when it is asked for, since it is good for a short while only. */
function BrowserLink({ room, at }: { room: string; at: string }) {
  const { t } = useTranslation();
  const [link, setLink] = useState<string>(),
    [busy, setBusy] = useState(false);
  const make = () => {
    setBusy(true);
    void attempt("roomLink", async () => setLink(await roomActions.link(room, at))).finally(() => setBusy(false));
  };
  return (
    <>
      <p className="cap">{t("rooms.linkBrowser")}</p>
      {link ? (
        <Command text={link} />
      ) : (
        <div>
          <Button size="sm" icon={Link} busy={busy} onClick={make}>
            {t("rooms.linkMake")}
          </Button>
        </div>
      )}
      {link && (
        <p className="cap">
          {t("rooms.linkOnce")}{" "}
          <button type="button" className="underline underline-offset-2" disabled={busy} onClick={make}>
            {t("rooms.linkAgain")}
          </button>
        </p>
      )}
    </>
  );
}

/** As a shell takes it. */
const quote = (name: string) => (/^[\w./-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`);

const dots = {
  online: "s-done",
  thinking: "s-running",
  answering: "s-running",
  waiting: "s-waiting",
  failed: "s-failed",
  offline: "s-idle",
} as const;

function Somebody({
  a: known,
  member,
  people,
  note,
}: {
  a: RoomAgent;
  member?: RoomMember;
  people: People;
  /** What it cannot do here. */ note?: string;
}) {
  const { t } = useTranslation();
  const a = member ? { ...known, status: member.status } : known,
    tokens = (member?.tokensIn ?? 0) + (member?.tokensOut ?? 0);
  const who = people.who(a.name),
    called = people.calledOf(a.name),
    tone =
      a.status === "thinking" || a.status === "answering"
        ? "text-running"
        : a.status === "waiting"
          ? "text-waiting"
          : a.status === "failed"
            ? "text-failed"
            : undefined;
  return (
    <ListRow
      titleText={who.name}
      lead={
        <span className="rooms-face">
          <Avatar initials={who.initials} color={who.color} />
          <i className={cx("dot", dots[a.status])} aria-hidden />
        </span>
      }
      title={
        <>
          <b>
            <bdi>{who.name}</bdi>
          </b>
          {called && (
            <span className="cap">
              {" · "}
              <bdi>{called}</bdi>
            </span>
          )}
        </>
      }
      end={member && tokens > 0 && <Spent member={member} tokens={tokens} />}
      caption={
        <span className={tone} title={member?.error}>
          {a.status !== "offline"
            ? t(`rooms.state.${a.status}`)
            : member?.removed
              ? t("rooms.removed")
              : t("rooms.lastSeen", { when: formatWhen(a.lastSeen, true) })}
          {note && <span className="text-waiting"> · {note}</span>}
        </span>
      }
    />
  );
}

/** What an agent has used: tokens, and their cost as far as it is known. */
function Spent({ member: m, tokens }: { member: RoomMember; tokens: number }) {
  const { t } = useTranslation();
  const count = formatNumber(tokens),
    cost = formatCost(m.costUsd);
  return (
    <span
      className="cap num"
      title={
        m.unpriced > 0
          ? t("rooms.cost.unpriced", { count, unpriced: formatNumber(m.unpriced) })
          : t("rooms.cost.known", { count, cost })
      }
    >
      {m.costUsd > 0
        ? t("rooms.cost.of", { tokens: formatShort(tokens), cost: m.unpriced > 0 ? `${cost} +` : cost })
        : formatShort(tokens)}
    </span>
  );
}

const intoView = (el: HTMLElement | null) => el?.scrollIntoView({ block: "nearest" });

function Me({ me, people }: { me: string; people: People }) {
  const { t } = useTranslation();
  const [name, setName] = useState<string>();
  const who = people.who(me);
  const keep = () => {
    const next = name?.trim();
    if (next) callPerson(next, me);
    setName(undefined);
  };
  if (name !== undefined) {
    return (
      <div className="pad col gap-2" ref={intoView}>
        <label className="col gap-1">
          <span className="cap">{t("rooms.yourName")}</span>
          <Input
            value={name}
            maxLength={60}
            autoFocus
            onFocus={(e) => e.target.select()}
            onText={setName}
            onKeyDown={(e) => {
              if (isEnter(e)) keep();
              if (e.key === "Escape" && !composing(e)) setName(undefined);
            }}
          />
        </label>
        <span className="cap">{t("rooms.yourNameHint")}</span>
        <span className="row justify-end">
          <Button size="sm" onClick={() => setName(undefined)}>
            {t("common.cancel")}
          </Button>
          <Button size="sm" onClick={keep} disabled={!name.trim()}>
            {t("rooms.keepName")}
          </Button>
        </span>
      </div>
    );
  }
  return (
    <ListRow
      titleText={me}
      lead={<Avatar initials={who.initials} color={0} />}
      title={
        <b>
          <bdi>{me}</bdi>
        </b>
      }
      caption={t("rooms.you")}
      end={<IconButton icon={Pencil} size="sm" label={t("rooms.rename")} onClick={() => setName(me)} />}
    />
  );
}
