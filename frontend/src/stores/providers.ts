import { create } from "zustand";
import { asApiError, type ApiError } from "../api/error";
import { setup } from "../api/setup";
import type { Found, ModelPrice, Offer, Provider, ProviderEdit, Trial } from "../topology";
import { useModels } from "./models";
import { formatRoute } from "./routes";

type Providers = {
  providers: Provider[];
  state: "none" | "loading" | "ready" | "failed";
  error?: ApiError;
  /** The last answer of each provider; absent until there is one. */
  offers: Record<string, Offer>;
  /** The providers that are being asked. What they offered before stays until they answer. */
  asked: Record<string, true>;
  found: Found;
  /** What models cost, by provider/model or provider/*; those that nobody has written down are not here. */
  prices: Record<string, ModelPrice>;
};

/** The model providers, and what each of them offers. */
export const useProviders = create<Providers>()(() => ({
  providers: [],
  state: "none",
  offers: {},
  asked: {},
  found: {},
  prices: {},
}));

const set = useProviders.setState;

async function ask(name: string): Promise<void> {
  set((s) => ({ asked: { ...s.asked, [name]: true } }));
  let offer: Offer;
  try {
    offer = await setup.offer(name);
  } catch (e) {
    const { code, message, details } = asApiError(e);
    offer = { provider: name, kind: "", default: false, models: [], error: { code, message, details } };
  }
  set(({ offers, asked: { [name]: _, ...asked } }) => ({ offers: { ...offers, [name]: offer }, asked }));
}

/** They number the requests, so that the answer to an earlier one is ignored after a later one or a change. */
let loads = 0,
  pricings = 0;
const takePrices = (list: ModelPrice[]) => set({ prices: Object.fromEntries(list.map((p) => [p.model, p])) });

/** Reads the list again, and asks each provider for its models. */
async function load(): Promise<void> {
  if (useProviders.getState().state === "none") set({ state: "loading" });
  const mine = ++loads,
    pricing = ++pricings;
  try {
    const [{ providers }, prices] = await Promise.all([setup.providers(), setup.prices()]);
    if (mine !== loads) return;
    if (pricing === pricings) takePrices(prices);
    set({ providers, state: "ready", error: undefined });
    await Promise.all(providers.filter((p) => !p.problem).map((p) => ask(p.name)));
  } catch (e) {
    if (mine === loads) set({ state: "failed", error: asApiError(e) });
  }
}

/** Takes the prices as a change has left them. */
async function changePrices(work: Promise<ModelPrice[]>): Promise<void> {
  pricings++;
  const prices = await work;
  pricings++;
  takePrices(prices);
}

/** Where providers are added. */
export const modelsLink = formatRoute("settings", { section: "models" });

/** The hub's provider that has the model, where it has one. */
export function providerOf(model: string, providers: readonly Provider[]): Provider | undefined {
  const cut = model.indexOf("/");
  return model.trim()
    ? providers.find((p) => !p.problem && (cut < 0 ? p.default : p.name === model.slice(0, cut)))
    : undefined;
}

/** What an agent can be given has changed with it. */
async function changed<T>(work: Promise<T>): Promise<T> {
  const made = await work;
  void load();
  void useModels.getState().load();
  return made;
}

/** A provider as it would be edited, without a change. */
export const asEdit = (p: Provider): ProviderEdit => ({
  name: p.name,
  kind: p.kind,
  baseUrl: p.baseUrl,
  command: p.command,
});

/** Requests about providers. All reject with ApiError. */
export const providerActions = {
  load,
  ask,
  /** Reads who they are, and asks none of them. */
  list: async () => {
    set({ providers: (await setup.providers()).providers });
  },
  add: (p: ProviderEdit) => changed(setup.addProvider(p)),
  save: (name: string, p: ProviderEdit) => changed(setup.saveProvider(name, p)),
  remove: (name: string) => changed(setup.removeProvider(name)),
  setPrice: (p: ModelPrice) => changePrices(setup.putPrice(p)),
  forgetPrice: (model: string) => changePrices(setup.removePrice(model)),
  /** Asks one question; what went wrong stands in the answer. */
  test: (p: ProviderEdit, model?: string, signal?: AbortSignal): Promise<Trial> => setup.tryProvider(p, model, signal),
  /** Looks for what runs on this computer. */
  find: async () => {
    set({ found: await setup.found() });
  },
};
