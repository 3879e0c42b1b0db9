import { expect, it } from "vitest";
import type { PreviewChange } from "@/topology";
import { changeAt, placeOnCanvas } from "./changes";

it("OC-1 what changed for everyone is found by its node, and shows that node", () => {
  const change = (subject: PreviewChange["subject"], id: string) =>
    ({ id, subject, op: "changed", field: "model" }) as PreviewChange;
  const agent = { ...change("agent", "agent:a:model"), agent: "a" };
  for (const subject of ["defaults", "messages"] as const) {
    const c = change(subject, `${subject}:model`);
    expect(changeAt([agent, c], { everyone: true })).toBe(c);
    expect(placeOnCanvas(c)).toEqual({ chosen: { everyone: true }, agents: ["everyone:"] });
  }
  expect(changeAt([agent], { everyone: true })).toBeUndefined();
});
