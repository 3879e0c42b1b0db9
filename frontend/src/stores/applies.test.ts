import { expect, it } from "vitest";
import type { Apply } from "../topology";
import { whileNewest } from "./applies";
import { useHub } from "./hub";

const made = (id: string, gateway: string, startedAt: string) =>
  ({ id, gateway, kind: "apply", state: "failed", steps: [], startedAt, sent: 0, cancellable: false }) as Apply;
const put = (a: Apply) => useHub.setState((s) => ({ applies: { ...s.applies, [a.id]: a } }));

it("OC-4 the notice of an apply stands until another one or a rollback starts on its gateway", () => {
  const failed = made("b", "studio", "2026-01-01T00:00:00.5Z"),
    { holds, subscribe } = whileNewest(failed);
  let told = 0;
  const off = subscribe(() => told++);
  put(made("a", "studio", "2026-01-01T00:00:00Z"));
  put(failed);
  put(made("c", "other", "2026-01-02T00:00:00Z"));
  expect([holds(), told]).toEqual([true, 3]);
  put({ ...made("d", "studio", "2026-01-01T00:00:01Z"), kind: "rollback" });
  expect(holds()).toBe(false);
  off();
});
