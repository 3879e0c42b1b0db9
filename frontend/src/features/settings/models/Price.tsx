import { useState, type FormEvent, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { formatPrice } from "@/i18n/format";
import { errorMeaning } from "@/i18n/problem";
import { asApiError } from "@/stores/faults";
import { providerActions, useProviders } from "@/stores/providers";
import { Button, composing, Dialog, ErrorState, Field, Input } from "@/ui";
import { amountOf } from "./form";

const others = (model: string) => model.endsWith("/*");

/** What a model costs, as far as it is known; a click changes it. */
export function PriceButton({ model, onEdit }: { model: string; onEdit: () => void }) {
  const { t } = useTranslation();
  const own = useProviders((s) => s.prices[model]),
    rest = useProviders((s) => s.prices[`${model.split("/")[0] ?? ""}/*`]);
  const price = own ?? rest;
  const said = !price
    ? t("models.price.unknown")
    : price.input + price.output === 0
      ? t("models.price.free")
      : t("models.price.is", { input: formatPrice(price.input), output: formatPrice(price.output) });
  const name = others(model) ? t("models.price.others") : model;
  return (
    <button
      type="button"
      className={`cap max-w-full truncate rounded-[var(--r-1)] text-left underline decoration-dotted underline-offset-2 phone:min-h-8 ${price ? "num" : ""}`}
      aria-label={t("models.price.edit", { model: name, price: said })}
      onClick={onEdit}
    >
      {said}
    </button>
  );
}

/** Writes down what a model costs. */
export function PriceDialog({ model, onClose }: { model: string; onClose: () => void }) {
  const { t } = useTranslation();
  const known = useProviders((s) => s.prices[model]);
  const [input, setInput] = useState(known ? String(known.input) : ""),
    [output, setOutput] = useState(known ? String(known.output) : "");
  const [tried, setTried] = useState(false),
    [busy, setBusy] = useState(false),
    [error, setError] = useState<string>();
  const amounts = { input: amountOf(input), output: amountOf(output) };
  const run = (work: Promise<void>) => {
    setBusy(true);
    work.then(onClose, (e: unknown) => {
      setError(errorMeaning(t, asApiError(e)));
      setBusy(false);
    });
  };
  const save = (e: FormEvent) => {
    e.preventDefault();
    setTried(true);
    if (amounts.input !== undefined && amounts.output !== undefined)
      run(providerActions.setPrice({ model, input: amounts.input, output: amounts.output }));
  };
  const keepEnter = (e: KeyboardEvent) => {
    if (e.key === "Enter" && composing(e)) e.preventDefault();
  };
  const amount = (field: "input" | "output", value: string, set: (v: string) => void) => (
    <Field label={t(`models.price.${field}`)} error={tried && amounts[field] === undefined && t("models.price.wrong")}>
      {(ids) => (
        <Input
          {...ids}
          value={value}
          onText={set}
          inputMode="decimal"
          mono
          autoFocus={field === "input"}
          invalid={tried && amounts[field] === undefined}
          after={<span className="cap">USD</span>}
        />
      )}
    </Field>
  );
  return (
    <Dialog
      open
      onOpen={(open) => {
        if (!open && !busy) onClose();
      }}
      width={400}
      title={
        others(model)
          ? t("models.price.titleOthers", { provider: model.slice(0, -2) })
          : t("models.price.title", { model })
      }
      footer={
        <>
          {known && (
            <Button tone="quiet" disabled={busy} onClick={() => run(providerActions.forgetPrice(model))}>
              {t("models.price.forget")}
            </Button>
          )}
          <span className="grow" />
          <Button tone="quiet" disabled={busy} onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button tone="main" type="submit" form="price-form" busy={busy}>
            {t("models.save")}
          </Button>
        </>
      }
    >
      <form id="price-form" onSubmit={save} onKeyDown={keepEnter} autoComplete="off" noValidate className="text-text">
        <p className="t2 mb-3">{t("models.price.why")}</p>
        {amount("input", input, setInput)}
        {amount("output", output, setOutput)}
        {error && <ErrorState title={t("models.saveFailed")}>{error}</ErrorState>}
      </form>
    </Dialog>
  );
}
