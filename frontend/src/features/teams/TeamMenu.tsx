import { ChevronDown, Waypoints } from "lucide-react";
import { Suspense, useCallback, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { allWords } from "@/i18n";
import { useTeam } from "@/stores/team";
import { plainName } from "@/topology";
import { fetched } from "@/stores/fetched";
import { Button, KeysAhead, typedOn } from "@/ui";
import { useDialogs } from "./dialogs";
import { RenameField } from "./RenameField";

const TeamMenuPopover = fetched(() =>
  Promise.all([import("./TeamMenuPopover"), allWords()]).then(([m]) => m.TeamMenuPopover),
);

/** The team's name in the head of the canvas: all teams, and what can be done with this one. */
export function TeamMenu() {
  const { t } = useTranslation();
  const name = useTeam((s) => plainName(s.name)),
    status = useTeam((s) => s.status);
  const renaming = useDialogs((s) => s.renaming);
  const [open, setOpen] = useState(false),
    [typed, setTyped] = useState("");
  const button = useRef<HTMLButtonElement>(null),
    close = useCallback(() => setOpen(false), []);
  if (renaming && status === "ready") return <RenameField />;
  return (
    <>
      <h1 className="min-w-0">
        <Button
          ref={button}
          tone="quiet"
          className="max-w-72 min-w-0 shrink! phone:max-w-56"
          aria-label={t("teams.menu", { name: name || t("canvas.noTeam") })}
          title={name}
          aria-haspopup="dialog"
          aria-expanded={open}
          onClick={() => {
            setTyped("");
            setOpen(!open);
          }}
        >
          <Waypoints size={16} aria-hidden />
          <b className="cut text-text">{name || t("canvas.team")}</b>
          <ChevronDown size={12} aria-hidden />
        </Button>
      </h1>
      {open && (
        <Suspense
          fallback={
            <KeysAhead
              onKey={(e) => {
                if (e.key === "Escape") close();
                else setTyped((had) => typedOn(had, e));
              }}
            />
          }
        >
          <TeamMenuPopover under={button} typed={typed} close={close} />
        </Suspense>
      )}
    </>
  );
}
