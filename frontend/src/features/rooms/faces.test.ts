import { describe, expect, it } from "vitest";
import { teamOf } from "@/stores/gatewayAgents";
import { fitting } from "@/ui/chat/mentions";
import { mentionable, peopleOf, type Known } from "./faces";

const example = teamOf([
    { id: "lead", name: "Lead" },
    { id: "backend", name: "Backend" },
  ]),
  studio = teamOf([
    { id: "r", name: "Research" },
    { id: "web", name: "Web" },
  ]);
const people = (known: Partial<Known>) => peopleOf({ members: [], answered: [], gateways: {}, ...known });

describe("who is in a room", () => {
  it("is an agent that takes turns there, with the face from its team", () => {
    const p = people({
      members: [{ name: "Web", agentId: "web" }, { name: "Guest" }],
      team: studio,
      gateways: { local: example },
    });
    expect([p.isAgent("Web"), p.isAgent("web"), p.isAgent("Guest"), p.isAgent("Mika")]).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(p.who("Web")).toEqual({ ...studio.faces.get("web"), name: "Web" });
    expect([p.idOf("Web"), p.who("Mika").color, p.who("Guest").color > 0]).toEqual(["web", 0, true]);
  });
  it("keeps its name in the room where it is called something else in a team by now", () => {
    const p = people({ members: [{ name: "Lead", agentId: "lead" }], team: teamOf([{ id: "lead", name: "Boss" }]) });
    expect([p.who("Lead").name, p.isAgent("Boss")]).toEqual(["Lead", true]);
    expect(p.isAgent("Lead")).toBe(true);
  });
  it("can be mentioned by the name that another agent of its team has in the room, too", () => {
    const p = people({
      members: [
        { name: "企画係", agentId: "agent-1" },
        { name: "agent-2", agentId: "agent-2" },
      ],
      team: teamOf([
        { id: "agent-1", name: "企画係" },
        { id: "agent-2", name: "企画係" },
      ]),
    });
    const list = mentionable(undefined, ["企画係", "agent-2"], p, ["Mia"], [], (s) => s);
    expect(fitting(list, "企").map((m) => [m.name, m.detail])).toEqual([
      ["企画係", "agent-1"],
      ["agent-2", "企画係"],
    ]);
  });
  it("is known by a gateway's name, or by what it answered, where it takes no turns any more", () => {
    const p = people({ answered: ["Ops"], gateways: { local: example, studio } });
    expect([
      p.isAgent("Backend"),
      p.isAgent("backend"),
      p.isAgent("Research"),
      p.isAgent("Ops"),
      p.isAgent("Somebody"),
    ]).toEqual([true, true, true, true, false]);
    expect(p.who("Backend")).toEqual({ ...example.faces.get("backend"), name: "Backend" });
  });
});
