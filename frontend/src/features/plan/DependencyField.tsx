import { X } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { PlanItem, PlanModel } from "@/stores/planTree";
import { waitersOf } from "@/stores/planNeeds";
import { choosePlanTask } from "@/stores/plans";
import { Combobox, Field, IconButton, statusIcon } from "@/ui";
import { toneOf } from "./words";

/** What a task waits for: each leads there; others are added by their title. */
export function DependencyField({
  model,
  item,
  still,
  onDependencies,
}: {
  model: PlanModel;
  item: PlanItem;
  still: boolean;
  onDependencies: (ids: string[]) => void;
}) {
  const { t } = useTranslation();
  const [text, setText] = useState("");
  const has = item.task.dependencies;
  const options = useMemo(() => {
    const waits = waitersOf(model, item.id),
      taken = new Set(has),
      names = new Map<string, number>();
    const free = [...model.items.values()].filter(
      (i) => i.id !== item.id && !taken.has(i.id) && !waits.has(i.id) && !i.change?.removed,
    );
    for (const i of free) names.set(i.task.title, (names.get(i.task.title) ?? 0) + 1);
    return free.map((i) => ({
      id: i.id,
      value: (names.get(i.task.title) ?? 0) > 1 ? `${i.task.title} (${i.id.slice(-4)})` : i.task.title,
    }));
  }, [model, item.id, has]);
  const type = (value: string) => {
    const found = options.find((o) => o.value === value);
    setText(found ? "" : value);
    if (found) onDependencies([...has, found.id]);
  };
  return (
    <Field label={t("plan.field.needs")}>
      {(ids) => (
        <div className="col gap-1">
          {has.length > 0 && (
            <ul className="plan-needs">
              {has.map((id) => {
                const other = model.items.get(id),
                  Icon = statusIcon[toneOf[other?.standing ?? "todo"]];
                return (
                  <li key={id} className="row gap-1.5">
                    <Icon
                      size={14}
                      className={`s-${toneOf[other?.standing ?? "todo"]} sc flex-none`}
                      aria-label={t(`plan.standing.${other?.standing ?? "todo"}`)}
                    />
                    <button type="button" className="link cut grow text-left" onClick={() => choosePlanTask(id)}>
                      {other?.task.title ?? id}
                    </button>
                    {!still && (
                      <IconButton
                        icon={X}
                        size="sm"
                        label={t("plan.noNeed", { title: other?.task.title ?? id })}
                        onClick={() => onDependencies(has.filter((d) => d !== id))}
                      />
                    )}
                  </li>
                );
              })}
            </ul>
          )}
          {!still && (
            <Combobox
              {...ids}
              plain
              picks
              value={text}
              options={options.map(({ value }) => ({ value }))}
              onText={type}
              placeholder={t("plan.addNeed")}
              emptyText={t("plan.nothing")}
              moreText={(n, all) => t("common.someOf", { n, all })}
              openLabel={t("plan.addNeed")}
            />
          )}
          {still && !has.length && <span className="t2">{t("common.none")}</span>}
        </div>
      )}
    </Field>
  );
}
