import { Cpu } from "lucide-react";
import { useEffect, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useModels } from "@/stores/models";
import { Combobox, Field, useAfterFrame } from "@/ui";

type Props = { label: string; value: string; onText: (v: string) => void; changed?: boolean; aside?: React.ReactNode; error?: string; warning?: string; placeholder?: string };

/** A model: chosen from what the hub knows, or typed. */
export function ModelField({ label, value, onText, changed, aside, error, warning, placeholder }: Props) {
  const { t } = useTranslation();
  const { models, state, load } = useModels();
  const tell = useAfterFrame(onText);
  useEffect(() => { if (state === "none") void load(); }, [state, load]);
  const options = useMemo(() => models.map((m) => ({ value: m.id, label: m.name, group: m.provider })).sort((a, b) => a.group.localeCompare(b.group)), [models]);
  return (
    <Field label={label} aside={aside} error={error} warning={warning}>
      {(ids) => (
        <Combobox {...ids} icon={Cpu} value={value} options={options} onText={tell} changed={changed} invalid={!!error} warn={!!warning} placeholder={placeholder ?? t("inspector.modelPlaceholder")}
          emptyText={state === "loading" ? t("common.loading") : t("inspector.noModels")} openLabel={t("inspector.showModels")} />
      )}
    </Field>
  );
}
