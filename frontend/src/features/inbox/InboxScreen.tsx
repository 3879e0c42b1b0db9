import { BellRing, Inbox, ShieldAlert } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { formatList } from "@/i18n/format";
import { errorMeaning } from "@/i18n/problem";
import { askPermission, useMayAsk } from "@/stores/desktop";
import { useHub } from "@/stores/hub";
import { chooseQuestion, inOrder, readEnded, useEnded, useInbox } from "@/stores/inbox";
import { goTo } from "@/stores/routes";
import { usePanel, useUi } from "@/stores/ui";
import { appliedTeam, useBlocked, type Blocked } from "@/stores/untrusted";
import type { Question } from "@/topology";
import {
  Boundary,
  Button,
  Count,
  cx,
  EmptyState,
  ErrorState,
  Kbd,
  keysOf,
  ListRow,
  Panel,
  Segmented,
  Skeleton,
  useMedia,
} from "@/ui";
import { QuestionRow } from "./QuestionRow";
import { StandingList } from "./Standing";
import { QuestionView } from "./QuestionView";
import { useInboxKeys } from "./useInboxKeys";
import "./inbox.css";

type Tab = "waiting" | "ended" | "standing";

/** What waits for the person, from every part, and what became of it. */
export function InboxScreen() {
  const { t } = useTranslation();
  const phone = useMedia("(max-width: 639px)");
  const [tab, setTab] = useState<Tab>("waiting");
  const known = useHub((s) => s.known),
    waiting = useHub((s) => s.inbox);
  const later = useInbox((s) => s.later),
    chosenId = useInbox((s) => s.chosen);
  const ended = useEnded(),
    blocked = useBlocked(true),
    need = waiting.length + blocked.filter((b) => b.task).length;
  useEffect(() => {
    if (tab !== "waiting") void readEnded();
  }, [tab, waiting]);
  const list = tab === "waiting" ? inOrder(waiting, later) : tab === "ended" ? ended.entries : [];
  const picked = list.find((q) => q.id === chosenId);
  const chosen = picked ?? (phone ? undefined : list[0]);
  useInboxKeys(list, chosen, tab === "waiting");
  return (
    <div className="body">
      {(!phone || !picked) && (
        <ListPanel phone={phone}>
          <div className="head">
            <h1>{t("screen.inbox")}</h1>
            {need > 0 && <Count n={need} need />}
            <span className="grow" />
            <Segmented
              size="sm"
              label={t("inbox.which")}
              value={tab}
              onValue={(v) => {
                setTab(v);
                chooseQuestion();
              }}
              options={(["waiting", "ended", "standing"] as const).map((value) => ({
                value,
                label: t(`inbox.tab.${value}`),
              }))}
            />
          </div>
          {tab === "waiting" ? (
            <Waiting known={known} blocked={blocked} list={list} chosen={chosen?.id} />
          ) : tab === "ended" ? (
            <Ended chosen={chosen?.id} />
          ) : (
            <StandingList />
          )}
          {tab === "waiting" && <DeniedNote />}
          {tab === "waiting" && <DesktopOffer />}
          {!phone && tab === "waiting" && list.length > 0 && <KeysFoot />}
        </ListPanel>
      )}
      {chosen && (!phone || picked) && (
        <Boundary of={chosen.id}>
          <QuestionView key={chosen.id} question={chosen} onBack={phone ? () => chooseQuestion() : undefined} />
        </Boundary>
      )}
      {!chosen && !phone && <section className="grow" aria-hidden />}
    </div>
  );
}

function ListPanel({ phone, children }: { phone: boolean; children: React.ReactNode }) {
  const { t } = useTranslation();
  const panel = usePanel("inbox.list"),
    setPanel = useUi((s) => s.setPanel);
  return (
    <Panel
      kind="list"
      label={t("screen.inbox")}
      size={phone ? undefined : panel.size}
      className={cx(phone && "w-full")}
      split={
        phone
          ? undefined
          : {
              label: t("inbox.split"),
              edge: "right",
              size: panel.size,
              min: 300,
              max: 520,
              onSize: (size) => setPanel("inbox.list", { size }),
              onFold: () => setPanel("inbox.list", { size: 376 }),
            }
      }
    >
      {children}
    </Panel>
  );
}

function Waiting({
  known,
  blocked,
  list,
  chosen,
}: {
  known: boolean;
  blocked: readonly Blocked[];
  list: Question[];
  chosen?: string;
}) {
  const { t } = useTranslation();
  return (
    <div className="rows scroll" role="group" aria-label={t("inbox.tab.waiting")}>
      {!known && <Skeleton lines={4} label={t("common.loading")} />}
      {known && !list.length && !blocked.length && (
        <EmptyState icon={Inbox} title={t("inbox.empty")}>
          {t("inbox.emptyWhy")}
        </EmptyState>
      )}
      {blocked.map((b) => (
        <ListRow
          key={b.agent}
          lead={<ShieldAlert size={16} className="ico" aria-hidden />}
          title={<b>{t("inbox.permission", { name: b.name })}</b>}
          caption={b.task ? t("inbox.permissionTask") : t("inbox.permissionWhy")}
          onClick={() => goTo("settings", { section: "trust", team: appliedTeam })}
        />
      ))}
      {list.map((q) => (
        <QuestionRow key={q.id} question={q} current={q.id === chosen} />
      ))}
    </div>
  );
}

function Ended({ chosen }: { chosen?: string }) {
  const { t } = useTranslation();
  const { entries, state, error, more } = useEnded();
  return (
    <div className="rows scroll" role="group" aria-label={t("inbox.tab.ended")}>
      {state === "loading" && !entries.length && <Skeleton lines={4} label={t("common.loading")} />}
      {state === "failed" && error && (
        <div className="py-2">
          <ErrorState
            title={t("inbox.endedFailed")}
            actions={
              <Button size="sm" onClick={() => void readEnded()}>
                {t("common.retry")}
              </Button>
            }
          >
            {errorMeaning(t, error)}
          </ErrorState>
        </div>
      )}
      {state === "ready" && !entries.length && (
        <EmptyState icon={Inbox} title={t("inbox.noneEnded")}>
          {t("inbox.noneEndedWhy")}
        </EmptyState>
      )}
      {entries.map((q) => (
        <QuestionRow key={q.id} question={q} current={q.id === chosen} />
      ))}
      {more && (
        <Button size="sm" tone="quiet" busy={state === "loading"} onClick={() => void readEnded(true)}>
          {t("inbox.older")}
        </Button>
      )}
    </div>
  );
}

/** Names the gateways whose requests don't appear here, and why. */
function DeniedNote() {
  const { t } = useTranslation();
  const names = useHub((s) => s.gateways)
    .filter((g) => g.asksDenied)
    .map((g) => g.name);
  if (!names.length) return null;
  return (
    <div className="inbox-offer">
      <span className="cap grow">{t("inbox.gateway.denied", { names: formatList(names) })}</span>
    </div>
  );
}

/** Offered once somebody has asked, since only then it is clear what for. */
function DesktopOffer() {
  const { t } = useTranslation();
  const may = useMayAsk(),
    any = useHub((s) => s.inbox.length > 0);
  if (!may || !any) return null;
  return (
    <div className="inbox-offer">
      <span className="cap grow">{t("inbox.offer")}</span>
      <Button size="sm" icon={BellRing} onClick={() => void askPermission()}>
        {t("inbox.notify")}
      </Button>
    </div>
  );
}

function KeysFoot() {
  const { t } = useTranslation();
  return (
    <div className="inbox-keys cap">
      <span>
        <Kbd keys={keysOf("nextQuestion")} /> <Kbd keys={keysOf("nextQuestion", 1)} /> {t("inbox.keys.move")}
      </span>
      <span>
        <Kbd keys={keysOf("allowOnce")} /> {t("inbox.keys.allow")}
      </span>
      <span>
        <Kbd keys={keysOf("denyIt")} /> {t("inbox.keys.deny")}
      </span>
      <span>
        <Kbd keys={keysOf("putOff")} /> {t("inbox.keys.later")}
      </span>
    </div>
  );
}
