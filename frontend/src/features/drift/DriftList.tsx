import { useTranslation } from "react-i18next";
import { captionOf, ChangeMark, titleOf } from "@/flow";
import { MARK_OF, type Drift, type Drifted } from "@/topology";
import { Count, ListRow } from "@/ui";

/** The differences by whose they are: the gateway's first. */
export function DriftList({ drift, at, onShow }: { drift: Drift; at?: string; onShow: (id: string) => void }) {
  const { t } = useTranslation();
  const teams = { after: drift.held, before: drift.drawn };
  const theirs = drift.changes.filter((c) => c.theirs),
    mine = drift.changes.filter((c) => !c.theirs);
  const rows = (list: Drifted[]) => (
    <ul>
      {list.map((c) => {
        const title = titleOf(t, teams, c),
          caption = captionOf(t, teams, c);
        return (
          <li key={c.id} data-drift={c.id}>
            <ListRow
              whole
              current={c.id === at}
              onClick={() => onShow(c.id)}
              titleText={caption ? `${title} · ${caption}` : title}
              lead={
                <>
                  <ChangeMark mark={MARK_OF[c.op]} inline />
                  <span className="sr-only">{t(`review.op.${c.op}`)}</span>
                </>
              }
              title={<b>{title}</b>}
              caption={caption}
            />
          </li>
        );
      })}
    </ul>
  );
  return (
    <div className="rows scroll">
      <section aria-label={t("drift.theirs")}>
        <h2 className="label">
          <span className="grow">{t("drift.theirs")}</span>
          {theirs.length > 0 && <Count n={theirs.length} />}
        </h2>
        {theirs.length ? rows(theirs) : <p className="cap px-2 pb-2">{t("drift.noneTheirs")}</p>}
      </section>
      {mine.length > 0 && (
        <section aria-label={t("drift.mine")}>
          <h2 className="label">
            <span className="grow">{t("drift.mine")}</span>
            <Count n={mine.length} />
          </h2>
          <p className="cap px-2 pb-1">{t("drift.mineWhy")}</p>
          {rows(mine)}
        </section>
      )}
    </div>
  );
}
