import { CircleAlert, Info, TriangleAlert } from "lucide-react";
import { lazy, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { problemMessage, problemRemedy } from "@/i18n/problem";
import { useAgentSettings } from "@/stores/agentSettings";
import { patiently } from "@/stores/fetched";
import { useTeam } from "@/stores/team";
import type { Problem, Setting } from "@/topology";
import { Field, Skeleton, Textarea, useAfterFrame } from "@/ui";
import { OnDemand } from "@/ui/text";
import { keepRaw, usePlace } from "./place";
import type { MarkLine } from "./RawEditor";
import { problemPath, readRaw } from "./rawRead";

// With the editor, which most people never open: it isn't fetched before.
const RawEditor = lazy(() => patiently(() => import("./RawEditor")).then((m) => ({ default: m.RawEditor })));
const none: Setting[] = [];
const looks = {
  error: [CircleAlert, "hint hint--bad"],
  warning: [TriangleAlert, "hint hint--warn"],
  info: [Info, "hint"],
} as const;

type Props = {
  /** Under which the text is kept. */ id: string;
  values: Record<string, unknown> | undefined;
  /** No other field edits one of them. */ whole?: boolean;
  problems: readonly Problem[];
  viewOnly?: boolean;
  onValues: (values: Record<string, unknown>) => void;
};

/** The values of an agent that have no field of their own, or those of everyone, as JSON. */
export function RawSettings({ id, values = {}, whole, problems, viewOnly, onValues }: Props) {
  const { t } = useTranslation();
  const { data } = useAgentSettings(useTeam((s) => s.gateway));
  const settings = (whole ? data?.everyone : data?.settings) ?? none;
  const [marks, setMarks] = useState<MarkLine[]>([]);
  const kept = usePlace((s) => s.raw[id]);
  const read = useMemo(() => (kept === undefined ? undefined : readRaw(kept, whole)), [kept, whole]);
  const valid = typeof read === "object" && "value" in read;
  const same = valid && JSON.stringify(read.value) === JSON.stringify(values);
  const text = kept !== undefined && (!valid || same) ? kept : JSON.stringify(values, null, 2);
  const tell = useAfterFrame((text: string) => {
    const now = readRaw(text, whole);
    if (typeof now === "object" && "value" in now) onValues(now.value);
  });
  const fault =
    read === undefined || valid
      ? undefined
      : read === "object"
        ? t("agentSettings.fault.object")
        : "own" in read
          ? t("agentSettings.fault.own", { path: read.own })
          : t("agentSettings.fault.jsonAt", "line" in read ? read : {});
  const own = typeof read === "object" && "own" in read ? read.own : undefined;
  const hubs = problems.filter((p) => p.field?.startsWith("extra.")),
    heard = new Set(hubs.map(problemPath));
  const said = [
    ...hubs.map((p) => ({ ...p, text: `${problemMessage(t, p)} ${problemRemedy(t, p)}` })),
    ...marks.filter((m) => !(m.own && m.path === own) && !heard.has(m.path ?? "")),
  ];
  const label = t(whole ? "everyone.raw" : "agentSettings.rawLabel");
  const onText = (text: string) => {
    keepRaw(id, text);
    tell(text);
  };
  return (
    <div className="pad">
      <Field label={label} hint={t("agentSettings.rawHint")} error={fault && `${fault} ${t("agentSettings.rawKept")}`}>
        {(ids) => (
          <OnDemand
            loading={<Skeleton lines={8} label={t("common.loading")} />}
            failed={
              <>
                <p className="hint hint--warn" role="status">
                  {t("agentSettings.rawFailed")}
                </p>
                <Textarea {...ids} mono rows={18} spellCheck={false} invalid={!!fault} value={text} onText={onText} />
              </>
            }
          >
            <RawEditor
              {...ids}
              label={label}
              readOnly={viewOnly}
              value={text}
              onText={onText}
              settings={settings}
              truncated={data?.truncated}
              whole={whole}
              problems={problems}
              onMarks={setMarks}
            />
          </OnDemand>
        )}
      </Field>
      {said.length > 0 && (
        <ul className="col gap-2 mt-3" aria-label={t("agentSettings.rawProblems")}>
          {said.map((p) => {
            const [Icon, tone] = looks[p.severity];
            return (
              <li key={p.id} className={tone}>
                <Icon className="inline align-[-2px] mr-1" size={12} aria-hidden />
                {p.text}
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}
