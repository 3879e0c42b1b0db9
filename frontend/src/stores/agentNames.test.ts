import { beforeEach, describe, expect, it } from "vitest";
import { agentNameOf } from "./agentNames";
import { useTeam } from "./team";
import { teamOf, useGatewayAgents } from "./gatewayAgents";

describe("the name of an agent in a notice", () => {
  beforeEach(() => {
    useGatewayAgents.setState({}, true);
    useTeam.setState({ topology: { agents: [{ id: "dev", name: "Draft" }, { id: "bare" }] } });
  });
  it("is the one that its gateway has, whichever team is open", () => {
    useGatewayAgents.setState({
      local: teamOf([
        { id: "dev", name: "Dev" },
        { id: "writer", name: "Writer" },
      ]),
    });
    expect(["dev", "writer"].map(agentNameOf)).toEqual(["Dev", "Writer"]);
  });
  it("is the one of the open team where no gateway knows it, and its id where nobody does", () => {
    expect(["dev", "bare", "gone"].map(agentNameOf)).toEqual(["Draft", "bare", "gone"]);
  });
  it("is the plan's, without the end of its id, where a plan asks", () => {
    expect(agentNameOf("Dark mode · first · 01k758")).toBe("Dark mode · first");
    expect(agentNameOf("Dark · mode")).toBe("Dark · mode");
  });
});
