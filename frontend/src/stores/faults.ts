import { create } from "zustand";
import { asApiError, type ApiError } from "../api/error";

export type Fault = {
  n: number;
  /** i18n key of what could not be done, under "fault." */ what: string;
  error: ApiError;
};

/** What went wrong and has not been shown yet; the app shows each as a toast. */
export const useFaults = create<{ faults: Fault[] }>()(() => ({ faults: [] }));

let n = 0;
export function reportFault(what: string, error: unknown): void {
  useFaults.setState((s) => ({ faults: [...s.faults, { n: ++n, what, error: asApiError(error) }] }));
}

export function takeFaults(): Fault[] {
  const { faults } = useFaults.getState();
  if (faults.length) useFaults.setState({ faults: [] });
  return faults;
}

/** Runs a request whose failure is only to be told. True when it worked. */
export async function attempt(what: string, work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (e) {
    reportFault(what, e);
    return false;
  }
}

export { ApiError, asApiError } from "../api/error";
