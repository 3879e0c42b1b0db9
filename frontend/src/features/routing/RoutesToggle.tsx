import { Route } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useTeam } from "@/stores/team";
import { usePanel, useUi } from "@/stores/ui";
import { IconButton } from "@/ui";

export const toggleRoutes = () => {
  const ui = useUi.getState();
  ui.setPanel("canvas.routes", { folded: !(ui.panels["canvas.routes"]?.folded ?? true) });
};

/** Opens and closes the routes beside the canvas. */
export function RoutesToggle() {
  const { t } = useTranslation();
  const { folded } = usePanel("canvas.routes"),
    ready = useTeam((s) => s.status === "ready");
  return (
    <IconButton
      icon={Route}
      label={folded ? t("canvas.routes.show") : t("canvas.routes.hide")}
      pressed={!folded}
      disabled={!ready}
      onClick={toggleRoutes}
    />
  );
}
