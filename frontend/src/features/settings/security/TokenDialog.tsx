import { useTranslation } from "react-i18next";
import { Button, Dialog } from "@/ui";
import { CopyCommand } from "../CopyCommand";

/** Tells a token, once: it is nowhere when this is closed, so that only its button closes it. */
export function TokenDialog({ name, token, onClose }: { name: string; token: string; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog
      open
      onOpen={() => undefined}
      width={520}
      title={t("security.token.title", { name })}
      footer={
        <Button tone="main" onClick={onClose}>
          {t("security.token.close")}
        </Button>
      }
    >
      <div className="col gap-3">
        <p>{t("security.token.once")}</p>
        <CopyCommand text={token} />
        <p className="cap">{t("security.token.how")}</p>
      </div>
    </Dialog>
  );
}
