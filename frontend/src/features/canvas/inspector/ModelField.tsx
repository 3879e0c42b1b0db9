import { Cpu } from "lucide-react";
import { useEffect, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useModels, useOwnModels } from "@/stores/models";
import { Combobox, Field, useAfterFrame } from "@/ui";
import { useLimit } from "./useLimit";

type Props = {
  label: string;
  value: string;
  onText: (v: string) => void;
  changed?: boolean;
  aside?: React.ReactNode;
  error?: string;
  warning?: string;
  placeholder?: string;
};

/** A model: chosen from what the team's gateway offers, or typed. */
export function ModelField({ label, value, onText, changed, aside, error, warning, placeholder }: Props) {
  const { t } = useTranslation();
  const { state, load } = useModels(),
    models = useOwnModels();
  const limit = useLimit();
  const tell = useAfterFrame((v: string) => {
    if (limit.fits(v)) onText(v);
  });
  useEffect(() => {
    if (state === "none") void load();
  }, [state, load]);
  const options = useMemo(() => models.map((m) => ({ value: m.id, label: m.name, group: m.provider })), [models]);
  return (
    <Field label={label} aside={aside} error={limit.error ?? error} warning={warning}>
      {(ids) => (
        <Combobox
          {...ids}
          icon={Cpu}
          value={value}
          options={options}
          onText={tell}
          changed={changed}
          invalid={!!(limit.error ?? error)}
          warn={!!warning}
          placeholder={placeholder ?? t("inspector.modelPlaceholder")}
          onOpen={() => void load()}
          emptyText={state === "loading" && !models.length ? t("common.loading") : t("inspector.noModels")}
          moreText={(n, all) => t("common.someOf", { n, all })}
          openLabel={t("inspector.showModels")}
        />
      )}
    </Field>
  );
}
