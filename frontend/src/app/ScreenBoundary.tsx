import { Component, type ReactNode } from "react";
import { withTranslation, type WithTranslation } from "react-i18next";
import { Button, ErrorState } from "@/ui";

type Props = WithTranslation & { children: ReactNode };

/** Keeps a fault in one screen from taking the frame with it. Give it the screen's id as key. */
class Boundary extends Component<Props, { broken?: Error }> {
  override state: { broken?: Error } = {};

  static getDerivedStateFromError(broken: unknown) {
    return { broken: broken instanceof Error ? broken : new Error(String(broken)) };
  }

  override render() {
    const { t, children } = this.props;
    if (!this.state.broken) return children;
    return (
      <div className="p-4">
        <ErrorState title={t("screen.broken")} actions={<Button onClick={() => { this.setState({ broken: undefined }); }}>{t("screen.tryAgain")}</Button>}>
          {t("screen.brokenMeaning", { cause: this.state.broken.message })}
        </ErrorState>
      </div>
    );
  }
}

export const ScreenBoundary = withTranslation()(Boundary);
