import { expect, it } from "vitest";
import type { Candidate } from "@/topology";
import { atItsGateway } from "./receiver";

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
