import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { asApiError, type ApiError } from "@/stores/faults";
import { Button, Dialog, ErrorState } from "@/ui";
import { meaning } from "./words";

type Props<T> = {
  title: string;
  children: ReactNode;
  action: string;
  /** The heading of a failure. */ failed: string;
  work: () => Promise<T>;
  onDone: (out: T) => void;
  onClose: () => void;
};

/** Asks before something that ends what others are at. */
export function SureDialog<T>({ title, children, action, failed, work, onDone, onClose }: Props<T>) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false),
    [error, setError] = useState<ApiError>();
  const run = () => {
    setBusy(true);
    work().then(onDone, (e: unknown) => {
      setError(asApiError(e));
      setBusy(false);
    });
  };
  return (
    <Dialog
      open
      onOpen={(open) => {
        if (!open && !busy) onClose();
      }}
      title={title}
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            {t("common.cancel")}
          </Button>
          <Button tone="danger" busy={busy} onClick={run}>
            {action}
          </Button>
        </>
      }
    >
      <div className="col gap-2">
        <p>{children}</p>
        {error && <ErrorState title={failed}>{meaning(t, error)}</ErrorState>}
      </div>
    </Dialog>
  );
}
