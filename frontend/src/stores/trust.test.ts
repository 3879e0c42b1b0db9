import { expect, it } from "vitest";
import type { Problem, TrustStanding } from "../topology";
import { openProblems, withPermissions } from "./trust";

const problem = (code: string, agent: string): Problem => ({
  id: `${code}-${agent}`,
  code,
  severity: "warning",
  subject: "agent",
  agent,
  message: "",
  remedy: "",
});
const standing = (agent: string, state: TrustStanding["state"]) => ({ agent, state }) as TrustStanding;

it("TR-1 a problem about a permission says that it is given, once it is, and only then", () => {
  const problems = [
    problem("writes_outside", "a"),
    problem("writes_outside", "b"),
    problem("no_model", "a"),
    problem("runs_commands", "a"),
  ];
  const said = withPermissions(problems, [standing("a", "allowed"), standing("b", "changed")]);
  expect(said.map((p) => p.params?.allowed)).toEqual(["yes", undefined, undefined, "yes"]);
  expect(withPermissions(problems, [standing("b", "asked")])).toBe(problems);
  expect(openProblems(said).map((p) => p.id)).toEqual(["writes_outside-b", "no_model-a"]);
  expect(openProblems(problems)).toBe(problems);
});
