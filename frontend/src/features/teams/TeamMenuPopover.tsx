import { Popover } from "radix-ui";
import { useRef, type RefObject } from "react";
import { useTranslation } from "react-i18next";
import { composing } from "@/ui";
import { useDialogs } from "./dialogs";
import { TeamMenuList } from "./TeamMenuList";

/** The team's menu under its button. */
export function TeamMenuPopover({
  under,
  typed,
  close,
}: {
  under: RefObject<HTMLButtonElement | null>;
  typed: string;
  close: () => void;
}) {
  const { t } = useTranslation();
  const elsewhere = useRef(false);
  return (
    <Popover.Root
      open
      onOpenChange={(open) => {
        if (!open) close();
      }}
    >
      <Popover.Anchor virtualRef={under} />
      <Popover.Portal>
        <Popover.Content
          className="menu w-80 max-w-[calc(100vw-16px)] p-0!"
          align="start"
          sideOffset={4}
          collisionPadding={8}
          aria-label={t("teams.title")}
          style={{ maxHeight: "min(560px, var(--radix-popper-available-height))" }}
          onEscapeKeyDown={(e) => {
            if (composing(e)) e.preventDefault();
          }}
          onInteractOutside={(e) => {
            elsewhere.current = true;
            if (under.current?.contains(e.target as Node)) e.preventDefault();
          }}
          onCloseAutoFocus={(e) => {
            e.preventDefault();
            if (!elsewhere.current && !useDialogs.getState().renaming) under.current?.focus();
          }}
        >
          <TeamMenuList typed={typed} close={close} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
