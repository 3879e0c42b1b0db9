import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useTeam } from "@/stores/team";
import { composing, Input } from "@/ui";
import { rename } from "./actions";
import { setRenaming } from "./dialogs";

/** The team's name being typed, where it stands. Enter and leaving the field take it, Escape does not. */
export function RenameField() {
  const { t } = useTranslation();
  const name = useTeam((s) => s.name);
  const [text, setText] = useState(name);
  const ended = useRef(false);
  const end = (take: boolean, last = text) => {
    if (ended.current) return;
    ended.current = true;
    setRenaming(false);
    const next = last.trim();
    if (take && next && next !== name) void rename(next);
  };
  return (
    <Input
      className="max-w-72"
      value={text}
      onText={setText}
      aria-label={t("teams.name")}
      maxLength={200}
      autoFocus
      onFocus={(e) => e.target.select()}
      onBlur={(e) => end(true, e.target.value)}
      onKeyDown={(e) => {
        e.stopPropagation();
        if (composing(e)) return;
        if (e.key === "Enter") end(true, e.currentTarget.value);
        else if (e.key === "Escape") end(false);
      }}
    />
  );
}
