// @vitest-environment happy-dom
import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, expect, it } from "vitest";
import { loadLanguage, startLanguage } from "@/i18n";
import type { Preview, PreviewChange, Problem } from "@/topology";
import { holdingUp } from "./choose";
import { FirstChoice } from "./FirstChoice";

beforeAll(() => startLanguage().then(() => loadLanguage("en")));

const change = (id: string, more: Partial<PreviewChange>): PreviewChange => ({
  id,
  op: "changed",
  subject: "agent",
  impact: "hot",
  ...more,
});
const changes = [
  change("agent:new", { op: "added", agent: "new" }),
  change("connection:lead:command:new", { op: "added", subject: "connection", agent: "lead", needs: ["agent:new"] }),
  change("agent:writer:model", { agent: "writer", field: "model" }),
  change("agent:writer:name", { agent: "writer", field: "name" }),
];
const error = (more: Partial<Problem>): Problem => ({ id: "e", severity: "error", code: "x", ...more }) as Problem;
const held = (problems: Problem[], leaveOut: string[] = [], of = changes) => holdingUp(of, problems, leaveOut);

it("APP-3 an apply goes without an agent only where its error goes with its changes", () => {
  expect(held([error({ agent: "new", field: "model" })])).toEqual(["new"]);
  expect(held([error({ agent: "writer", field: "model" }), error({ agent: "new" })])).toEqual(["writer", "new"]);
  expect(held([error({ agent: "writer", field: "role" })])).toEqual([]); // it has been so before
  expect(held([error({ agent: "lead" })])).toEqual([]);
  expect(held([error({ agent: "new" }), error({})])).toEqual([]); // one is of the team
  expect(held([])).toEqual([]);
  expect(held([{ ...error({ agent: "new" }), severity: "warning" }])).toEqual([]);
});

it("APP-3 where nothing else would be left to apply, it isn't offered", () => {
  expect(held([error({ agent: "new" })], [], changes.slice(0, 2))).toEqual([]);
  expect(held([error({ agent: "new" })], ["agent:writer:model", "agent:writer:name"])).toEqual([]);
});

it("APP-3 coordinators are counted, however many teams become one", () => {
  const agents = ["a", "b", "c"].map((id) => ({ id, name: id.toUpperCase(), role: "Coordinator" }));
  const merge = { coordinators: ["a", "b", "c"], others: ["b", "c"], merged: { agents } };
  const text = renderToStaticMarkup(<FirstChoice preview={{ merge, changes: [] } as unknown as Preview} />);
  expect(text).toContain("The team then has 3 coordinators: A, B, C.");
  expect(text).not.toContain("Both");
});
