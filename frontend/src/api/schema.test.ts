import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import openapiTS, { astToString, COMMENT_HEADER } from "openapi-typescript";
import { expect, test } from "vitest";

const description = new URL("../../../docs/openapi.yaml", import.meta.url);
const types = fileURLToPath(new URL("./schema.d.ts", import.meta.url));

test("the page's types are those of docs/openapi.yaml: npm run gen:api writes them", { timeout: 60_000 }, async () => {
  const made = `${COMMENT_HEADER}${astToString(await openapiTS(description))}`;
  expect(made.length).toBeGreaterThan(100_000);
  expect(made === readFileSync(types, "utf8"), "schema.d.ts is out of date: run npm run gen:api").toBe(true);
});
