import type { LucideIcon } from "lucide-react";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { problemMessage, problemRemedy } from "@/i18n/problem";
import { useUi } from "@/stores/ui";
import { FIELD_BYTES, type Agent, type Problem, type TextFieldName } from "@/topology";
import { Field, Input, Textarea, useAfterFrame } from "@/ui";
import { setField, type AgentNotes } from "./use";
import { useLimit } from "./useLimit";

/** "was X" beside a field that differs from what the gateway has. */
export function Was({ value }: { value: unknown }) {
  const { t } = useTranslation();
  const text =
    typeof value === "string"
      ? value
      : Array.isArray(value)
        ? value.join(", ")
        : value === undefined || value === null
          ? ""
          : JSON.stringify(value);
  return (
    <span className="cut block max-w-44" title={text}>
      {text ? t("mark.was", { value: text }) : t("mark.wasEmpty")}
    </span>
  );
}

/** A problem of the hub as a field shows it. */
export function said(t: ReturnType<typeof useTranslation>["t"], p: Problem | undefined) {
  if (!p) return {};
  const text = [problemMessage(t, p), problemRemedy(t, p)].filter(Boolean).join(" ");
  if (p.params?.allowed) return { hint: text }; // what the owner agreed to is no warning
  return p.severity === "error" ? { error: text } : { warning: text };
}

type Props = {
  agent: Agent;
  notes: AgentNotes;
  field: TextFieldName;
  placeholder?: string;
  icon?: LucideIcon;
  mono?: boolean;
  lines?: number;
};

/** A text field of an agent: saved while typing, marked when changed, with its problem below. */
export function TextField({ agent, notes, field, placeholder, icon, mono, lines }: Props) {
  const { t } = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  const ask = useUi((s) => s.focusField);
  useEffect(() => {
    if (ask?.field !== field) return;
    const el = box.current?.querySelector<HTMLInputElement | HTMLTextAreaElement>("input, textarea");
    if (!el) return;
    el.focus();
    el.select();
    useUi.getState().fieldFocused();
  }, [ask, field]);
  const changed = field in notes.was;
  const limit = useLimit(FIELD_BYTES[field]);
  const about = limit.error ? { error: limit.error } : said(t, notes.problem(field));
  const value = agent[field] ?? "";
  const onText = useAfterFrame((v: string) => {
    if (limit.fits(v)) setField(agent, field, v);
  });
  const shared = { value, placeholder, onText, changed, invalid: "error" in about, warn: "warning" in about, mono };
  return (
    <div ref={box}>
      <Field
        label={t(`field.${field}`)}
        {...about}
        aside={
          changed ? (
            <Was value={notes.was[field]} />
          ) : lines ? (
            t("inspector.characters", { n: [...value].length })
          ) : undefined
        }
      >
        {(ids) => (lines ? <Textarea {...ids} {...shared} rows={lines} /> : <Input {...ids} {...shared} icon={icon} />)}
      </Field>
    </div>
  );
}
