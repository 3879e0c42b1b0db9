import { useTranslation } from "react-i18next";
import { attempt } from "@/stores/faults";
import { changeLook, ownLook, useLook } from "@/stores/look";
import { changeSettings, inWindow, useSettings } from "@/stores/settings";
import type { Settings } from "@/topology";
import { RadioGroup, Segmented } from "@/ui";

const change = (patch: Partial<Settings>) => void attempt("settings", () => changeSettings(patch));

/** In per cent. */
const textSizes = [100, 115, 130, 150, 175, 200];

export function LookSection() {
  const { t } = useTranslation();
  const s = useSettings(),
    look = useLook(),
    own = ownLook();
  return (
    <>
      <Group
        title={t("settings.look.language")}
        hint={t(own ? "settings.look.languageHintHere" : "settings.look.languageHint")}
      >
        <Segmented
          label={t("settings.look.language")}
          value={look.language}
          onValue={(language) => changeLook({ language })}
          options={[
            { value: "auto", label: t("settings.look.auto") },
            { value: "en", label: "English" },
            { value: "ja", label: "日本語" },
          ]}
        />
      </Group>
      <Group title={t("settings.look.theme")} hint={t(own ? "settings.look.themeHintHere" : "settings.look.themeHint")}>
        <Segmented
          label={t("settings.look.theme")}
          value={look.theme}
          onValue={(theme) => changeLook({ theme })}
          options={[
            { value: "auto", label: t("settings.look.auto") },
            { value: "light", label: t("settings.look.light") },
            { value: "dark", label: t("settings.look.dark") },
          ]}
        />
      </Group>
      <Group title={t("settings.look.text")} hint={t("settings.look.textHint")}>
        <Segmented
          label={t("settings.look.text")}
          value={String(s.textSize ?? 100)}
          onValue={(size) => change({ textSize: Number(size) })}
          options={textSizes.map((n) => ({ value: String(n), label: t("settings.look.textSize", { n }) }))}
        />
      </Group>
      <Group title={t("settings.look.motion")} hint={t("settings.look.motionHint")}>
        <Segmented
          label={t("settings.look.motion")}
          value={s.motion}
          onValue={(motion) => change({ motion })}
          options={[
            { value: "auto", label: t("settings.look.auto") },
            { value: "reduced", label: t("settings.look.motionReduced") },
          ]}
        />
      </Group>
      <Group title={t("settings.look.snap")} hint={t("settings.look.snapHint")}>
        <Segmented
          label={t("settings.look.snap")}
          value={s.snap ?? "on"}
          onValue={(snap) => change({ snap })}
          options={[
            { value: "on", label: t("settings.look.snapOn") },
            { value: "off", label: t("settings.look.snapOff") },
          ]}
        />
      </Group>
      {inWindow() && (
        <Group title={t("settings.look.gpu")} hint={t("settings.look.gpuHint")}>
          <RadioGroup
            label={t("settings.look.gpu")}
            value={s.gpuPolicy}
            onValue={(gpuPolicy) => change({ gpuPolicy })}
            options={(["never", "ondemand", "always"] as const).map((value) => ({
              value,
              label: t(`settings.look.gpuPolicy.${value}`),
              hint: t(`settings.look.gpuPolicy.${value}Hint`),
            }))}
          />
        </Group>
      )}
    </>
  );
}

function Group({ title, hint, children }: { title: string; hint: string; children: React.ReactNode }) {
  return (
    <section className="flex flex-wrap items-start gap-x-6 gap-y-2 rounded-[var(--r-2)] border border-line-2 px-3 py-3">
      <div className="col min-w-[min(13rem,100%)] flex-1">
        <h2>{title}</h2>
        <p className="cap">{hint}</p>
      </div>
      {children}
    </section>
  );
}
