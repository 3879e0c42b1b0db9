import {
  Activity,
  Bell,
  Bot,
  ChevronLeft,
  ChevronRight,
  Cpu,
  Database,
  Globe,
  Info,
  Keyboard,
  Scale,
  Server,
  Shield,
  ShieldAlert,
  TriangleAlert,
  type LucideIcon,
} from "lucide-react";
import { useEffect, useRef, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useGateways } from "@/stores/gateways";
import { Boundary, Button, IconButton, PanelHead, useMedia } from "@/ui";
import { AboutSection } from "./AboutSection";
import { AgentsSection } from "./agents/AgentsSection";
import { CallsSection } from "./calls/CallsSection";
import { DataSection } from "./data/DataSection";
import { GatewaysSection } from "./gateways/GatewaysSection";
import { needsPerson } from "./gateways/state";
import { KeysSection } from "./KeysSection";
import { LicencesSection } from "./LicencesSection";
import { LookSection } from "./LookSection";
import { ModelsSection } from "./models/ModelsSection";
import { NoticesSection } from "./notices/NoticesSection";
import { addAgent, addProvider, editGateway, sections, useSection, type Section } from "./section";
import { SecuritySection } from "./security/SecuritySection";
import { TrustSection } from "./trust/TrustSection";

const icons: Record<Section, LucideIcon> = {
  gateways: Server,
  models: Cpu,
  agents: Bot,
  calls: Activity,
  trust: ShieldAlert,
  security: Shield,
  notices: Bell,
  look: Globe,
  keys: Keyboard,
  data: Database,
  about: Info,
  licences: Scale,
};
const parts: Record<Section, (p: SettingsProps) => ReactNode> = {
  gateways: (p) => <GatewaysSection {...p} />,
  models: () => <ModelsSection />,
  agents: () => <AgentsSection />,
  calls: () => <CallsSection />,
  trust: () => <TrustSection />,
  security: () => <SecuritySection />,
  notices: () => <NoticesSection />,
  look: () => <LookSection />,
  keys: () => <KeysSection />,
  data: () => <DataSection />,
  about: (p) => <AboutSection {...p} />,
  licences: () => <LicencesSection />,
};

export type SettingsProps = {
  /** Draws what a gateway holds. */ onImport: (gateway: string) => void;
  onTour: () => void;
};

/** The settings: a list of parts at the left, the part at the right; on a phone one after the other. */
export function SettingsScreen(props: SettingsProps) {
  const { t } = useTranslation();
  const phone = useMedia("(max-width: 639px)");
  const open = useSection((s) => s.section);
  const section = open ?? (phone ? undefined : "gateways");
  const arrives = useSection((s) => s.arrives),
    head = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!arrives) return;
    useSection.setState({ arrives: undefined });
    head.current?.focus({ preventScroll: true });
  }, [arrives]);
  return (
    <div className="body">
      {(!phone || !section) && <Nav current={section} phone={phone} />}
      {section && (
        <section className="panel grow" aria-label={t(`settings.${section}.title`)}>
          <PanelHead>
            {phone && (
              <IconButton
                icon={ChevronLeft}
                label={t("settings.back")}
                onClick={() => useSection.setState({ section: undefined })}
              />
            )}
            <h1 ref={head} tabIndex={-1}>
              {t(`settings.${section}.title`)}
            </h1>
            <span className="grow" />
            {section === "gateways" && (
              <Button tone="main" onClick={() => editGateway()}>
                {t("settings.gateways.add")}
              </Button>
            )}
            {section === "models" && (
              <Button tone="main" onClick={addProvider}>
                {t("models.add")}
              </Button>
            )}
            {section === "agents" && (
              <Button tone="main" onClick={addAgent}>
                {t("here.add")}
              </Button>
            )}
          </PanelHead>
          <div className="scroll" tabIndex={0}>
            <div className={phone ? "col gap-4 p-3" : "col max-w-[864px] gap-4 px-6 py-5 [&_p]:max-w-[56em]"}>
              <Boundary of={section}>{parts[section](props)}</Boundary>
            </div>
          </div>
        </section>
      )}
    </div>
  );
}

function Nav({ current, phone }: { current?: Section; phone: boolean }) {
  const { t } = useTranslation();
  const gateways = useGateways();
  const trouble = gateways.some((g) => needsPerson(g.state));
  return (
    <aside className="panel panel--list" style={phone ? undefined : { width: "calc(232 * var(--u))" }}>
      <PanelHead>
        <h1>{t("screen.settings")}</h1>
      </PanelHead>
      <nav className="rows scroll" aria-label={t("screen.settings")}>
        {sections.map((s) => {
          const Icon = icons[s];
          return (
            <button
              key={s}
              type="button"
              data-section={s}
              className={phone ? "trow min-h-11!" : "trow"}
              aria-current={s === current || undefined}
              onClick={() => useSection.setState({ section: s, editing: undefined })}
            >
              <Icon size={16} className="t2" aria-hidden />
              {s === current ? (
                <b className="cut grow">{t(`settings.${s}.title`)}</b>
              ) : (
                <span className="cut grow">{t(`settings.${s}.title`)}</span>
              )}
              {s === "gateways" && trouble && (
                <TriangleAlert size={14} className="text-waiting" aria-label={t("settings.gateways.needYou")} />
              )}
              {s === "gateways" && !trouble && <span className="cap num">{gateways.length}</span>}
              {phone && <ChevronRight size={16} className="t3" aria-hidden />}
            </button>
          );
        })}
      </nav>
    </aside>
  );
}
