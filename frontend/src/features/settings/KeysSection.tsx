import { useTranslation } from "react-i18next";
import { Kbd } from "@/ui";
import { keyGroups } from "./keys";

export function KeysSection() {
  const { t } = useTranslation();
  return (
    <>
      <p className="t2">{t("settings.keys.what")}</p>
      <div className="grid items-start gap-4 min-[960px]:grid-cols-2">
        {keyGroups.map((g) => (
          <section key={g.id} className="overflow-hidden rounded-[var(--r-2)] border border-line-2">
            <h2 className="border-b border-line bg-surface-2 px-3 py-2">{t(`settings.keys.group.${g.id}`)}</h2>
            <dl>
              {g.keys.map((k) => (
                <div key={k.id} className="row min-h-8 border-b border-line px-3 last:border-b-0">
                  <dt className="grow">{t(`settings.keys.${k.id}`)}</dt>
                  <dd className="row flex-none gap-1">{k.chords.map((c) => <Kbd key={c} keys={c} />)}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </>
  );
}
