import { Search } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useUi } from "@/stores/ui";
import { IconButton, Kbd, keysOf, shortcut, useMedia } from "@/ui";

/** Opens the palette; in the head of a screen. */
export function FindBox() {
  const { t } = useTranslation();
  const narrow = useMedia("(max-width: 959px)");
  const open = () => useUi.getState().toggle("palette", true);
  if (narrow) return <IconButton icon={Search} label={t("canvas.find")} keys={keysOf("palette")} onClick={open} />;
  return (
    <button
      type="button"
      className="btn w-66 justify-start! font-normal! text-text-2"
      aria-haspopup="dialog"
      aria-keyshortcuts={shortcut(keysOf("palette"))}
      onClick={open}
    >
      <Search size={14} aria-hidden />
      <span className="cut grow text-left">{t("canvas.find")}</span>
      <Kbd keys={keysOf("palette")} />
    </button>
  );
}
