import { ArrowRight, X } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { gatewayName } from "@/i18n/gateway";
import { useTeam, useTarget } from "@/stores/team";
import { useUi } from "@/stores/ui";
import { plainName } from "@/topology";
import { Chip, ColorSquare, IconButton, keysOf, ScreenHead, useMedia, useShortcuts } from "@/ui";

export const back = () => useUi.getState().go("canvas");

export function ReviewHead({ title, children }: { title?: string; children?: ReactNode }) {
  const { t } = useTranslation();
  const name = useTeam((s) => plainName(s.name)),
    gateway = useTeam((s) => s.gateway);
  const target = useTarget();
  const narrow = useMedia("(max-width: 959px)");
  useShortcuts("reviewHead", { backToCanvas: back });
  return (
    <ScreenHead>
      <IconButton icon={X} label={t("review.back")} keys={keysOf("backToCanvas")} onClick={back} />
      <h1>{title ?? t("review.title")}</h1>
      {!narrow && (
        <>
          <span className="cap cut">{name}</span>
          <ArrowRight size={12} className="t3 flex-none" aria-hidden />
        </>
      )}
      {!narrow && (
        <Chip>
          <ColorSquare color={target?.color ?? 1} />
          {gateway ? gatewayName(t, gateway) : t("status.noGateway")}
        </Chip>
      )}
      <span className="grow" />
      {children}
    </ScreenHead>
  );
}

export function Frame({ children }: { children: ReactNode }) {
  return (
    <>
      <ReviewHead />
      {children}
    </>
  );
}

export const Middle = ({ children }: { children: ReactNode }) => (
  <div className="body">
    <div className="canvas grid place-items-center p-3">{children}</div>
  </div>
);
