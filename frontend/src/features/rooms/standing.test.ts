import { expect, it } from "vitest";
import type { Provider, RoomAgent } from "@/topology";
import { listed, unanswerable } from "./standing";

const provider = (name: string, more: Partial<Provider> = {}): Provider => ({
  name,
  kind: "openai",
  default: false,
  hasKey: false,
  source: "file",
  ...more,
});
const of = (models: (string | undefined)[], ...providers: Provider[]) =>
  unanswerable(
    models.map((model) => ({ model })),
    providers,
  ).map((a) => a.model);

it("agents whose model no provider of the hub has can't answer in a room", () => {
  const demo = provider("demo"),
    ollama = provider("ollama", { default: true });
  expect(of(["fake/fake-2", "demo/echo", "ollama/qwen3", "qwen3"], demo, ollama)).toEqual(["fake/fake-2"]);
  expect(of(["qwen3", "", undefined], demo)).toEqual(["qwen3", "", undefined]);
  expect(
    of(["ollama/qwen3"], demo, provider("ollama", { problem: { code: "VALIDATION_ERROR", message: "" } })),
  ).toEqual(["ollama/qwen3"]);
  expect(of(["fake/fake-2"])).toEqual([]); // nothing is known yet, so nothing is claimed
});

it("who left is listed for a week, a former name of the person not at all", () => {
  const now = Date.parse("2026-05-20T12:00:00Z"),
    who = (name: string, status: RoomAgent["status"], lastSeen: string): RoomAgent => ({ name, status, lastSeen });
  const all = [
    who("here", "online", "2026-01-01T00:00:00Z"),
    who("lately", "offline", "2026-05-14T00:00:00Z"),
    who("long ago", "offline", "2026-05-12T00:00:00Z"),
    who("my old name", "offline", "2026-05-20T11:00:00Z"),
  ];
  expect(all.filter((a) => listed(a, ["my old name"], now)).map((a) => a.name)).toEqual(["here", "lately"]);
});
