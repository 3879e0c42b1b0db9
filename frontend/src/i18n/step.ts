import type { TFunction } from "i18next";

/** A step's label from the hub, "edit.move|Lead", in the person's language. */
export function stepText(t: TFunction, label: string): string {
  const bar = label.indexOf("|");
  const key = bar < 0 ? label : label.slice(0, bar), name = bar < 0 ? "" : label.slice(bar + 1);
  return t(`step.${key}`, { name, defaultValue: name || key });
}
