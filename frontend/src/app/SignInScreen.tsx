import { KeyRound } from "lucide-react";
import { useEffect, useRef, useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { errorMeaning } from "@/i18n/problem";
import { CopyCommand } from "@/features/settings/CopyCommand";
import { asApiError, type ApiError } from "@/stores/faults";
import { loginCommand, signIn, useLogin } from "@/stores/login";
import { Button, ErrorState, Field, Input } from "@/ui";

/** Shown in place of everything else in a browser that is not signed in. */
export function SignInScreen() {
  const { t } = useTranslation(),
    ended = useLogin((s) => s.ended);
  const [token, setToken] = useState(""),
    [busy, setBusy] = useState(false),
    [error, setError] = useState<ApiError>();
  const latest = useRef(0);
  /** The answer about an earlier token is ignored once another one is typed. */
  const type = (v: string) => {
    if (v === token) return;
    latest.current++;
    setToken(v);
    setBusy(false);
    setError(undefined);
  };
  useEffect(() => {
    document.title = `AgentFlow · ${t("signIn.title")}`;
  }, [t]);
  const submit = (e: FormEvent) => {
    e.preventDefault();
    if (!token.trim()) return;
    setBusy(true);
    setError(undefined);
    const mine = ++latest.current;
    signIn(token.trim()).catch((err: unknown) => {
      if (mine !== latest.current) return;
      setError(asApiError(err));
      setBusy(false);
    });
  };
  const why =
    error &&
    (error.reason === "wrong_token"
      ? t("signIn.wrong")
      : error.reason === "not_the_owner"
        ? t("signIn.notOwner")
        : error.status === 429
          ? t("signIn.wait")
          : error.status === 0
            ? t("hub.startFailedWhy")
            : errorMeaning(t, error));
  return (
    <main className="grid h-full place-items-center overflow-auto p-4">
      <section className="col w-full max-w-112 gap-4 rounded-[var(--r-3)] border border-line bg-surface p-6">
        <h1 className="row gap-2 text-16 font-semibold">
          <KeyRound size={18} className="ico" aria-hidden />
          {t("signIn.title")}
        </h1>
        {ended && <p role="status">{t("signIn.ended")}</p>}
        <div className="col gap-2">
          <h2 className="font-semibold">{t("signIn.byLink")}</h2>
          <p className="t2">{t("signIn.byLinkHow")}</p>
          <CopyCommand text={loginCommand(location)} />
          <p className="t2">{t("signIn.folder")}</p>
        </div>
        <form onSubmit={submit} className="col gap-3 border-t border-line pt-4" noValidate>
          <Field label={t("signIn.token")} hint={t("signIn.tokenHint")}>
            {(ids) => (
              <Input
                {...ids}
                type="password"
                autoComplete="current-password"
                mono
                value={token}
                onText={type}
                invalid={!!error}
              />
            )}
          </Field>
          {error && <ErrorState title={t("signIn.failed")}>{why}</ErrorState>}
          <div className="row">
            <Button tone="main" type="submit" busy={busy} disabled={!token.trim()}>
              {t("signIn.submit")}
            </Button>
          </div>
        </form>
      </section>
    </main>
  );
}
