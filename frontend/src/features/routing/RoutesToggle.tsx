import { Route } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useTeam } from "@/stores/team";
import { toggleBeside, usePanel } from "@/stores/ui";
import { IconButton } from "@/ui";

export const toggleRoutes = () => toggleBeside("canvas.routes");

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
