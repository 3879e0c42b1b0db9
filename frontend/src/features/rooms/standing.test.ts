import { expect, it } from "vitest";
import type { Provider } from "@/topology";
import { unanswerable } from "./standing";

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
