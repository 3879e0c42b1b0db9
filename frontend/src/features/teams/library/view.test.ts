import { describe, expect, it } from "vitest";
import { arrange } from "./view";

const row = (id: string, name: string, agents: number, updatedAt: string, gateway = "local") => ({
  id,
  name,
  agents,
  updatedAt,
  gateway,
});
const rows = [
  row("1", "Team 10", 3, "2026-11-01"),
  row("2", "Team 9", 5, "2026-11-03", "studio"),
  row("3", "夜勤チーム", 5, "2026-11-02"),
];
const ids = (search: string, sort: "edited" | "name" | "agents" | "gateway") =>
  arrange(rows, search, sort)
    .map((r) => r.id)
    .join("");

describe("the library's order", () => {
  it("is the last edited first, or by name with numbers as numbers, agents, gateway", () => {
    expect(ids("", "edited")).toBe("231");
    expect(ids("", "name").replace("3", "")).toBe("21");
    expect(ids("", "agents")[2]).toBe("1");
    expect(ids("", "gateway")).toMatch(/2$/);
  });
  it("finds by name in any kana and by gateway", () => {
    expect(ids("ちーむ", "edited")).toBe("3");
    expect(ids("studio", "edited")).toBe("2");
    expect(ids("nothing", "edited")).toBe("");
  });
});
