import { ArrowLeft, FileText, RotateCcw } from "lucide-react";
import type { TFunction } from "i18next";
import { Suspense, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { formatBytes, formatList, formatNumber } from "@/i18n/format";
import { gatewayName } from "@/i18n/gateway";
import { errorMeaning, problemMessage, problemRemedy } from "@/i18n/problem";
import { fetched } from "@/stores/fetched";
import { useAgentFile, useAgentFiles, type OfGateway } from "@/stores/agentFiles";
import { useTeam } from "@/stores/team";
import { useUi } from "@/stores/ui";
import { findAgent, updateAgents, type Agent, type Workspace } from "@/topology";
import { hasBlockOf } from "@/topology/blocks";
import { mapAgents } from "@/topology/edit";
import { aboutTokens, asWritten, FILE_NAMES, fileFault, promptChars, withFile } from "@/topology/files";
import { changedShared, withSharedText } from "@/topology/shared";
import {
  Badge,
  Banner,
  Button,
  EmptyState,
  Field,
  IconButton,
  ListRow,
  Progress,
  Segmented,
  Skeleton,
  Textarea,
  useAfterFrame,
} from "@/ui";
import { unseenIn } from "@/ui/text/seen";
import { BlockSwitch } from "./BlockSwitch";
import { SharedBlocks } from "./SharedBlocks";
import { useInherited } from "./settings/shown";
import type { AgentNotes } from "./use";

const FilePreview = fetched(() => import("./FilePreview").then((m) => m.FilePreview));

function useGatewayName(): string {
  const { t } = useTranslation();
  return gatewayName(
    t,
    useTeam((s) => s.gateway),
  );
}

/** The files of an agent's workspace: as the gateway has them, with what the draft changes. */
export function FilesTab({ agent, notes }: { agent: Agent; notes: AgentNotes }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<(typeof FILE_NAMES)[number]>();
  const gateway = useGatewayName(),
    space = useAgentFiles(agent.id);
  const list = useRef<HTMLUListElement>(null),
    left = useRef<(typeof FILE_NAMES)[number]>(undefined);
  // The focus follows the person into the file and back to its row.
  useEffect(() => {
    if (!open && left.current)
      list.current?.children[FILE_NAMES.indexOf(left.current)]?.querySelector("button")?.focus();
    left.current = open;
  }, [open]);
  if (open) return <FileEditor key={open} agent={agent} notes={notes} name={open} onBack={() => setOpen(undefined)} />;
  if (space.data && !space.data.served && !Object.keys(agent.files ?? {}).length)
    return (
      <EmptyState icon={FileText} title={t("workspace.notServed", { gateway })}>
        {t("workspace.notServedWhy")}
      </EmptyState>
    );
  return (
    <div className="col">
      <Standing space={space} />
      {space.online && !space.data && !space.error ? (
        <Skeleton lines={6} label={t("common.loading")} />
      ) : (
        <ul ref={list} aria-label={t("workspace.list")}>
          {FILE_NAMES.map((name) => (
            <li key={name}>
              <ListRow
                lead={<FileText size={14} className="t2 flex-none" aria-hidden />}
                title={<span className="mono">{name}</span>}
                caption={t(`workspace.what.${name.slice(0, -3) as "SOUL"}`)}
                end={<FileState agent={agent} notes={notes} name={name} space={space.data} />}
                onClick={() => setOpen(name)}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** What is to be known about all of the files: that they can't be read now, or come later. */
function Standing({ space }: { space: OfGateway<Workspace> }) {
  const { t } = useTranslation();
  const gateway = useGatewayName();
  if (!space.online) return <Banner tone="waiting">{t("workspace.offline", { gateway })}</Banner>;
  if (space.error)
    return (
      <Banner
        tone="failed"
        actions={
          <Button size="sm" onClick={space.again}>
            {t("common.retry")}
          </Button>
        }
      >
        {t("common.sentences", { a: t("workspace.failed", { gateway }), b: errorMeaning(t, space.error) })}
      </Banner>
    );
  if (space.data?.served === false) return <Banner>{t("workspace.stays", { gateway })}</Banner>;
  return space.data?.exists === false ? <Banner>{t("workspace.new", { gateway })}</Banner> : null;
}

type OfFile = { agent: Agent; notes: AgentNotes; name: string };

function FileState({ agent, notes, name, space }: OfFile & { space?: Workspace }) {
  const { t } = useTranslation();
  const there = space?.files.find((f) => f.name === name);
  if (`files.${name}` in notes.was) return <Badge tone="chg">{t("workspace.changed")}</Badge>;
  const held = agent.files?.[name];
  if (held) return <span className="cap num">{formatBytes(new TextEncoder().encode(held.content).length)}</span>;
  if (!there) return null;
  if (!there.served) return <span className="cap">{t("workspace.unsupported")}</span>;
  if (there.binary) return <span className="cap">{t("workspace.binary")}</span>;
  return <span className="cap num">{there.missing ? t("workspace.missing") : formatBytes(there.size)}</span>;
}

/** One file: its text to be edited or read as Markdown, and how much of it the agent gets. */
function FileEditor({ agent, notes, name, onBack }: OfFile & { onBack: () => void }) {
  const { t } = useTranslation();
  const [preview, setPreview] = useState(false);
  const [fault, setFault] = useState<"long" | "binary">();
  const gateway = useGatewayName(),
    known = notes.applied,
    file = useAgentFile(agent.id, name, known);
  const there = file.data,
    held = agent.files?.[name],
    text = held?.content ?? there?.content ?? "",
    theirs = there && !there.missing ? (there.content ?? "") : undefined;
  const write = (content: string, typing = true) => {
    const no = fileFault(content);
    setFault(no);
    if (no) return;
    const s = useTeam.getState(),
      base = s.base && findAgent(s.base.topology, agent.id)?.files,
      now = findAgent(s.topology, agent.id)?.files;
    const files = withFile(now, name, content, there, base);
    // One edit of a shared block is an edit of all its copies.
    const shared = changedShared(text, content);
    s.edit(
      `edit.files|${agent.name || agent.id}`,
      (d) => {
        const own = updateAgents(d, [agent.id], { files: Object.keys(files).length ? files : undefined });
        if (!shared.length) return own;
        const of = (id: string) => s.base && findAgent(s.base.topology, id);
        return mapAgents(own, (a) => shared.reduce((x, b) => withSharedText(x, b.name, b.text, of(a.id)), a));
      },
      typing ? { typing: true, coalesce: `agent:${agent.id}:files.${name}` } : {},
    );
  };
  /** What the gateway has comes back. Where it doesn't have the agent yet, the team holds no such file any more. */
  const reset = () => {
    if (known) {
      write(theirs ?? "", false);
      return;
    }
    setFault(undefined);
    useTeam.getState().edit(`edit.files|${agent.name || agent.id}`, (d) => {
      const { [name]: _, ...files } = findAgent(d, agent.id)?.files ?? {};
      return updateAgents(d, [agent.id], { files: Object.keys(files).length ? files : undefined });
    });
  };
  const applied = useTeam((s) => s.base && findAgent(s.base.topology, agent.id)?.files?.[name]?.content);
  /** Somebody else has changed the file since the team was applied with it. */
  const elsewhere = known && !!there && applied !== undefined && theirs !== applied && theirs !== held?.content;
  const resets = !!held && (known ? !!there && held.content !== (theirs ?? "") : true);
  const onText = useAfterFrame((typed: string) => write(asWritten(typed, text)));
  const problem = notes.problem(`files.${name}`),
    unseen = useMemo(() => unseenIn(text), [text]);
  const waits = file.online && known && !there && !file.error && !held;
  const shut = there && (!there.served || there.binary) && !held;
  const changed = `files.${name}` in notes.was;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const now = document.activeElement;
    if (now === document.body || (now && box.current?.contains(now)))
      (box.current?.querySelector("textarea") ?? box.current?.querySelector("button"))?.focus({ preventScroll: true });
  }, [waits]);
  return (
    <div ref={box} className="col grow min-h-0">
      <div className="row px-3 pt-2">
        <IconButton icon={ArrowLeft} label={t("workspace.back")} onClick={onBack} />
        <b className="mono cut grow">{name}</b>
        <Segmented
          size="sm"
          label={t("workspace.view")}
          value={preview ? "preview" : "text"}
          onValue={(v) => setPreview(v === "preview")}
          options={[
            { value: "text", label: t("workspace.text") },
            { value: "preview", label: t("workspace.preview") },
          ]}
        />
      </div>
      {file.error && (
        <Banner
          tone="failed"
          actions={
            <Button size="sm" onClick={file.again}>
              {t("common.retry")}
            </Button>
          }
        >
          {t("common.sentences", { a: t("workspace.fileFailed", { gateway }), b: errorMeaning(t, file.error) })}
        </Banner>
      )}
      {elsewhere && (
        <Banner tone="waiting">
          <div className="col gap-2">
            {t(theirs === undefined ? "workspace.elsewhere.gone" : "workspace.elsewhere.changed", { gateway })}
            <div className="row flex-wrap">
              {theirs !== undefined && (
                <Button size="sm" onClick={reset}>
                  {t("workspace.elsewhere.take")}
                </Button>
              )}
              <Button size="sm" onClick={() => useUi.getState().go("drift")}>
                {t("workspace.elsewhere.compare")}
              </Button>
            </div>
          </div>
        </Banner>
      )}
      {shut ? (
        <EmptyState icon={FileText} title={t(there.served ? "workspace.binary" : "workspace.unsupported")}>
          {t(there.served ? "workspace.binaryWhy" : "workspace.unsupportedWhy", { name, gateway })}
        </EmptyState>
      ) : waits ? (
        <Skeleton lines={6} label={t("common.loading")} />
      ) : (
        <div className="pad">
          {hasBlockOf(name) && (
            <BlockSwitch
              agent={agent}
              file={name}
              text={text}
              held={!!held}
              readable={!!held || !!there || !known}
              onText={(content) => write(content, false)}
            />
          )}
          <SharedBlocks agent={agent} file={name} text={text} />
          {preview ? (
            <Suspense fallback={<Skeleton lines={6} label={t("common.loading")} />}>
              <FilePreview text={text} />
            </Suspense>
          ) : (
            <Field
              label={t("workspace.content", { name })}
              aside={
                changed ? t("workspace.changed") : theirs === undefined && there ? t("workspace.missing") : undefined
              }
              error={fault && t(`workspace.fault.${fault}`)}
              warning={[
                problem && problemMessage(t, problem),
                problem && problemRemedy(t, problem),
                unseen.length > 0 && unseenText(t, unseen),
              ]
                .filter(Boolean)
                .join(" ")}
            >
              {(ids) => (
                <Textarea {...ids} mono rows={18} value={text} onText={onText} changed={changed} invalid={!!fault} />
              )}
            </Field>
          )}
          <Size agent={agent} text={text} />
          <div className="row pt-2">
            <Button
              icon={RotateCcw}
              disabled={!resets}
              title={t(known ? "workspace.resetWhy" : "workspace.resetNew", { gateway })}
              onClick={reset}
            >
              {t("workspace.reset")}
            </Button>
          </div>
        </div>
      )}
    </div>
  );
}

/** How many characters that nobody sees are named with their lines. */
const mostNamed = 5;

/** A text field shows no marks, so it is said below it where such characters are. */
const unseenText = (t: TFunction, unseen: ReturnType<typeof unseenIn>) =>
  t("workspace.unseen", {
    count: unseen.length,
    where: formatList(
      unseen.slice(0, mostNamed).map(({ mark, line }) => t("workspace.unseenAt", { mark, line: formatNumber(line) })),
    ),
  });

/** How long the text is, beside how much of it an agent gets in its prompt. */
function Size({ agent, text }: { agent: Agent; text: string }) {
  const { t } = useTranslation();
  const chars = useMemo(() => [...text].length, [text]);
  const most = promptChars(agent.extra, useInherited());
  const said = t("workspace.size", {
    chars: formatNumber(chars),
    most: formatNumber(most),
    tokens: formatNumber(aboutTokens(text)),
  });
  return (
    <div className="col gap-1 pt-3">
      <Progress value={chars / most} label={said} />
      <span className="cap num">{said}</span>
      {chars > most && (
        <span className="hint hint--warn" role="status">
          {t("workspace.cut", { most: formatNumber(most) })}
        </span>
      )}
    </div>
  );
}
