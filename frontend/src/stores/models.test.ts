import { afterEach, describe, expect, it, vi } from "vitest";
import { hub } from "../api/hub";
import type { Gateway, Model } from "../topology";
import { useTeam } from "./team";
import { followModels, modelForNew, modelsOf, useModels } from "./models";
import { takeNotify, useHub } from "./hub";

const model = (id: string, gateway?: string): Model => ({ id, provider: id.split("/")[0] ?? "", gateway });
const gateway = (name: string, state: Gateway["state"]) =>
  ({
    name,
    state,
    url: "",
    builtin: false,
    color: 1,
    default: false,
    dialect: "framed",
    drift: false,
    hasToken: true,
    insecure: false,
    latencyMs: 0,
  }) as Gateway;

afterEach(() => {
  vi.restoreAllMocks();
  useModels.setState({ models: [], state: "none" });
});

describe("models", () => {
  it("what is asked for while an answer is on its way is read after it", async () => {
    let answer: (m: Model[]) => void = () => undefined;
    const ask = vi
      .spyOn(hub, "models")
      .mockImplementationOnce(
        () =>
          new Promise((done) => {
            answer = (models) => done({ models });
          }),
      )
      .mockResolvedValue({ models: [model("new/one")] });
    const first = useModels.getState().load();
    void useModels.getState().load();
    answer([model("old/one")]);
    await first;
    expect(ask).toHaveBeenCalledTimes(2);
    expect(useModels.getState()).toMatchObject({ state: "ready", models: [{ id: "new/one" }] });
  });

  it("models are read again when a gateway is added or connects, and not at each sign of life", async () => {
    const ask = vi.spyOn(hub, "models").mockResolvedValue({ models: [] }),
      off = followModels();
    await useModels.getState().load();
    takeNotify({ seq: 1, gateways: [gateway("local", "connected")] });
    takeNotify({ seq: 2, gateways: [{ ...gateway("local", "connected"), latencyMs: 7 }] });
    expect(ask).toHaveBeenCalledTimes(1);
    takeNotify({ seq: 3, gateways: [gateway("local", "connected"), gateway("studio", "connecting")] });
    await vi.waitFor(() => expect(useModels.getState().state).toBe("ready"));
    takeNotify({ seq: 4, gateways: [gateway("local", "connected"), gateway("studio", "connected")] });
    await vi.waitFor(() => expect(useModels.getState().state).toBe("ready"));
    expect(ask).toHaveBeenCalledTimes(3);
    off();
  });

  it("an agent is offered only the models of its gateway", () => {
    const all = [model("fake/2", "studio"), model("demo/echo", "local"), model("fake/1", "studio")];
    expect(modelsOf(all, "studio").map((m) => m.id)).toEqual(["fake/2", "fake/1"]);
    expect(modelsOf(all, "local").map((m) => m.id)).toEqual(["demo/echo"]);
  });
});

describe("the model of a new agent", () => {
  const at = (name: string, dialect: string, models: Model[], used: string[] = []) => {
    useTeam.setState({ gateway: name, topology: { agents: used.map((m, i) => ({ id: `a${i}`, model: m })) } });
    useHub.setState({ gateways: [{ ...gateway(name, "connected"), dialect } as Gateway] });
    useModels.setState({ models });
    return modelForNew();
  };
  const echo = model("demo/echo", "local"),
    one = model("stub/one", "local"),
    two = model("stub/two", "local");

  it("is the only one of the built-in gateway; another gateway has its own default", () => {
    expect(at("local", "local", [echo, model("fake/1", "studio")])).toBe("demo/echo");
    expect(at("local", "local", [])).toBeUndefined();
    expect(at("studio", "framed", [model("fake/1", "studio")], ["fake/1"])).toBeUndefined();
  });
  it("is a provider's only model rather than the demo; of several, the person chooses", () => {
    expect(at("local", "local", [echo, one])).toBe("stub/one");
    expect(at("local", "local", [echo, one, two])).toBeUndefined();
  });
  it("is what most agents of the team use, if the gateway offers it", () => {
    expect(at("local", "local", [echo, one, two], ["stub/two", "demo/echo", "stub/two"])).toBe("stub/two");
    expect(at("local", "local", [echo, one, two], ["gone/model"])).toBeUndefined();
  });
});
