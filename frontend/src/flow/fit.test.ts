import { getViewportForBounds } from "@xyflow/react";
import { expect, it, vi } from "vitest";
import { fitOptions } from "./ZoomControl";

vi.mock("../ui", () => ({ lasting: (ms: number) => ms, IconButton: () => null }));

it.each([
  ["tall", { x: 0, y: 0, width: 300, height: 3000 }],
  ["wide", { x: 0, y: 0, width: 5000, height: 300 }],
])("a %s team is clear of the tools on the left and the changes at the bottom", (_, box) => {
  const width = 1000,
    height = 600,
    { padding, maxZoom } = fitOptions();
  const v = getViewportForBounds(box, width, height, 0.05, maxZoom, padding);
  expect(v.x).toBeGreaterThanOrEqual(56);
  expect(height - (v.y + box.height * v.zoom)).toBeGreaterThanOrEqual(68);
});
