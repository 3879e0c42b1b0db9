import {
  FolderPen,
  KeyRound,
  Send,
  ShieldHalf,
  SquareTerminal,
  UserRoundKey,
  Zap,
  type LucideIcon,
} from "lucide-react";
import { useTranslation } from "react-i18next";
import type { TrustAsk, TrustStanding } from "@/topology";
import { Marked, OwnWords } from "@/ui";
import { askRows, refusalOf } from "./asks";
import { SaidWords } from "./SaidWords";

const icons: Record<TrustAsk["kind"], LucideIcon> = {
  runs: SquareTerminal,
  reaches: Send,
  sends: Send,
  lets_in: UserRoundKey,
  writes: FolderPen,
  unasked: Zap,
  bounds: ShieldHalf,
};

/** What an agent asks of this computer, each thing whole; nothing of it is cut off. */
export function AskList({
  asks,
  label,
  unset,
}: {
  asks: readonly TrustAsk[];
  label: string;
  /** Variables without a value where AgentFlow runs. */ unset?: readonly string[];
}) {
  const { t } = useTranslation();
  return (
    <ul className="asks" aria-label={label}>
      {askRows(t, asks, unset).map(({ kind, said, facts, unset }, i) => {
        const Icon = icons[kind] ?? KeyRound;
        return (
          <li key={i} data-ask={kind}>
            <Icon size={14} className="ico" aria-hidden />
            <p>
              <SaidWords said={said} />
            </p>
            {facts.length > 0 && (
              <dl>
                {facts.map((f) => (
                  <div key={f.name}>
                    <dt>{f.name}</dt>
                    <dd>
                      {f.values.map((v, k) => (
                        <code key={k} translate="no">
                          <Marked text={v} />
                        </code>
                      ))}
                    </dd>
                  </div>
                ))}
              </dl>
            )}
            {unset.length > 0 && (
              <div className="text-waiting">
                <SaidWords said={unset} />
              </div>
            )}
            <i data-end={i} />
          </li>
        );
      })}
    </ul>
  );
}

/** Why something cannot be allowed. */
export function Refusal({ problem }: { problem: NonNullable<TrustStanding["problem"]> }) {
  const { t } = useTranslation();
  const text = refusalOf(t, problem);
  return (
    <div className="col gap-1">
      <p className="text-failed wrap-anywhere">
        <Marked text={text} />
      </p>
      {text !== problem.message && <OwnWords summary={t("trust.details")} text={problem.message} />}
    </div>
  );
}
