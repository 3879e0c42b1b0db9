import { ArrowLeft, FilePlus2, Search } from "lucide-react";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { useTeams } from "@/stores/teams";
import { useUi } from "@/stores/ui";
import { Button, composing, IconButton, Input, ScreenHead, Segmented, Select, useMedia, useShortcuts } from "@/ui";
import { openDialog } from "../dialogs";
import { DeletedShelf } from "./DeletedShelf";
import { TeamShelf } from "./TeamShelf";
import { TemplateShelf } from "./TemplateShelf";
import { arrange, shelves, sorts, useView } from "./view";

/** Every team with its picture, the templates, and what was deleted. */
export function LibraryScreen() {
  const { t } = useTranslation();
  const phone = useMedia("(max-width: 767px)");
  const { shelf, sort, search } = useView();
  const all = useTeams(),
    n = shelf === "teams" ? arrange(all, search, sort).length : all.length;
  const field = useRef<HTMLInputElement>(null);
  useShortcuts("library", { findTeam: () => field.current?.focus() });
  const finder = (
    <Input
      ref={field}
      icon={Search}
      value={search}
      onText={(text) => useView.setState({ search: text })}
      placeholder={t("library.search")}
      aria-label={t("library.search")}
      className={phone ? "min-w-0 grow" : "w-64"}
      onKeyDown={(e) => {
        if (e.key === "Escape" && !composing(e)) {
          useView.setState({ search: "" });
          e.currentTarget.blur();
        }
      }}
    />
  );
  const order = shelf === "teams" && (
    <Select
      label={t("library.sort")}
      value={sort}
      onValue={(s) => useView.setState({ sort: s })}
      options={sorts.map((value) => ({ value, label: t(`library.by.${value}`) }))}
      className={phone ? "w-32 flex-none" : "w-40"}
    />
  );
  const tabs = (
    <Segmented
      label={t("library.shelves")}
      value={shelf}
      onValue={(s) => useView.setState({ shelf: s })}
      options={shelves.map((value) => ({ value, label: t(`library.shelf.${value}`) }))}
    />
  );
  return (
    <>
      <ScreenHead>
        <IconButton icon={ArrowLeft} label={t("library.back")} onClick={() => useUi.getState().go("canvas")} />
        <h1>{t("teams.title")}</h1>
        <span className="cap num">{n}</span>
        {!phone && <span className="ml-3">{tabs}</span>}
        <span className="grow" />
        {!phone && (
          <>
            {finder}
            {order}
          </>
        )}
        <Button tone="main" icon={FilePlus2} onClick={() => openDialog("new")}>
          {t("library.new")}
        </Button>
      </ScreenHead>
      {phone && (
        <div className="col gap-2 border-b border-line p-3">
          {tabs}
          <div className="row">
            {finder}
            {order}
          </div>
        </div>
      )}
      <div className="scroll">
        {shelf === "teams" ? <TeamShelf /> : shelf === "templates" ? <TemplateShelf /> : <DeletedShelf />}
      </div>
    </>
  );
}
