import type { TFunction } from "i18next";
import { create } from "zustand";
import { errorMeaning } from "@/i18n/problem";
import { providerTrouble, trialVerdict, type Verdict } from "@/i18n/trial";
import { asApiError } from "@/stores/faults";
import { providerActions } from "@/stores/providers";
import type { ProviderEdit, Trial } from "@/topology";

/** A model that is being connected: what was entered for it, and how its test went. */
export type Tried = {
  url: string;
  key: string;
  busy?: "test" | "use";
  verdict?: Verdict;
  /** The test that succeeded with what is entered. */ good?: Trial;
};
const untried: Tried = { url: "", key: "" };

/**
 * What is tried, by the provider's name; "" is the one that is entered. It outlives the panel: a narrower window has
 * another one. It stays in memory only, because a key is part of it.
 */
const useAll = create<Record<string, Tried>>()(() => ({}));

/** One of them as it is now. */
export const triedOf = (id: string): Tried => useAll.getState()[id] ?? untried;

/** One of them, and what can be done with it. */
export function useTried(id: string) {
  const tried = useAll((s) => s[id]) ?? untried;
  return { ...tried, ...actsOn(id) };
}

/** What can be done with one of them. */
export function actsOn(id: string) {
  const set = (change: Partial<Tried>) => useAll.setState({ [id]: { ...triedOf(id), ...change } });
  return {
    enter: (change: Pick<Tried, "url"> | Pick<Tried, "key">) => set({ ...change, good: undefined, verdict: undefined }),
    test: async (t: TFunction, edit: ProviderEdit, model?: string): Promise<Trial | undefined> => {
      set({ busy: "test", verdict: undefined });
      const { url, key } = triedOf(id);
      // What was entered in the meantime isn't tested.
      const tell = (how: Partial<Tried>) => {
        if (triedOf(id).url === url && triedOf(id).key === key) set(how);
      };
      try {
        const trial = await providerActions.test(edit, model);
        const good = trial.error ? undefined : trial;
        tell({ verdict: trialVerdict(t, trial), good });
        return good;
      } catch (e) {
        tell({ verdict: providerTrouble(t, asApiError(e)) });
        return undefined;
      } finally {
        set({ busy: undefined });
      }
    },
    /** Does what uses the model. Once that is done, the entry is empty again. */
    use: async (t: TFunction, act: () => Promise<void>) => {
      set({ busy: "use" });
      try {
        await act();
        set({ ...untried, good: undefined, verdict: undefined });
      } catch (e) {
        set({ verdict: { good: false, title: t("models.saveFailed"), text: errorMeaning(t, asApiError(e)) } });
      } finally {
        set({ busy: undefined });
      }
    },
  };
}
