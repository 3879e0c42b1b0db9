import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { chordsOf, cx, foldText, Kbd, keyLabel, shortcutIds, shortcuts } from "@/ui";

const groups = [...new Set(shortcutIds.map((id) => shortcuts[id].group))];

/** What of the key list fits a query: by what it does, by its group, or by the key itself. */
export function findKeys(t: TFunction, query: string) {
  const words = foldText(query).split(/\s+/).filter(Boolean);
  return groups
    .map((group) => {
      const title = t(`settings.keys.group.${group}`);
      const keys = shortcutIds
        .filter((id) => shortcuts[id].group === group)
        .map((id) => ({ id, chords: chordsOf(id), what: t(`settings.keys.${id}`) }));
      return {
        id: group,
        title,
        keys: keys.filter((k) => {
          const all = foldText(`${title} ${k.what} ${k.chords.map(keyLabel).join(" ")}`);
          return words.every((w) => all.includes(w));
        }),
      };
    })
    .filter((g) => g.keys.length);
}

/** Every key there is, by what it is for; `query` leaves those that fit. */
export function KeyList({
  query = "",
  heading: H = "h2",
  className,
}: {
  query?: string;
  heading?: "h2" | "h3";
  className?: string;
}) {
  const { t } = useTranslation();
  const found = findKeys(t, query);
  if (!found.length)
    return (
      <p className="cap py-4 text-center" role="status">
        {t("settings.keys.nothing", { query })}
      </p>
    );
  return (
    <div className={cx("from-between:columns-2 gap-4", className)}>
      {found.map((g) => (
        <section
          key={g.id}
          className="mb-4 break-inside-avoid overflow-hidden rounded-[var(--r-2)] border border-line-2"
        >
          <H className="border-b border-line bg-surface-2 px-3 py-2 text-13! text-text">{g.title}</H>
          <dl className="bg-surface">
            {g.keys.map((k) => (
              <div key={k.id} className="row min-h-8 flex-wrap border-b border-line px-3 py-1 last:border-b-0">
                <dt className="min-w-[min(6rem,100%)] flex-1 text-text wrap-anywhere">{k.what}</dt>
                <dd className="row ml-auto min-w-0 max-w-full flex-wrap justify-end gap-1">
                  {k.chords.map((c) => (
                    <Kbd key={c} keys={c} />
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}
