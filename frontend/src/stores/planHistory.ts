import { create } from "zustand";
import { asApiError, type ApiError } from "../api/error";
import { plansApi } from "../api/plans";
import type { PlanCompared, PlanVersion } from "../topology";

type History = {
  plan: string;
  open: boolean;
  versions?: PlanVersion[];
  error?: ApiError;
  /** The version that is looked at instead of the plan as it is. */
  number: number;
  shown?: PlanCompared;
  unread?: ApiError;
};

const none: History = {
  plan: "",
  open: false,
  versions: undefined,
  error: undefined,
  number: 0,
  shown: undefined,
  unread: undefined,
};

/** The versions of the plan that is looked at. */
export const usePlanHistory = create<History>()(() => none);

export const openHistory = (plan: string) => usePlanHistory.setState({ ...none, plan, open: true });
export const closeHistory = () => usePlanHistory.setState(none);
export const leaveVersion = () => usePlanHistory.setState({ number: 0, shown: undefined, unread: undefined });

/** Each question's number: what comes late of an earlier one counts no more. */
let lists = 0,
  looks = 0;

/** Reads which versions there are; what is looked at is read again, too, for the plan beside it may have changed. */
export async function readVersions(plan: string): Promise<void> {
  const list = ++lists,
    mine = () => list === lists && usePlanHistory.getState().plan === plan;
  try {
    const versions = await plansApi.versions(plan);
    if (mine()) usePlanHistory.setState({ versions, error: undefined });
  } catch (e) {
    if (mine()) usePlanHistory.setState({ error: asApiError(e) });
  }
  const { number } = usePlanHistory.getState(); // the person may have gone on meanwhile
  if (mine() && number) await showVersion(number);
}

export async function showVersion(number: number): Promise<void> {
  const { plan } = usePlanHistory.getState(),
    look = ++looks,
    mine = () =>
      look === looks && usePlanHistory.getState().plan === plan && usePlanHistory.getState().number === number;
  usePlanHistory.setState((s) => ({ number, unread: undefined, shown: s.number === number ? s.shown : undefined }));
  try {
    const shown = await plansApi.compare(plan, number);
    if (mine()) usePlanHistory.setState({ shown });
  } catch (e) {
    if (mine()) usePlanHistory.setState({ unread: asApiError(e) });
  }
}
