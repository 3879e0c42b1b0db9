import type { TFunction } from "i18next";
import { AGENT_FIELDS } from "../api/constants";
import { formatNumber, formatWhen } from "./format";
import { gatewayName } from "./gateway";

const ofGateway = ["import", "apply", "merge", "rollback", "kept", "seen"] as const;

const isAgentField = (name: string): name is keyof typeof AGENT_FIELDS => Object.hasOwn(AGENT_FIELDS, name);

/** Those that tell how many things they were about. */
const counted = /^edit\.(deleteMany|moveMany|ungroupMany|models|lock|unlock|cut|paste|align|distribute)$/;

/** A step's label from the hub, "edit.move|Lead", in the person's language. */
export function stepText(t: TFunction, label: string): string {
  const bar = label.indexOf("|");
  const key = bar < 0 ? label : label.slice(0, bar),
    name = bar < 0 ? "" : label.slice(bar + 1);
  const there = ofGateway.find((k) => k === key);
  if (there) return t(`step.${there}`, { name: gatewayName(t, name) });
  if (counted.test(key))
    return t(`step.${key}`, { count: Number(name), name: formatNumber(Number(name)), defaultValue: name });
  const [, at, called] = (key === "restore" && /^([^|]+)(?:\|(.*))?$/s.exec(name)) || [];
  if (at && !Number.isNaN(Date.parse(at)))
    return t(called ? "step.restoreNamed" : "step.restoreAt", { name: called, when: formatWhen(at, true) });
  const field = key.slice("edit.".length);
  const other =
    key.startsWith("edit.") && isAgentField(field)
      ? t("step.edit.fieldOf", { name, field: t(`field.${field}`) })
      : name || key;
  return t(`step.${key}`, { name, defaultValue: other });
}
