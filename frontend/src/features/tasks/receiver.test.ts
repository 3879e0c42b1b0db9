import type { TFunction } from "i18next";
import { expect, it, vi } from "vitest";
import type { Candidate } from "@/topology";
import { atItsGateway, teamHint } from "./receiver";

vi.mock("@/i18n/format", () => ({ formatList: (l: string[]) => l.join("+") }));

const at = (id: string, gateway: string, can = ["chat"]) =>
  ({ id: `${id}@${gateway}`, gateway, may: true, can }) as Candidate;

it("OC-5 a task for a team at an added gateway goes to its coordinator there, or else to its first agent", () => {
  const drawn = [{ id: "writer" }, { id: "lead", role: "コーディネーター" }, { id: "new" }];
  const agents = [{ id: "lead", may: true, can: ["chat"] } as Candidate, at("writer", "home"), at("lead", "home")];
  expect(atItsGateway(drawn, agents, "home", "chat")?.id).toBe("lead@home");
  expect(atItsGateway(drawn, [...agents.slice(0, 2), at("lead", "home", [])], "home", "chat")?.id).toBe("writer@home");
  expect(atItsGateway(drawn, agents, "work", "chat")).toBeUndefined();
  expect(atItsGateway([{ id: "new" }], agents, "home", "chat")).toBeUndefined();
});

it("CO-3 the menu names every coordinator that may receive the task", () => {
  const t = ((key: string, o?: { name?: string; names?: string }) =>
    `${key.split(".").at(-1)} ${o?.names ?? o?.name ?? ""}`.trim()) as unknown as TFunction;
  const one = (id: string, more: Partial<Candidate> = {}) =>
    ({ id, role: "Coordinator", may: true, can: ["chat"], ...more }) as Candidate;
  const dev = one("dev", { role: "Developer" }),
    mute = one("boss", { can: [], cause: { code: "no_provider" } });
  expect(teamHint(t, [one("lead"), dev], "chat")).toBe("receives lead");
  expect(teamHint(t, [one("lead"), one("boss"), dev], "chat")).toBe("receivesOne lead+boss");
  expect(teamHint(t, [one("lead"), mute, dev], "chat")).toBe("receives lead");
  expect(teamHint(t, [mute, dev], "chat")).toBe("mute boss");
  expect(teamHint(t, [one("lead"), dev], "command_execution")).toBe("teamHint");
});
