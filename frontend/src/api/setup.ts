import { client as c, take, within } from "./client";
import type { ModelPrice, ProviderEdit } from "./types";

const patient = 90_000;
const named = (name: string, signal?: AbortSignal) => ({
  params: { path: { name } },
  signal: within(undefined, signal),
});

/** Requests about what is set up on this computer: model providers, and what was found. */
export const setup = {
  providers: () => take(c.GET("/api/providers", { signal: within() })),
  addProvider: (body: ProviderEdit) => take(c.POST("/api/providers", { body, signal: within() })),
  saveProvider: (name: string, body: ProviderEdit) => take(c.PUT("/api/providers/{name}", { ...named(name), body })),
  removeProvider: (name: string) => take(c.DELETE("/api/providers/{name}", named(name))),
  offer: (name: string, signal?: AbortSignal) => take(c.GET("/api/providers/{name}/models", named(name, signal))),
  tryProvider: (provider: ProviderEdit, model?: string, signal?: AbortSignal) =>
    take(c.POST("/api/provider-test", { body: { provider, model }, signal: within(patient, signal) })),
  prices: () => take(c.GET("/api/prices", { signal: within() })).then((r) => r.prices),
  putPrice: (body: ModelPrice) => take(c.PUT("/api/prices", { body, signal: within() })).then((r) => r.prices),
  removePrice: (model: string) =>
    take(c.DELETE("/api/prices", { params: { query: { model } }, signal: within() })).then((r) => r.prices),
  diagnostics: () => take(c.GET("/api/diagnostics", { signal: within() })),
  keepTexts: (keepsTexts: boolean) => take(c.PUT("/api/diagnostics", { body: { keepsTexts }, signal: within() })),
  calls: (agent: string, before?: number) =>
    take(
      c.GET("/api/llm-calls", {
        params: { query: { agent: agent || undefined, before, limit: 50 } },
        signal: within(),
      }),
    ).then((r) => r.calls),
  callText: (id: number) => take(c.GET("/api/llm-calls/{id}/text", { params: { path: { id } }, signal: within() })),
  found: () => take(c.GET("/api/found", { signal: within() })),
};
