import { useTranslation } from "react-i18next";
import { visibilities, visibilityWord } from "@/flow/messageWords";
import { useTeam } from "@/stores/team";
import { Field, Select } from "@/ui";
import { LinesField } from "../LinesField";

const byGateway = "default";

function set(key: "enabled" | "allow" | "visibility", value: unknown, typing = false): void {
  useTeam.getState().edit(
    "edit.messages",
    (d) => {
      const { [key]: _, ...rest } = d.messages ?? {};
      const messages = value === undefined ? rest : { ...rest, [key]: value };
      return { ...d, messages: Object.keys(messages).length ? messages : undefined };
    },
    typing ? { typing: true, coalesce: `messages:${key}` } : {},
  );
}

const isTexts = (v: unknown): v is string[] => Array.isArray(v) && v.every((x) => typeof x === "string");

/** Which agents of the gateway can message each other: the switch, the list and which sessions they see. */
export function MessagesSection({ viewOnly }: { viewOnly?: boolean }) {
  const { t } = useTranslation();
  const messages = useTeam((s) => s.topology.messages),
    base = useTeam((s) => s.base?.topology.messages),
    known = useTeam((s) => !!s.base);
  const { enabled, allow, visibility } = messages ?? {};
  const changed = (key: "enabled" | "allow" | "visibility") =>
    known && JSON.stringify(messages?.[key]) !== JSON.stringify(base?.[key]);
  const odd = (v: unknown) => (v === undefined ? undefined : t("everyone.messages.kept"));
  const oddSwitch = typeof enabled === "boolean" ? undefined : odd(enabled),
    oddList = isTexts(allow) ? undefined : odd(allow),
    oddSight = typeof visibility === "string" ? undefined : odd(visibility);
  const sights = [...visibilities, ...(typeof visibility === "string" ? [visibility] : [])];
  return (
    <fieldset disabled={viewOnly}>
      <section className="section col gap-2" aria-labelledby="messages-title">
        <h3 id="messages-title">{t("everyone.messages.title")}</h3>
        <p className="cap">{t("everyone.messages.what")}</p>
        <Field label={t("everyone.messages.enabled")} warning={oddSwitch}>
          {(ids) => (
            <Select
              id={ids.id}
              changed={changed("enabled")}
              value={typeof enabled === "boolean" ? String(enabled) : byGateway}
              options={[
                { value: byGateway, label: t("everyone.messages.byGateway") },
                { value: "true", label: t("everyone.messages.on") },
                { value: "false", label: t("everyone.messages.off") },
              ]}
              onValue={(v) => set("enabled", v === byGateway ? undefined : v === "true")}
            />
          )}
        </Field>
        {oddList ? (
          <Field label={t("everyone.messages.allow")} warning={oddList}>
            {() => <code className="mono cut">{JSON.stringify(allow)}</code>}
          </Field>
        ) : (
          <LinesField
            label={t("everyone.messages.allow")}
            hint={t("everyone.messages.allowHint")}
            changed={changed("allow")}
            value={isTexts(allow) ? allow : []}
            onLines={(lines) => set("allow", lines.length ? lines : undefined, true)}
          />
        )}
        <Field
          label={t("everyone.messages.visibility")}
          hint={t("everyone.messages.visibilityHint")}
          warning={oddSight}
        >
          {(ids) => (
            <Select
              id={ids.id}
              changed={changed("visibility")}
              value={typeof visibility === "string" ? visibility : byGateway}
              options={[
                { value: byGateway, label: t("everyone.messages.byGateway") },
                ...[...new Set(sights)].map((value) => ({ value, label: visibilityWord(t, value) })),
              ]}
              onValue={(v) => set("visibility", v === byGateway ? undefined : v)}
            />
          )}
        </Field>
      </section>
    </fieldset>
  );
}
