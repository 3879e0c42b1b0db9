import { Component, createContext, useContext, type ReactNode } from "react";
import { Button } from "./Button";
import { ErrorState } from "./Feedback";

/** What a broken part says; given once by the app, in the person's language. */
export type BoundaryWords = { title: string; meaning: (cause: string) => string; again: string };

const Words = createContext<BoundaryWords>({ title: "", meaning: (cause) => cause, again: "" });
export const BoundaryProvider = Words.Provider;

type Props = {
  /** When this changes the part is tried again by itself: what it shows is another thing now. */
  of?: unknown;
  children: ReactNode;
};

/** Keeps a fault in one part from taking the rest with it. What was typed lives in the stores and stays. */
export function Boundary({ of, children }: Props) {
  const words = useContext(Words);
  return <Catcher words={words} of={of}>{children}</Catcher>;
}

type State = { broken?: Error; of?: unknown };

class Catcher extends Component<Props & { words: BoundaryWords }, State> {
  override state: State = { of: this.props.of };

  static getDerivedStateFromError(broken: unknown): State {
    return { broken: broken instanceof Error ? broken : new Error(String(broken)) };
  }

  static getDerivedStateFromProps(props: Props, state: State): State | null {
    return Object.is(props.of, state.of) ? null : { of: props.of, broken: undefined };
  }

  override render() {
    const { words, children } = this.props, { broken } = this.state;
    if (!broken) return children;
    return (
      <div className="min-w-0 flex-1 p-4">
        <ErrorState title={words.title} actions={<Button onClick={() => { this.setState({ broken: undefined }); }}>{words.again}</Button>}>{words.meaning(broken.message)}</ErrorState>
      </div>
    );
  }
}
