import { useTranslation } from "react-i18next";
import { Checkbox, Field, Input } from "@/ui";

type FieldProps = { value: string; onValue: (v: string) => void; wrong: boolean; focus: boolean };

/** The fingerprint of the one certificate that is trusted at a gateway's URL. */
export function FingerprintField({ value, onValue, wrong, focus }: FieldProps) {
  const { t } = useTranslation();
  return (
    <Field
      label={t("field.fingerprint")}
      hint={t("settings.gateways.fingerprintHint")}
      error={wrong && t("settings.gateways.fingerprintWrong")}
    >
      {(ids) => (
        <Input {...ids} value={value} onText={onValue} autoFocus={focus} mono placeholder="sha256:…" invalid={wrong} />
      )}
    </Field>
  );
}

type PresentedProps = { fingerprint: string; trusted: boolean; onTrust: (trust: boolean) => void };

/** The certificate that a gateway presented, to be compared and trusted. */
export function PresentedCertificate({ fingerprint, trusted, onTrust }: PresentedProps) {
  const { t } = useTranslation();
  return (
    <>
      <Fingerprint text={fingerprint} />
      <Checkbox label={t("settings.gateways.trustCertificate")} checked={trusted} onChecked={onTrust} />
    </>
  );
}

/** A fingerprint with its name. It is long, and is shown whole. */
export function Fingerprint({ text }: { text: string }) {
  const { t } = useTranslation();
  return (
    <p className="t2">
      {t("settings.gateways.presented")}{" "}
      <code className="wrap-anywhere" translate="no">
        {text}
      </code>
    </p>
  );
}
