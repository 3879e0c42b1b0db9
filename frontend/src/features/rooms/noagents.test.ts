import { expect, it, vi } from "vitest";
import type { RoomStatus, RoomSummary } from "@/topology";
import { alone } from "./NoAgents";

vi.mock("./CastDialog", () => ({}));

const room = (...status: RoomSummary["agents"][number]["status"][]) =>
  ({
    name: "dev",
    agents: status.map((s, i) => ({ name: `n${i}`, status: s, lastSeen: "" })),
  }) as unknown as RoomSummary;
const floor = (agents: string[] = [], cast?: string[]) =>
  ({ agents: agents.map((name) => ({ name })), cast: cast && { team: "t", agents: cast } }) as unknown as RoomStatus;

it("CH-12 only a person who is alone in a room without agents reads that nobody answers", () => {
  expect(alone(room("online"), floor())).toBe(true);
  expect(alone(room("online", "offline"), floor())).toBe(true);
  expect(alone(room("online", "online"), floor())).toBe(false);
  expect(alone(room("online", "offline"), floor(["Dev"]))).toBe(false);
  expect(alone(room("online"), floor([], ["dev"]))).toBe(false); // the agent comes in a moment
  expect([alone(undefined, floor()), alone(room("online"), undefined)]).toEqual([false, false]);
});
