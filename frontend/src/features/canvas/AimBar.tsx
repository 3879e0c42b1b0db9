import { useTranslation } from "react-i18next";
import { Kbd } from "@/ui";
import { nameOf } from "./actions";
import { useConnecting } from "./connecting";

/** What the keys do while a connection is drawn with them. */
export function AimBar() {
  const { t } = useTranslation();
  const { from, aimed, byKeys } = useConnecting();
  if (!from || !byKeys) return null;
  return (
    <div className="float top-3 left-1/2 -translate-x-1/2 gap-2! px-3! py-1.5!" role="status">
      <b>{aimed ? `${nameOf(from)} → ${nameOf(aimed)}` : t("canvas.connectFrom", { name: nameOf(from) })}</b><span className="cap">{t("canvas.pickTarget")}</span><Kbd keys="Escape" />
    </div>
  );
}
