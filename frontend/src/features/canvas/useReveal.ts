import { useReactFlow } from "@xyflow/react";
import { useEffect, useRef, type RefObject } from "react";
import { useTeam } from "@/stores/team";
import { useUi } from "@/stores/ui";
import { bringIntoView, fitDraft } from "./view";
import { fitOptions } from "@/flow";

/** Brings into view what another panel asks for, and the whole team after the hub laid it out again. */
export function useReveal(area: RefObject<HTMLElement | null>): void {
  const flow = useReactFlow();
  const reveal = useUi((s) => s.reveal),
    busy = useTeam((s) => s.busy);
  const was = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (!reveal?.agents.length) return;
    const [only] = reveal.agents;
    if (reveal.agents.length === 1 && only) bringIntoView(flow, area.current, only);
    else void flow.fitView({ ...fitOptions(), nodes: reveal.agents.map((id) => ({ id })), padding: 0.3 });
  }, [reveal, flow, area]);
  useEffect(() => {
    const ended = was.current;
    was.current = busy;
    if (ended && !busy && ["layout", "import", "restore"].includes(ended))
      requestAnimationFrame(() => fitDraft(flow, area.current));
  }, [busy, flow, area]);
}
