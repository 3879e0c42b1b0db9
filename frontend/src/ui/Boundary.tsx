import { Component, createContext, useContext, type ErrorInfo, type ReactNode } from "react";
import { Button } from "./Button";
import { ErrorState } from "./Feedback";

/** What a broken part says; given once by the app, in the person's language. */
export type BoundaryWords = { title: string; meaning: (cause: string) => string; again: string };

const Words = createContext<BoundaryWords>({ title: "", meaning: (cause) => cause, again: "" });
export const BoundaryProvider = Words.Provider;

/** Hears of every part below it that breaks, and of its recovery. */
type Watcher = (broken: boolean) => void;
const Watch = createContext<Watcher>(() => undefined);
export const BoundaryWatch = Watch.Provider;

type Props = {
  /** When this changes, the part shows something else, so it is rendered again automatically. */
  of?: unknown;
  /** Shown in its place; without it, what is broken and a button that tries again. */
  instead?: ReactNode;
  children: ReactNode;
};

/** Keeps a fault in one part from taking the rest with it. What was typed lives in the stores and stays. */
export function Boundary({ of, instead, children }: Props) {
  const words = useContext(Words),
    watch = useContext(Watch);
  return (
    <Catcher words={words} watch={watch} of={of} instead={instead}>
      {children}
    </Catcher>
  );
}

type State = { broken?: Error; of?: unknown };

class Catcher extends Component<Props & { words: BoundaryWords; watch: Watcher }, State> {
  override state: State = { of: this.props.of };

  static getDerivedStateFromError(broken: unknown): State {
    return { broken: broken instanceof Error ? broken : new Error(String(broken)) };
  }

  static getDerivedStateFromProps(props: Props, state: State): State | null {
    return Object.is(props.of, state.of) ? null : { of: props.of, broken: undefined };
  }

  /** A part that broke is a defect, so it is reported even though the rest goes on. */
  override componentDidCatch(error: unknown, { componentStack }: ErrorInfo) {
    // eslint-disable-next-line no-console -- the only trace of a fault that the rest of the page survives
    console.error("boundary: a part of the page broke", error, componentStack);
    this.tell(true);
  }

  override componentDidUpdate() {
    this.tell(this.state.broken !== undefined);
  }

  override componentWillUnmount() {
    this.tell(false);
  }

  private told = false;
  private tell(broken: boolean): void {
    if (broken === this.told) return;
    this.told = broken;
    this.props.watch(broken);
  }

  override render() {
    const { words, instead, children } = this.props,
      { broken } = this.state;
    if (!broken) return children;
    if (instead !== undefined) return instead;
    return (
      <div className="min-w-0 flex-1 p-4" data-boundary={broken.message}>
        <ErrorState
          title={words.title}
          actions={
            <Button
              onClick={() => {
                this.setState({ broken: undefined });
              }}
            >
              {words.again}
            </Button>
          }
        >
          {words.meaning(broken.message)}
        </ErrorState>
      </div>
    );
  }
}
