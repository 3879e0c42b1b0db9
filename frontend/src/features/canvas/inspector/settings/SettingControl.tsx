import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { formatNumber } from "@/i18n/format";
import type { Setting } from "@/topology";
import { Input, Lines, Segmented, Select, useAfterFrame, type LinesOffer } from "@/ui";
import {
  formFor,
  formsOf,
  jsonText,
  parseJson,
  parseLines,
  parseText,
  REDACTED,
  shortText,
  type Form,
  type Json,
  type Parsed,
} from "./tree";

export type ControlProps = {
  setting: Setting;
  label: string;
  id: string;
  describedBy?: string;
  /** The agent's own value. */ value: Json;
  /** What applies without one. */ inherited: Json;
  /** Several agents are shown, and their values differ. */ mixed?: boolean;
  disabled?: boolean;
  changed?: boolean;
  warn?: boolean;
  /** Names to choose from, where it is a list. */ offer?: LinesOffer;
  onValue: (v: Json, typing: boolean) => void;
};

const unset = "unset";

/** The control of a setting by its kinds, with a choice of the form where there are several. */
export function SettingControl(p: ControlProps) {
  const { t } = useTranslation();
  const forms = formsOf(p.setting),
    fits = formFor(p.setting, p.value);
  const [chosen, choose] = useState<Form>();
  const form = (p.value === undefined ? chosen : undefined) ?? fits ?? "json";
  if (!forms.length) return null;
  return (
    <>
      {forms.length > 1 && p.value === undefined && (
        <Segmented
          size="sm"
          label={t("agentSettings.formOf", { name: p.label })}
          value={form}
          disabled={p.disabled}
          options={forms.map((f) => ({ value: f, label: t(`agentSettings.form.${f}`) }))}
          onValue={choose}
        />
      )}
      <FormControl {...p} form={form} />
    </>
  );
}

function FormControl({ form, ...p }: ControlProps & { form: Form }) {
  switch (form) {
    case "toggle":
    case "choice":
      return <ChoiceControl {...p} />;
    case "secret":
      return <SecretControl {...p} />;
    case "text":
      return <TextControl {...p} />;
    case "list":
      return <LinesControl {...p} />;
    case "json":
      return <JsonControl {...p} />;
  }
}

function ChoiceControl({ setting, label, id, value, inherited, mixed, disabled, changed, onValue }: ControlProps) {
  const { t } = useTranslation();
  const onOff = setting.kinds.includes("boolean");
  const nothing = inherited === undefined ? t(mixed ? "inspector.mixed" : "agentSettings.notSet") : wordOf(inherited);
  const none = inherited === undefined ? nothing : t("agentSettings.as", { value: nothing });
  function wordOf(v: Json): string {
    return v === true ? t("agentSettings.on") : v === false ? t("agentSettings.off") : (shortText(v, 24) ?? "");
  }
  const set = (key: string) =>
    onValue(key === unset ? undefined : key === "true" ? true : key === "false" ? false : key.slice(1), false);
  const now = value === undefined ? unset : typeof value === "string" ? `=${value}` : JSON.stringify(value);
  if (!setting.kinds.includes("choice"))
    return (
      <span>
        <Segmented
          size="sm"
          label={label}
          value={now}
          disabled={disabled}
          options={[
            {
              value: unset,
              label: none,
            },
            { value: "true", label: t("agentSettings.on") },
            { value: "false", label: t("agentSettings.off") },
          ]}
          onValue={set}
        />
      </span>
    );
  const choices = setting.choices ?? [];
  const listed = typeof value === "string" && !choices.includes(value) ? [...choices, value] : choices;
  return (
    <Select
      id={id}
      label={label}
      value={now}
      disabled={disabled}
      changed={changed}
      options={[
        {
          value: unset,
          label: none,
        },
        ...(onOff ? ["true", "false"].map((v) => ({ value: v, label: wordOf(v === "true") })) : []),
        ...listed.map((c) => ({ value: `=${c}`, label: c })),
      ]}
      onValue={set}
    />
  );
}

/** What was typed stays as it is while it can't be a value; then the value stays, too. */
function useTyped(
  value: Json,
  textOf: (v: Json) => string,
  parse: (text: string) => Parsed | { line: number; column: number },
) {
  const [typed, setTyped] = useState<string>();
  const read = typed === undefined ? undefined : parse(typed);
  const fault = read && !("value" in read) ? read : undefined;
  const same = read && "value" in read && JSON.stringify(read.value) === JSON.stringify(value);
  return { text: typed !== undefined && (fault || same) ? typed : textOf(value), fault, setTyped };
}

function Fault({ children }: { children: ReactNode }) {
  return (
    <span className="hint hint--bad" role="alert">
      {children}
    </span>
  );
}

type Typed = ControlProps & {
  rows?: number;
  mono?: boolean;
  textOf: (v: Json) => string;
  parse: (text: string) => Parsed | { line: number; column: number };
  placeholder?: string;
};

/** Text that becomes a value while it is one. */
function TypedControl({ rows, mono, textOf, parse, placeholder, ...p }: Typed) {
  const { t } = useTranslation();
  const { text, fault, setTyped } = useTyped(p.value, textOf, parse);
  const tell = useAfterFrame((text: string) => {
    const read = parse(text);
    if ("value" in read) p.onValue(read.value, true);
  });
  const shared = {
    id: p.id,
    "aria-describedby": p.describedBy,
    "aria-invalid": fault ? (true as const) : undefined,
    value: text,
    placeholder: p.mixed ? t("inspector.mixed") : placeholder,
    disabled: p.disabled,
    changed: p.changed,
    warn: p.warn,
    invalid: !!fault,
    mono,
    onText: (text: string) => {
      setTyped(text);
      tell(text);
    },
  };
  return (
    <>
      {rows ? <Lines {...shared} rows={rows} grow={240} offer={p.offer} /> : <Input {...shared} />}
      {fault && (
        <Fault>
          {"fault" in fault
            ? t(`agentSettings.fault.${fault.fault}`, "bound" in fault ? { bound: formatNumber(fault.bound) } : {})
            : t("agentSettings.fault.jsonAt", fault)}
        </Fault>
      )}
    </>
  );
}

function TextControl(p: ControlProps) {
  const { setting } = p;
  const numeric = !setting.kinds.includes("text");
  return (
    <TypedControl
      {...p}
      mono={numeric}
      textOf={(v) => (typeof v === "string" ? v : jsonText(v))}
      parse={(text) => parseText(setting, text)}
      placeholder={shortText(p.inherited) ?? setting.placeholder}
    />
  );
}

function LinesControl(p: ControlProps) {
  const { t } = useTranslation();
  const { setting } = p;
  return (
    <TypedControl
      {...p}
      mono
      rows={2}
      textOf={(v) => (Array.isArray(v) ? v.join("\n") : "")}
      parse={(text) => parseLines(setting, text)}
      placeholder={
        Array.isArray(p.inherited)
          ? p.inherited.join("\n")
          : Array.isArray(p.value)
            ? t("agentSettings.emptyList")
            : t("agentSettings.perLine")
      }
    />
  );
}

function JsonControl(p: ControlProps) {
  return (
    <TypedControl
      {...p}
      mono
      rows={3}
      textOf={jsonText}
      parse={parseJson}
      placeholder={jsonText(p.inherited) || (p.setting.kinds.includes("list") ? "[ ]" : "{ }")}
    />
  );
}

/** A stored secret is never shown. It can only be replaced by a reference. */
function SecretControl(p: ControlProps) {
  const { t } = useTranslation();
  const reference = typeof p.value === "string" && p.value.startsWith("${") ? p.value : undefined;
  const stored = p.value !== undefined && reference === undefined;
  return (
    <TypedControl
      {...p}
      mono
      value={stored ? undefined : reference}
      textOf={(v) => (typeof v === "string" ? v : "")}
      parse={(text) => parseText(p.setting, text)}
      onValue={(v, typing) => {
        if (v !== undefined || !stored) p.onValue(v, typing);
      }}
      placeholder={stored ? t(p.value === REDACTED ? "agentSettings.storedThere" : "agentSettings.stored") : "${NAME}"}
    />
  );
}
