import { lazy, Suspense, type ComponentType } from "react";

export type ToastInput = {
  text: string;
  tone?: "done" | "failed" | "info";
  action?: { label: string; run: () => void };
  closeLabel: string;
  /** Takes the place of the one with the same id. */
  id?: string;
  /** Milliseconds; failures stay until closed. */
  for?: number;
  /** It is closed once this no longer holds. */
  while?: { holds: () => boolean; subscribe: (changed: () => void) => () => void };
};

// Nothing is said in the first moment, so this comes after the page.
const toasts = () => import("./toasts");
const Shown = lazy<ComponentType<{ label: string; top?: boolean }>>(() =>
  toasts().then(
    (m) => ({ default: m.Toaster }),
    () => ({ default: () => null }),
  ),
);

let count = 0;

/** Says what happened, with the way back beside it. */
export function toast(input: ToastInput): void {
  const { while: lasts } = input,
    id = input.id ?? (lasts && `while ${++count}`);
  void toasts().then(
    (m) => m.show({ ...input, id }),
    () => undefined,
  ); // without a hub there is nothing to say it with
  if (!lasts || !id) return;
  const off = lasts.subscribe(() => {
    if (lasts.holds()) return;
    off();
    dismissToast(id);
  });
}

/** Closes the toast with an id, because it is no longer true. */
export function dismissToast(id: string): void {
  void toasts().then(
    (m) => m.dismiss(id),
    () => undefined,
  );
}

/** Closes the toasts that only tell something about a place that is left; `stays` has the address of each. */
export function leaveToasts(stays: (hash: string) => boolean): void {
  void toasts().then(
    (m) => m.leave(stays),
    () => undefined,
  );
}

/** Where toasts are shown: at the bottom, or below the head of a screen that has its buttons or texts at the bottom. */
export function Toaster(props: { label: string; top?: boolean }) {
  return (
    <Suspense>
      <Shown {...props} />
    </Suspense>
  );
}
