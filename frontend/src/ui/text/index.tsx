import { Component, lazy, Suspense, type ReactNode } from "react";
import type { TextDiffProps } from "./TextDiff";

export type { Place, TextDiffProps } from "./TextDiff";

const Loaded = lazy(() => import("./TextDiff"));

/** Two texts with their differences. The editor is loaded on demand; its failure stays its own. */
export function TextDiff({ loading, failed, ...props }: TextDiffProps & Meanwhile) {
  return (
    <OnDemand loading={loading} failed={failed}>
      <Loaded {...props} />
    </OnDemand>
  );
}

type Meanwhile = {
  /** Shown until it is loaded. */ loading: ReactNode;
  /** Shown if it can't be loaded. */ failed: ReactNode;
};

/** A part that is loaded on demand. Its failure stays its own. */
export const OnDemand = ({ loading, failed, children }: Meanwhile & { children: ReactNode }) => (
  <Kept instead={failed}>
    <Suspense fallback={loading}>{children}</Suspense>
  </Kept>
);

class Kept extends Component<{ instead: ReactNode; children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };
  static getDerivedStateFromError() {
    return { broken: true };
  }
  override render() {
    return this.state.broken ? this.props.instead : this.props.children;
  }
}
