import { useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { asApiError, type ApiError } from "@/stores/faults";
import { securityActions } from "@/stores/security";
import type { Security } from "@/topology";
import { Button, ErrorState, Field, Textarea, toast } from "@/ui";
import { Card } from "../Card";
import { SureDialog } from "./SureDialog";
import { meaning, networksOf } from "./words";

const shown = (list: string[]) => list.join("\n");
const field = (e: ApiError | undefined) => (e?.details?.reason === "no_network" ? e.details.field : undefined);

/** The addresses that may connect. A list that leaves out who writes it is refused. */
export function NetworksCard({ stand: s }: { stand: Security }) {
  const { t } = useTranslation();
  const [allow, setAllow] = useState(shown(s.allow)),
    [proxies, setProxies] = useState(shown(s.proxies));
  const [busy, setBusy] = useState(false),
    [asking, setAsking] = useState(false),
    [error, setError] = useState<ApiError>();
  const put = (sure: boolean) =>
    securityActions.putNetworks({ allow: networksOf(allow), proxies: networksOf(proxies), sure });
  const said = () => toast({ tone: "done", text: t("security.networks.saved"), closeLabel: t("common.close") });
  const save = (e: FormEvent) => {
    e.preventDefault();
    setBusy(true);
    setError(undefined);
    put(false)
      .then(said, (err: unknown) => {
        const what = asApiError(err);
        if (what.details?.reason === "locks_out_here") setAsking(true);
        else setError(what);
      })
      .finally(() => setBusy(false));
  };
  const same = allow === shown(s.allow) && proxies === shown(s.proxies);
  const area = (what: "allow" | "proxies", value: string, set: (v: string) => void) => (
    <div className="min-w-[min(15rem,100%)] flex-1">
      <Field
        label={t(`security.networks.${what}`)}
        hint={t(`security.networks.${what}Hint`)}
        error={error && field(error) === what ? meaning(t, error) : undefined}
      >
        {(ids) => (
          <Textarea
            {...ids}
            mono
            rows={4}
            value={value}
            onText={(v) => {
              set(v);
              setError(undefined);
            }}
            disabled={s.allowFixed}
            placeholder={what === "allow" ? "192.168.0.0/24" : "10.0.0.2"}
            spellCheck={false}
          />
        )}
      </Field>
    </div>
  );
  return (
    <Card title={t("security.networks.title")}>
      <form onSubmit={save} className="col gap-3 p-3 text-text" noValidate>
        <p className="t2">{t(s.allowFixed ? "security.networks.fixed" : "security.networks.what", { you: s.you })}</p>
        <div className="flex flex-wrap gap-x-4 gap-y-3">
          {area("allow", allow, setAllow)}
          {area("proxies", proxies, setProxies)}
        </div>
        {error && !field(error) && <ErrorState title={t("security.networks.failed")}>{meaning(t, error)}</ErrorState>}
        {!s.allowFixed && (
          <div className="row">
            <Button type="submit" busy={busy} disabled={same}>
              {t("security.save")}
            </Button>
            {!same && (
              <Button
                tone="quiet"
                disabled={busy}
                onClick={() => {
                  setAllow(shown(s.allow));
                  setProxies(shown(s.proxies));
                  setError(undefined);
                }}
              >
                {t("security.discard")}
              </Button>
            )}
          </div>
        )}
      </form>
      {asking && (
        <SureDialog
          title={t("security.networks.hereTitle")}
          action={t("security.networks.hereIt")}
          failed={t("security.networks.failed")}
          work={() => put(true)}
          onDone={() => {
            setAsking(false);
            said();
          }}
          onClose={() => setAsking(false)}
        >
          {t("security.networks.hereWhy")}
        </SureDialog>
      )}
    </Card>
  );
}
