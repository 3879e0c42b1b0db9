import { CircleAlert, TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { problemMessage, problemRemedy } from "@/i18n/problem";
import type { Problem } from "@/topology";
import { Field, Textarea, useAfterFrame } from "@/ui";
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

/** The settings that a text says, or why it says none. `whole`: no other field edits one of them. */
export function readRaw(text: string, whole = false): Read {
  const read = parseJson(text);
  if (!("value" in read)) return read;
  const value = read.value ?? {};
  if (!isObject(value)) return "object";
  if (whole) return { value };
  const own = Object.keys(value).find((k) => (ownField([k]) && !isObject(value[k])) || isNumberField([k]));
  const taken = own ?? inside.map((p) => (valueAt(value, p) === undefined ? "" : pathText(p))).find(Boolean);
  return taken ? { own: taken } : { value };
}

type Props = {
  /** Under which the text is kept. */ id: string;
  values: Record<string, unknown> | undefined;
  /** No other field edits one of them. */ whole?: boolean;
  problems: readonly Problem[];
  onValues: (values: Record<string, unknown>) => void;
};

/** The values of an agent that have no field of their own, or those of everyone, as JSON. */
export function RawSettings({ id, values = {}, whole, problems, onValues }: Props) {
  const { t } = useTranslation();
  const kept = usePlace((s) => s.raw[id]);
  const read = kept === undefined ? undefined : readRaw(kept, whole);
  const valid = typeof read === "object" && "value" in read;
  const same = valid && JSON.stringify(read.value) === JSON.stringify(values);
  const text = kept !== undefined && (!valid || same) ? kept : JSON.stringify(values, null, 2);
  const tell = useAfterFrame((text: string) => {
    const now = readRaw(text, whole);
    if (typeof now === "object" && "value" in now) onValues(now.value);
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
        label={t(whole ? "everyone.raw" : "agentSettings.rawLabel")}
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
              keepRaw(id, text);
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
