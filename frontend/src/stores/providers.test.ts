import { afterEach, describe, expect, it, vi } from "vitest";
import { later, scriptedHub } from "../api/scriptedHub";
import { providerActions, useProviders } from "./providers";

const price = (input: number) => ({ model: "local/m", input, output: 2 });

describe("CH-11 prices", () => {
  afterEach(() => {
    useProviders.setState(useProviders.getInitialState(), true);
    vi.unstubAllGlobals();
  });

  it("stay as they were saved when an earlier list arrives after that", async () => {
    const list = later<object>();
    scriptedHub({
      "GET /api/providers": () => ({ providers: [] }),
      "GET /api/prices": () => list.promise,
      "PUT /api/prices": () => ({ prices: [price(1)] }),
      "DELETE /api/prices": () => ({ prices: [] }),
    });
    const loading = providerActions.load();
    await providerActions.setPrice(price(1));
    list.resolve({ prices: [price(7)] });
    await loading;
    expect(useProviders.getState()).toMatchObject({ state: "ready", prices: { "local/m": price(1) } });
    await providerActions.forgetPrice("local/m");
    expect(useProviders.getState().prices).toEqual({});
  });

  it("belong to the list that was asked for last", async () => {
    const lists = [later<object>(), later<object>()];
    let asked = 0;
    scriptedHub({
      "GET /api/providers": () => lists[asked++]?.promise,
      "GET /api/prices": () => ({ prices: [] }),
    });
    const loads = [providerActions.load(), providerActions.load()];
    const named = (name: string) => ({ providers: [{ name, problem: "no key" }] });
    lists[1]!.resolve(named("new"));
    await loads[1];
    lists[0]!.resolve(named("old"));
    await loads[0];
    expect(useProviders.getState().providers.map((p) => p.name)).toEqual(["new"]);
  });
});
