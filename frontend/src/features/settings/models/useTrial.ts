import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { providerTrouble, trialVerdict, type Verdict } from "@/i18n/trial";
import { asApiError } from "@/stores/faults";
import { providerActions } from "@/stores/providers";
import type { ProviderEdit } from "@/topology";

/** One test at a time, which can be cancelled and ends with the part of the page that asked. */
export function useTrial() {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const [verdict, setVerdict] = useState<Verdict>();
  const stop = useRef<AbortController>(undefined);
  useEffect(() => () => stop.current?.abort(), []);
  const run = async (p: ProviderEdit, model?: string): Promise<boolean> => {
    stop.current?.abort();
    const mine = (stop.current = new AbortController());
    setBusy(true);
    setVerdict(undefined);
    let v: Verdict | undefined;
    try {
      v = trialVerdict(t, await providerActions.test(p, model, mine.signal));
    } catch (e) {
      if (!mine.signal.aborted) v = providerTrouble(t, asApiError(e));
    }
    if (stop.current !== mine) return false;
    setBusy(false);
    setVerdict(v);
    return v?.good ?? false;
  };
  const cancel = () => {
    stop.current?.abort();
    stop.current = undefined;
    setBusy(false);
  };
  return {
    busy,
    verdict,
    run,
    cancel,
    clear: () => {
      cancel();
      setVerdict(undefined);
    },
  };
}
