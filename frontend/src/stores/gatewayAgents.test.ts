import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Answer, scriptedHub } from "../api/scriptedHub";
import type { Gateway, Notify } from "../topology";
import { followGatewayAgents, readDrawnTeam, useDrawnTeams, useGatewayAgents } from "./gatewayAgents";
import { takeNotify } from "./hub";

const gateway = (name: string, state: Gateway["state"]) => ({ name, state }) as Gateway;
const notify = (n: Partial<Notify>) => takeNotify({ seq: 1, ...n });
const names = (g: string) => useGatewayAgents.getState()[g]?.agents.map((a) => a.name);
const settled = () => vi.advanceTimersByTimeAsync(1_000);

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("the agents at a gateway are those it reports, and are read again after an apply and a reconnect", async () => {
  let team = [{ id: "a", name: "Ann" }];
  const hub = scriptedHub({
    "GET /api/gateways/local/agents": () => ({ agents: team }),
    "GET /api/gateways/far/agents": () => {
      throw new Answer(502);
    },
  });
  followGatewayAgents();
  notify({ reset: true, gateways: [gateway("local", "connected"), gateway("far", "down")] });
  await settled();
  expect([names("local"), names("far"), hub.of("/api/gateways/far/agents").length]).toEqual([["Ann"], undefined, 0]);
  team = [...team, { id: "b", name: "Bea" }];
  for (const state of ["running", "done"])
    notify({ applies: [{ id: "1", gateway: "local", state }] as unknown as Notify["applies"] });
  await settled();
  expect([names("local"), hub.of("/api/gateways/local/agents").length]).toEqual([["Ann", "Bea"], 2]);
  hub.routes["GET /api/gateways/local/agents"] = () => {
    throw new Answer(502);
  };
  notify({ gateways: [gateway("local", "connected"), gateway("far", "connected")] });
  await settled();
  expect([names("local"), names("far")]).toEqual([["Ann", "Bea"], undefined]);
});

it("the team of a room's team is read once", async () => {
  const hub = scriptedHub({
    "GET /api/teams/d1": () => ({ id: "d1", topology: { agents: [{ id: "a", name: "Ann" }] } }),
  });
  await readDrawnTeam("");
  await readDrawnTeam("d1");
  await readDrawnTeam("d1");
  await readDrawnTeam("gone");
  expect([useDrawnTeams.getState().d1?.faces.get("a")?.initials, hub.asked.length]).toEqual(["AN", 2]);
});
