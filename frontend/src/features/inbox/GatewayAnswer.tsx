import { Unplug } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useAnswering, useInbox, useSettled } from "@/stores/inbox";
import type { Question } from "@/topology";
import { Banner, Button, Checkbox, Input, keysOf, Marked, marked, markedLine, RadioGroup } from "@/ui";
import { answer } from "./answer";
import { takes } from "./words";

type At = NonNullable<Question["gateway"]>;
type Field = NonNullable<At["fields"]>[number];

/** How what a gateway asks is answered. The gateway takes the first answer, wherever it comes from. */
export function GatewayAnswer({ question: q, at }: { question: Question; at: At }) {
  const { t } = useTranslation();
  const name = marked(at.name);
  return (
    <>
      {at.stale && (
        <Banner tone="waiting" icon={Unplug}>
          {t("inbox.gateway.stale", { name })}
        </Banner>
      )}
      {at.unclear && <p className="text-waiting">{t("inbox.gateway.unclear")}</p>}
      {at.kind === "question" ? <Fields question={q} at={at} /> : <Decide question={q} at={at} />}
    </>
  );
}

function Decide({ question: q, at }: { question: Question; at: At }) {
  const { t } = useTranslation();
  const settled = useSettled(q.id),
    busy = useAnswering(q.id) || !settled,
    read = useInbox((s) => s.read === q.id);
  const [always, setAlways] = useState(false);
  const name = marked(at.name);
  return (
    <>
      <div className="inbox-answers">
        {at.choices.includes("once") && (
          <Button
            tone="main"
            keys={keysOf("allowOnce")}
            disabled={busy || !read || !takes(q, "once")}
            onClick={() => void answer(q, "once")}
          >
            {t("inbox.once")}
          </Button>
        )}
        {at.choices.includes("always") && (
          <Button aria-expanded={always} onClick={() => setAlways(!always)}>
            {t("inbox.always")}
          </Button>
        )}
        <Button
          tone="quiet"
          keys={keysOf("denyIt")}
          disabled={busy || !takes(q, "deny")}
          onClick={() => void answer(q, "deny")}
        >
          {t("inbox.deny")}
        </Button>
      </div>
      {!read && at.choices.includes("once") && (
        <p className="cap" role="status">
          {t("inbox.readFirst")}
        </p>
      )}
      {always && (
        <div className="inbox-standing" role="group" aria-label={t("inbox.standing.title")}>
          <p>{t("inbox.gateway.keeps", { name })}</p>
          <div className="row">
            <Button disabled={busy || !read || !takes(q, "always")} onClick={() => void answer(q, "always")}>
              {t("inbox.standing.allow")}
            </Button>
          </div>
        </div>
      )}
    </>
  );
}

type Given = { chosen: string[]; words: string };
const none: Given = { chosen: [], words: "" };

const answersOf = (f: Field, g: Given): string[] => {
  const words = g.words.trim();
  if (!words) return g.chosen;
  return f.multi ? [...g.chosen, words] : [words];
};

function Fields({ question: q, at }: { question: Question; at: At }) {
  const { t } = useTranslation();
  const busy = useAnswering(q.id);
  const [given, setGiven] = useState<Record<string, Given>>({});
  const fields = at.fields ?? [],
    secret = fields.some((f) => f.secret);
  const answers = Object.fromEntries(fields.map((f) => [f.id, answersOf(f, given[f.id] ?? none)]));
  const whole = fields.length > 0 && Object.values(answers).every((a) => a.length);
  const send = () => void answer(q, "once", undefined, undefined, answers);
  return (
    <form
      className="inbox-fields"
      onSubmit={(e) => {
        e.preventDefault();
        if (whole && !busy && takes(q, "once")) send();
      }}
    >
      {!secret &&
        fields.map((f) => (
          <FieldRow
            key={f.id}
            field={f}
            titled={fields.length > 1}
            given={given[f.id] ?? none}
            onGiven={(g) => setGiven((all) => ({ ...all, [f.id]: g }))}
          />
        ))}
      {secret && <p className="text-waiting">{t("inbox.gateway.secret", { name: marked(at.name) })}</p>}
      <div className="inbox-answers">
        {at.choices.includes("once") && (
          <Button tone="main" type="submit" disabled={!whole || busy || !takes(q, "once")}>
            {t("inbox.send")}
          </Button>
        )}
        <Button tone="quiet" disabled={busy || !takes(q, "deny")} onClick={() => void answer(q, "deny")}>
          {t("inbox.gateway.skip")}
        </Button>
      </div>
    </form>
  );
}

/** One question: its options, and a line for other words. */
function FieldRow({
  field: f,
  titled,
  given,
  onGiven,
}: {
  field: Field;
  titled: boolean;
  given: Given;
  onGiven: (g: Given) => void;
}) {
  const { t } = useTranslation();
  const label = markedLine(f.text),
    options = f.options ?? [];
  return (
    <div className="inbox-field" role="group" aria-label={label}>
      {titled && (
        <b>
          <Marked text={f.text} />
        </b>
      )}
      {f.url && <span className="cap mono">{markedLine(f.url)}</span>}
      {options.length > 0 && !f.multi && (
        <RadioGroup
          label={label}
          value={given.words.trim() ? "" : (given.chosen[0] ?? "")}
          options={options.map((o) => ({
            value: o.label,
            label: markedLine(o.label),
            hint: o.about && markedLine(o.about),
          }))}
          onValue={(v) => onGiven({ chosen: [v], words: "" })}
        />
      )}
      {f.multi &&
        options.map((o) => (
          <Checkbox
            key={o.label}
            label={markedLine(o.label)}
            hint={o.about && markedLine(o.about)}
            checked={given.chosen.includes(o.label)}
            onChecked={(on) => {
              const others = given.chosen.filter((x) => x !== o.label);
              onGiven({ ...given, chosen: on ? [...others, o.label] : others });
            }}
          />
        ))}
      {(!options.length || f.other) && (
        <Input
          aria-label={options.length ? t("inbox.gateway.other") : label}
          placeholder={options.length ? t("inbox.gateway.other") : t("inbox.answerExample")}
          value={given.words}
          maxLength={4000}
          onText={(words) => onGiven({ ...given, words })}
        />
      )}
    </div>
  );
}
