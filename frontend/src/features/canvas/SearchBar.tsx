import { ChevronDown, ChevronUp, Search, X } from "lucide-react";
import { memo, useEffect, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useTeam } from "@/stores/team";
import { useUi } from "@/stores/ui";
import { composing, IconButton, Input, keysOf, useShortcuts } from "@/ui";
import { nameOf } from "./actions";
import { closeSearch, nextMatch, openSearch, search, useSearch } from "./search";

/** What does not match stands back, Enter goes from match to match, Escape ends it. */
export const SearchBar = memo(function SearchBar() {
  const open = useSearch((s) => s.open);
  useShortcuts("search", {
    findAgent: () => {
      openSearch();
      document.querySelector<HTMLInputElement>(".searchbar input")?.select();
    },
  });
  useEffect(() => closeSearch, []);
  return open ? <Bar /> : null;
});

function Bar() {
  const { t } = useTranslation();
  const { query, at } = useSearch(),
    topology = useTeam((s) => s.topology);
  const box = useRef<HTMLInputElement>(null);
  const found = useMemo(() => search(topology, query), [topology, query]);
  const list = found?.agents ?? [];
  const go = (step: 1 | -1) => {
    const next = nextMatch(list, at, step);
    if (next === undefined) return;
    useSearch.setState({ at: next });
    useUi.getState().choose({ agents: [next] });
    useUi.getState().revealAgents([next]);
  };
  useEffect(() => {
    box.current?.focus();
  }, []);
  const n = at === undefined ? 0 : list.indexOf(at) + 1;
  return (
    <div
      className="float searchbar"
      role="search"
      aria-label={t("search.label")}
      onKeyDown={(e) => {
        if (composing(e)) return;
        if (e.key === "Escape") closeSearch();
        else if (e.key === "Enter" || e.key === "F3") go(e.shiftKey ? -1 : 1);
        else return;
        e.preventDefault();
        e.stopPropagation();
      }}
    >
      <Input
        ref={box}
        size="sm"
        icon={Search}
        aria-label={t("search.label")}
        placeholder={t("search.placeholder")}
        value={query}
        onText={(text) => useSearch.setState({ query: text, at: undefined })}
      />
      <span className="cap num whitespace-nowrap" role="status">
        {found ? (n ? t("search.at", { n, of: list.length }) : t("search.found", { count: list.length })) : ""}
        <span className="sr-only">{at && n ? ` ${nameOf(at)}` : ""}</span>
      </span>
      <IconButton
        icon={ChevronUp}
        size="sm"
        label={t("search.before")}
        keys={keysOf("nextMatch", 1)}
        disabled={!list.length}
        onClick={() => go(-1)}
      />
      <IconButton
        icon={ChevronDown}
        size="sm"
        label={t("search.next")}
        keys={keysOf("nextMatch")}
        disabled={!list.length}
        onClick={() => go(1)}
      />
      <IconButton icon={X} size="sm" label={t("search.close")} keys={keysOf("closeIt")} onClick={closeSearch} />
    </div>
  );
}
