import { FilePlus2, Pencil, SearchX, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { errorMeaning } from "@/i18n/problem";
import { attempt } from "@/stores/faults";
import type { Template } from "@/topology";
import { Badge, Button, EmptyState, ErrorState, keysOf, Skeleton, Sketch } from "@/ui";
import { removeTemplate, renameTemplate, startTeam } from "../actions";
import { useTemplates } from "../useTemplates";
import { Card } from "./Card";
import { Grid } from "./Grid";
import { arrange, useView } from "./view";

/** Teams to start from: the product's, and one's own, which can be renamed and deleted. */
export function TemplateShelf() {
  const { t } = useTranslation();
  const { all, error, retry } = useTemplates();
  const search = useView((s) => s.search);
  const [renaming, setRenaming] = useState<string>();
  if (error)
    return (
      <div className="p-4">
        <ErrorState
          title={t("teams.templatesFailed")}
          actions={
            <Button size="sm" onClick={retry}>
              {t("common.retry")}
            </Button>
          }
        >
          {errorMeaning(t, error)}
        </ErrorState>
      </div>
    );
  if (!all) return <Skeleton lines={4} label={t("common.loading")} />;
  const rows = [
    ...arrange(
      all.filter((x) => x.own),
      search,
      "name",
    ),
    ...arrange(
      all.filter((x) => !x.own),
      search,
      "edited",
    ),
  ];
  if (!rows.length)
    return (
      <EmptyState
        icon={SearchX}
        title={t("teams.noMatch")}
        action={<Button onClick={() => useView.setState({ search: "" })}>{t("library.clear")}</Button>}
      />
    );
  const start = (x: Template) => void attempt("create", () => startTeam({ template: x.id }));
  const actsOf = (x: Template) =>
    x.own ? { rename: () => setRenaming(x.id), remove: () => void removeTemplate(x.id, x.name) } : {};
  return (
    <Grid
      rows={rows}
      label={t("library.shelf.templates")}
      actsOf={actsOf}
      card={(x, first) => {
        const { rename, remove } = actsOf(x);
        return (
          <Card
            key={x.id}
            id={x.id}
            name={x.name}
            first={first}
            picture={<Sketch svg={x.sketch} />}
            openLabel={t("library.start", { name: x.name })}
            onOpen={() => start(x)}
            lines={[
              <span key="w" className="line-clamp-2" title={x.description}>
                {x.description || "\u00a0"}
              </span>,
              <span key="n" className="num">
                {t("counts.agents", { count: x.agents })}
              </span>,
            ]}
            mark={x.own && <Badge>{t("library.own")}</Badge>}
            onRename={x.own ? (name) => void renameTemplate(x.id, name, x.description) : undefined}
            renaming={renaming === x.id}
            setRenaming={(on) => setRenaming(on ? x.id : undefined)}
            items={[
              { label: t("library.startShort"), icon: FilePlus2, keys: keysOf("openTeam"), onSelect: () => start(x) },
              ...(rename && remove
                ? [
                    {
                      label: t("teams.rename"),
                      icon: Pencil,
                      keys: keysOf("renameTeam"),
                      takesFocus: true,
                      onSelect: rename,
                    },
                    { kind: "separator" as const },
                    {
                      label: t("teams.delete"),
                      icon: Trash2,
                      keys: keysOf("deleteTeam"),
                      danger: true,
                      onSelect: remove,
                    },
                  ]
                : []),
            ]}
          />
        );
      }}
    />
  );
}
