import { Search, X } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useUi } from "@/stores/ui";
import { Dialog, IconButton, Input, Kbd, keysOf } from "@/ui";
import { KeyList } from "./KeyList";

/** Every key, over whatever is being done: opened with ?. */
export function CheatSheet() {
  const open = useUi((s) => s.cheatSheet),
    toggle = useUi((s) => s.toggle);
  const { t } = useTranslation();
  return (
    <Dialog
      open={open}
      onOpen={(on) => toggle("cheatSheet", on)}
      title={t("settings.keys.title")}
      hideTitle
      width={840}
    >
      <Inside onClose={() => toggle("cheatSheet", false)} />
    </Dialog>
  );
}

function Inside({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const [query, setQuery] = useState("");
  return (
    <div className="flex! min-h-0 flex-col overflow-hidden! p-0!">
      <div className="row flex-none border-b border-line px-4 py-3">
        <b className="text-16 font-[600] text-text" aria-hidden>
          {t("settings.keys.title")}
        </b>
        <Kbd keys={keysOf("cheatSheet")} />
        <span className="grow" />
        <Input
          className="w-56 min-w-0"
          icon={Search}
          autoFocus
          value={query}
          onText={setQuery}
          placeholder={t("settings.keys.find")}
          aria-label={t("settings.keys.find")}
        />
        <IconButton icon={X} label={t("common.close")} onClick={onClose} />
      </div>
      {/* Scrolled by keys, so it takes the focus. */}
      <div
        className="min-h-0 overflow-auto px-4 pt-4"
        style={{ height: "min(560px, 70vh)" }}
        tabIndex={0}
        role="region"
        aria-label={t("settings.keys.title")}
      >
        <KeyList query={query} heading="h3" />
      </div>
    </div>
  );
}
