import { useTranslation } from "react-i18next";
import { ALIGNMENTS, AXES, type Chosen } from "@/topology";
import { IconButton } from "@/ui";
import { arrange, canDistribute } from "../arrange";
import { alignIcon, alignKeys, spreadIcon, spreadKeys } from "../menu/items";

/** Lines up and spreads out what is chosen. */
export function ArrangeTools({ chosen }: { chosen: Chosen }) {
  const { t } = useTranslation();
  return (
    <div className="row flex-wrap gap-0.5!" role="group" aria-label={t("canvas.align.title")}>
      {ALIGNMENTS.map((how, i) => (
        <span key={how} className="contents">
          {i === 3 && <span className="mx-1 h-4 w-px bg-line" aria-hidden />}
          <IconButton
            icon={alignIcon[how]}
            label={t(`canvas.align.${how}`)}
            keys={alignKeys(how)}
            onClick={() => arrange({ align: how })}
          />
        </span>
      ))}
      <span className="mx-1 h-4 w-px bg-line" aria-hidden />
      {AXES.map((axis) => (
        <IconButton
          key={axis}
          icon={spreadIcon[axis]}
          label={t(`canvas.distribute.${axis}`)}
          keys={spreadKeys(axis)}
          disabled={!canDistribute(chosen)}
          onClick={() => arrange({ distribute: axis })}
        />
      ))}
    </div>
  );
}
