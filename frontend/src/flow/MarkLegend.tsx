import { useTranslation } from "react-i18next";
import type { Mark } from "../topology";
import { ChangeMark } from "./ChangeMark";

const words = { add: "added", chg: "changed", del: "removed", mov: "moved" } as const;

/** What the marks on a canvas mean; only those that are there. */
export function MarkLegend({ marks }: { marks: readonly Mark[] }) {
  const { t } = useTranslation();
  if (!marks.length) return null;
  return (
    <div className="float top-3 right-3 gap-3! px-2.5! py-1!">
      {marks.map((m) => (
        <span key={m} className="row cap gap-1.5!">
          <ChangeMark mark={m} inline />
          {t(`review.op.${words[m]}`)}
        </span>
      ))}
    </div>
  );
}
