import { useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { formatNumber } from "@/i18n/format";
import { gatewayName } from "@/i18n/gateway";
import { errorMeaning } from "@/i18n/problem";
import { useTeam } from "@/stores/team";
import { displayName, type Agent, type AgentID } from "@/topology";
import { goodName, hasMark, SHARED_NAME, type Copy } from "@/topology/shared";
import { Badge, Banner, Button, Checkbox, Dialog, Field, Input, Select, Textarea, composing, marked } from "@/ui";
import type { Trouble } from "@/stores/fileEdits";
import { shareBlock } from "./shareBlock";

type Props = {
  agent: Agent;
  /** The file that agents get the block in. */ file: string;
  /** Undefined: a new block, or one of the team that this file doesn't have. */ name?: string;
  /** The blocks of the team when the dialog was opened. */ begun: ReadonlyMap<string, Copy[]>;
  onClose: () => void;
};

const NEW = "";

/** Edits a block in every file that has it, and says which agents have it. */
export function SharedDialog({ agent, file, name: asked, begun, onClose }: Props) {
  const { t } = useTranslation();
  const agents = useTeam((s) => s.topology.agents),
    gateway = gatewayName(
      t,
      useTeam((s) => s.gateway),
    );
  const [all] = useState(begun);
  const [was, setWas] = useState(asked ?? NEW),
    copies = all.get(was) ?? [];
  const textOf = (name: string) => {
    const of = all.get(name) ?? [];
    return (of.find((c) => c.agent === agent.id) ?? of[0])?.text ?? "";
  };
  const whose = (name: string) => new Set<AgentID>([agent.id, ...(all.get(name) ?? []).map((c) => c.agent)]);
  const [name, setName] = useState(was),
    [text, setText] = useState(() => textOf(was)),
    [chosen, setChosen] = useState(() => whose(was));
  const [busy, setBusy] = useState(false),
    [trouble, setTrouble] = useState<Trouble>();
  const offered = asked === undefined ? [...all.keys()] : [];
  const called = name.trim(),
    taken = called !== was && all.has(called),
    bad = !!called && (taken || !goodName(called)),
    badText = hasMark(text);
  const choose = (next: string) => {
    setWas(next);
    setName(next);
    setText(textOf(next));
    setChosen(whose(next));
  };
  const save = (e: FormEvent) => {
    e.preventDefault();
    if (busy || !called || bad || badText) return;
    setBusy(true);
    setTrouble(undefined);
    void shareBlock({ was: was || undefined, name: called, text, file, agents: chosen })
      .then((found) => (found ? setTrouble(found) : onClose()))
      .finally(() => setBusy(false));
  };
  const said =
    trouble &&
    t(`workspace.block.${trouble.why}`, {
      gateway,
      file: trouble.file,
      name: displayName(agents.find((a) => a.id === trouble.agent) ?? { id: trouble.agent }),
    });
  return (
    <Dialog
      open
      width={560}
      onOpen={(shown) => {
        if (!shown && !busy) onClose();
      }}
      title={asked === undefined ? t("workspace.shared.label") : t("workspace.shared.title", { name: marked(asked) })}
      footer={
        <>
          <Button disabled={busy} onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button tone="main" type="submit" form="shared-block" busy={busy} disabled={!called || bad || badText}>
            {t("workspace.shared.save")}
          </Button>
        </>
      }
    >
      <form
        id="shared-block"
        className="col gap-3"
        onSubmit={save}
        onKeyDown={(e) => {
          if (e.key === "Enter" && composing(e)) e.preventDefault();
        }}
      >
        <p className="cap">{t("workspace.shared.why")}</p>
        {offered.length > 0 && (
          <Field label={t("workspace.shared.which")}>
            {(ids) => (
              <Select
                {...ids}
                value={was ? `=${was}` : "new"}
                options={[
                  { value: "new", label: t("workspace.shared.new") },
                  ...offered.map((x) => ({ value: `=${x}`, label: marked(x) })),
                ]}
                onValue={(v) => choose(v === "new" ? NEW : v.slice(1))}
              />
            )}
          </Field>
        )}
        <Field
          label={t("workspace.shared.name")}
          error={
            bad
              ? t(taken ? "workspace.shared.taken" : "workspace.shared.badName", { most: formatNumber(SHARED_NAME) })
              : undefined
          }
        >
          {(ids) => <Input {...ids} value={name} onText={setName} invalid={bad} />}
        </Field>
        <Field label={t("workspace.text")} error={badText ? t("workspace.shared.badText") : undefined}>
          {(ids) => <Textarea {...ids} mono rows={8} value={text} onText={setText} invalid={badText} />}
        </Field>
        <fieldset className="col min-w-0 gap-2">
          <legend className="cap pb-1">{t("workspace.shared.agents", { file })}</legend>
          <div className="col max-h-60 gap-2 overflow-auto rounded-[var(--r-2)] border border-line p-2">
            {agents.map((a) => {
              const own = copies.filter((c) => c.agent === a.id);
              return (
                <Checkbox
                  key={a.id}
                  label={
                    <>
                      <bdi>{displayName(a)}</bdi>{" "}
                      {own.some((c) => c.text !== textOf(was)) && (
                        <Badge tone="chg">{t("workspace.shared.other")}</Badge>
                      )}
                    </>
                  }
                  hint={own.map((c) => c.file).join(", ") || undefined}
                  checked={chosen.has(a.id)}
                  onChecked={(on) => setChosen((s) => new Set(on ? [...s, a.id] : [...s].filter((x) => x !== a.id)))}
                />
              );
            })}
          </div>
        </fieldset>
        {trouble && (
          <Banner tone="failed">
            {trouble.why === "couldNot" ? t("common.sentences", { a: said, b: errorMeaning(t, trouble.error) }) : said}
          </Banner>
        )}
      </form>
    </Dialog>
  );
}
