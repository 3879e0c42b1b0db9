import { Search } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { errorMeaning } from "@/i18n/problem";
import { providerActions, useProviders } from "@/stores/providers";
import type { Provider } from "@/topology";
import { Button, ErrorState, Input, Skeleton } from "@/ui";
import { useSection } from "../section";
import { ProviderCard } from "./ProviderCard";
import { ProviderDialog } from "./ProviderDialog";
import { RemoveProvider } from "./RemoveProvider";

/** Where models are asked, and which there are. */
export function ModelsSection() {
  const { t } = useTranslation();
  const { providers, state, error, offers } = useProviders();
  const editing = useSection((s) => s.editing);
  const [removing, setRemoving] = useState<Provider>();
  const [query, setQuery] = useState("");
  useEffect(() => {
    void providerActions.load();
  }, []);
  if (state === "failed" && !providers.length)
    return (
      <ErrorState
        title={t("models.failed")}
        actions={
          <Button size="sm" onClick={() => void providerActions.load()}>
            {t("common.retry")}
          </Button>
        }
      >
        {error && errorMeaning(t, error)}
      </ErrorState>
    );
  if (!providers.length) return <Skeleton lines={5} label={t("common.loading")} />;
  const close = () => useSection.setState({ editing: undefined });
  const many = Object.values(offers).reduce((n, o) => n + o.models.length, 0) > 12;
  const edited = providers.find((p) => p.name === editing);
  return (
    <>
      <div className="row flex-wrap gap-y-2">
        <p className="t2 grow">{t("models.what")}</p>
        {many && (
          <div className="w-52 max-w-full">
            <Input
              icon={Search}
              value={query}
              onText={setQuery}
              aria-label={t("models.search")}
              placeholder={t("models.search")}
            />
          </div>
        )}
      </div>
      {providers.map((p) => (
        <ProviderCard
          key={p.name}
          provider={p}
          query={query}
          onEdit={() => useSection.setState({ editing: p.name })}
          onRemove={() => setRemoving(p)}
        />
      ))}
      {(editing === "" || edited) && <ProviderDialog key={editing} provider={edited} all={providers} onClose={close} />}
      {removing && <RemoveProvider provider={removing} onClose={() => setRemoving(undefined)} />}
    </>
  );
}
