import { Upload } from "lucide-react";
import { useRef, useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { asApiError, type ApiError } from "@/stores/faults";
import { localAgentActions } from "@/stores/localAgents";
import { plainName, type LocalAgent, type LocalCandidate } from "@/topology";
import { Button, Checkbox, Dialog, ErrorState, Field, RadioGroup, Segmented, Textarea, toast } from "@/ui";
import { meaning } from "./words";

const largest = 1 << 20;
const example = "agent:\n  name: developer-1\n  role: Developer\n  model: ollama/qwen3";

/** Configs that were begun, by the agent that they are for: a dialog that was closed by a key or a press beside it gives back what was in it. Kept nowhere else. */
const begun = new Map<string, string>();

type Props = {
  /** Whose config is replaced; nobody: one is added. */ agent?: LocalAgent;
  candidates: LocalCandidate[];
  onClose: () => void;
};

/** Adds an agent of the team or that of a config file, or gives one another config. */
export function AddAgent({ agent, candidates, onClose }: Props) {
  const { t } = useTranslation();
  const whose = agent?.id ?? "";
  const [way, setWay] = useState<"team" | "file">(agent || !candidates.length || begun.has(whose) ? "file" : "team");
  const [chosen, setChosen] = useState(candidates[0]?.id ?? ""),
    [config, keepConfig] = useState(begun.get(whose) ?? ""),
    [autostart, setAutostart] = useState(false);
  const [tried, setTried] = useState(false),
    [busy, setBusy] = useState(false),
    [error, setError] = useState<ApiError>();
  const file = useRef<HTMLInputElement>(null);
  const setConfig = (text: string) => {
    keepConfig(text);
    if (text.trim()) begun.set(whose, text);
    else begun.delete(whose);
  };
  const giveUp = () => {
    begun.delete(whose);
    onClose();
  };
  const lacks = way === "team" ? !chosen : !config.trim();
  const take = (f: File | undefined) => {
    if (!f) return;
    if (f.size > largest) {
      setError(asApiError(new Error(t("here.tooLarge"))));
      return;
    }
    void f.text().then((text) => {
      setConfig(text);
      setError(undefined);
    });
  };
  const submit = (e: FormEvent) => {
    e.preventDefault();
    setTried(true);
    if (lacks) return;
    setBusy(true);
    const work = agent
      ? localAgentActions.change(agent.id, { config })
      : localAgentActions.add(way === "team" ? { agent: chosen, autostart } : { config, autostart });
    work.then(
      (made) => {
        giveUp();
        toast({
          tone: "done",
          text: t(agent ? "here.replaced" : "here.added", { name: made.name }),
          closeLabel: t("common.close"),
        });
      },
      (err: unknown) => {
        setError(asApiError(err));
        setBusy(false);
      },
    );
  };
  return (
    <Dialog
      open
      onOpen={(open) => {
        if (!open && !busy) onClose();
      }}
      width={520}
      title={agent ? t("here.replaceTitle", { name: agent.name }) : t("here.add")}
      footer={
        <>
          <Button tone="quiet" disabled={busy} onClick={giveUp}>
            {t("common.cancel")}
          </Button>
          <Button tone="main" type="submit" form="agent-form" busy={busy}>
            {t(agent ? "here.replace" : "common.add")}
          </Button>
        </>
      }
    >
      <form id="agent-form" onSubmit={submit} autoComplete="off" noValidate className="col gap-3 text-text">
        {!agent && (
          <div>
            <Segmented
              label={t("here.way")}
              value={way}
              onValue={(w) => {
                setWay(w);
                setError(undefined);
                setTried(false);
              }}
              options={[
                { value: "team", label: t("here.ofTeam") },
                { value: "file", label: t("here.ofFile") },
              ]}
            />
          </div>
        )}
        {way === "team" ? (
          candidates.length ? (
            <div className="max-h-72 overflow-auto py-1 pl-1">
              <RadioGroup
                label={t("here.ofTeam")}
                value={chosen}
                onValue={setChosen}
                options={candidates.map((c) => ({
                  value: c.id,
                  label: <bdi>{plainName(c.name)}</bdi>,
                  hint: c.name === c.id ? undefined : <span className="mono">{c.id}</span>,
                }))}
              />
            </div>
          ) : (
            <p className="t2">{t("here.noCandidates")}</p>
          )
        ) : (
          <Field
            label={t("here.config")}
            hint={t("here.configHint")}
            error={tried && lacks ? t("here.configEmpty") : undefined}
          >
            {(ids) => (
              <Textarea
                {...ids}
                mono
                rows={10}
                value={config}
                onText={(text) => {
                  setConfig(text);
                  setError(undefined);
                }}
                placeholder={example}
                spellCheck={false}
              />
            )}
          </Field>
        )}
        {way === "file" && (
          <div>
            <Button size="sm" icon={Upload} onClick={() => file.current?.click()}>
              {t("here.choose")}
            </Button>
            <input
              ref={file}
              type="file"
              hidden
              accept=".yaml,.yml,.json"
              onChange={(e) => {
                take(e.target.files?.[0]);
                e.target.value = "";
              }}
            />
          </div>
        )}
        {!agent && <Checkbox label={t("here.autostart")} checked={autostart} onChecked={setAutostart} />}
        {error && <ErrorState title={t("here.addFailed")}>{meaning(t, error)}</ErrorState>}
      </form>
    </Dialog>
  );
}
