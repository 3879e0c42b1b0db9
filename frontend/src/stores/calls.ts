import { create } from "zustand";
import { asApiError, type ApiError } from "../api/error";
import { setup } from "../api/setup";
import type { Diagnostics, ModelCall } from "../topology";

type Calls = {
  stand?: Diagnostics;
  calls: ModelCall[];
  /** There are older ones. */ more: boolean;
  /** Whose calls are listed; "" everybody's. */ agent: string;
  busy: boolean;
  error?: ApiError;
};

/** What agents have asked models since the hub was started, as it was read last. */
export const useCalls = create<Calls>()(() => ({ calls: [], more: false, agent: "", busy: false }));

const set = useCalls.setState,
  page = 50;
let reading = 0;

async function read(change: Partial<Calls>, work: (agent: string) => Promise<Partial<Calls>>): Promise<void> {
  const mine = ++reading;
  set({ ...change, busy: true });
  try {
    const now = await work(useCalls.getState().agent);
    if (mine === reading) set({ ...now, busy: false, error: undefined });
  } catch (e) {
    if (mine === reading) set({ busy: false, error: asApiError(e) });
  }
}

/** Requests about them. */
export const callActions = {
  load: (agent = useCalls.getState().agent) =>
    read({ agent }, async () => {
      const [stand, calls] = await Promise.all([setup.diagnostics(), setup.calls(agent)]);
      return { stand, calls, more: calls.length === page };
    }),
  older: () =>
    read({}, async (agent) => {
      const { calls } = useCalls.getState(),
        next = await setup.calls(agent, calls.at(-1)?.id);
      return { calls: [...calls, ...next], more: next.length === page };
    }),
  keepTexts: async (on: boolean) => {
    set({ stand: await setup.keepTexts(on) });
    if (!on) await callActions.load();
  },
  text: setup.callText,
};
