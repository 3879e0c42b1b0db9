import { ListFilter, X } from "lucide-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { shortModel } from "@/topology";
import { Chip, composing, IconButton, Input, Select } from "@/ui";
import { anyFacet, noFacets, valuesOf, type Row } from "./rows";
import { useList } from "./store";

const all = "\u0000";

/** What the list is narrowed to: a text, and what a role, model or group is. */
export function Facets({ rows }: { rows: readonly Row[] }) {
  const { t } = useTranslation();
  const { facets, filter } = useList();
  return (
    <div
      className="agents-facets"
      role="search"
      aria-label={t("agents.filter")}
      onKeyDown={(e) => {
        if (e.key === "Escape" && !composing(e) && anyFacet(facets)) {
          e.stopPropagation();
          filter(noFacets);
        }
      }}
    >
      <Input
        size="sm"
        icon={ListFilter}
        className="agents-filter"
        aria-label={t("agents.filter")}
        placeholder={t("agents.filter")}
        value={facets.text}
        onText={(text) => filter({ text })}
        after={
          facets.text ? (
            <button
              type="button"
              className="grid place-items-center t2"
              aria-label={t("agents.clear")}
              onClick={() => filter({ text: "" })}
            >
              <X size={12} />
            </button>
          ) : undefined
        }
      />
      <Values rows={rows} of="role" />
      <Values rows={rows} of="model" />
      <Values rows={rows} of="group" />
      <Chip pressed={facets.problems} onClick={() => filter({ problems: !facets.problems })}>
        {t("agents.withProblems")}
      </Chip>
      <Chip pressed={facets.changed} onClick={() => filter({ changed: !facets.changed })}>
        {t("agents.changed")}
      </Chip>
      {anyFacet(facets) && (
        <IconButton icon={X} size="sm" label={t("agents.showAll")} onClick={() => filter(noFacets)} />
      )}
    </div>
  );
}

function Values({ rows, of }: { rows: readonly Row[]; of: "role" | "model" | "group" }) {
  const { t } = useTranslation();
  const value = useList((s) => s.facets[of]),
    filter = useList((s) => s.filter);
  const options = useMemo(
    () => [
      { value: all, label: t(`agents.any.${of}`) },
      ...valuesOf(rows, of)
        .slice(0, 100)
        .map((v) => ({ value: v.value, label: of === "model" ? shortModel(v.value) : v.value, hint: String(v.n) })),
    ],
    [rows, of, t],
  );
  if (options.length < 2 && !value) return null;
  return (
    <Select
      size="sm"
      className="agents-facet"
      label={t(`agents.any.${of}`)}
      value={value || all}
      options={options}
      changed={!!value}
      onValue={(v) => filter({ [of]: v === all ? "" : v })}
    />
  );
}
