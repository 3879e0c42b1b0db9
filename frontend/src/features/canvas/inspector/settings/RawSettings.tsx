import { CircleAlert, TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { problemMessage, problemRemedy } from "@/i18n/problem";
import type { Agent, Problem } from "@/topology";
import { Field, Textarea, useAfterFrame } from "@/ui";
import { setAll } from "./edit";
import { isNumberField, ownField } from "./own";
import { keepRaw, usePlace } from "./place";
import { isObject, parseJson, pathText, valueAt, type Path } from "./tree";

type Read = { value: Record<string, unknown> } | { line: number; column: number } | { own: string } | "object";

/** Fields of AgentFlow that a config has inside of a map. */
const inside: Path[] = [
  ["tools", "profile"],
  ["tools", "allow"],
  ["tools", "deny"],
  ["subagents", "allowAgents"],
  ["model", "primary"],
  ["model", "fallbacks"],
];

/** The settings that a text says, or why it says none. */
export function readRaw(text: string): Read {
  const read = parseJson(text);
  if (!("value" in read)) return read;
  const value = read.value ?? {};
  if (!isObject(value)) return "object";
  const own = Object.keys(value).find((k) => (ownField([k]) && !isObject(value[k])) || isNumberField([k]));
  const taken = own ?? inside.map((p) => (valueAt(value, p) === undefined ? "" : pathText(p))).find(Boolean);
  return taken ? { own: taken } : { value };
}

/** The values of an agent that have no field of their own, as JSON. */
export function RawSettings({ agent, problems }: { agent: Agent; problems: readonly Problem[] }) {
  const { t } = useTranslation();
  const kept = usePlace((s) => s.raw[agent.id]);
  const read = kept === undefined ? undefined : readRaw(kept);
  const valid = typeof read === "object" && "value" in read;
  const same = valid && JSON.stringify(read.value) === JSON.stringify(agent.extra ?? {});
  const text = kept !== undefined && (!valid || same) ? kept : JSON.stringify(agent.extra ?? {}, null, 2);
  const tell = useAfterFrame((text: string) => {
    const now = readRaw(text);
    if (typeof now === "object" && "value" in now) setAll(agent, now.value);
  });
  const fault =
    read === undefined || valid
      ? undefined
      : read === "object"
        ? t("agentSettings.fault.object")
        : "own" in read
          ? t("agentSettings.fault.own", { path: read.own })
          : t("agentSettings.fault.jsonAt", "line" in read ? read : {});
  const said = problems.filter((p) => p.field?.startsWith("extra."));
  return (
    <div className="pad">
      <Field
        label={t("agentSettings.rawLabel")}
        hint={t("agentSettings.rawHint")}
        error={fault && `${fault} ${t("agentSettings.rawKept")}`}
      >
        {(ids) => (
          <Textarea
            {...ids}
            mono
            rows={18}
            spellCheck={false}
            invalid={!!fault}
            value={text}
            onText={(text) => {
              keepRaw(agent.id, text);
              tell(text);
            }}
          />
        )}
      </Field>
      {said.length > 0 && (
        <ul className="col gap-2 mt-3" aria-label={t("agentSettings.rawProblems")}>
          {said.map((p) => (
            <li key={p.id} className={p.severity === "error" ? "hint hint--bad" : "hint hint--warn"}>
              {p.severity === "error" ? (
                <CircleAlert className="inline align-[-2px] mr-1" size={12} aria-hidden />
              ) : (
                <TriangleAlert className="inline align-[-2px] mr-1" size={12} aria-hidden />
              )}
              {problemMessage(t, p)} {problemRemedy(t, p)}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
