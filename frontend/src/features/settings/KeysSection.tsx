import { useTranslation } from "react-i18next";
import { useUi } from "@/stores/ui";
import { Button, Kbd, keysOf } from "@/ui";
import { KeyList } from "./KeyList";

export function KeysSection() {
  const { t } = useTranslation();
  return (
    <>
      <div className="row flex-wrap">
        <p className="t2 min-w-[min(12rem,100%)] flex-1">{t("settings.keys.what")}</p>
        <Button onClick={() => useUi.getState().toggle("cheatSheet", true)}>
          {t("settings.keys.find")}
          <Kbd keys={keysOf("cheatSheet")} />
        </Button>
      </div>
      <KeyList />
    </>
  );
}
