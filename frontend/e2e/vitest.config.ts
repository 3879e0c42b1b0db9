import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const one = {
  environment: "node",
  pool: "forks",
  isolate: false, // the files of a worker share a browser and its cache
  testTimeout: 150_000,
  hookTimeout: 60_000,
  chaiConfig: { truncateThreshold: 0 },
  maxConcurrency: 2, // random walks
} as const;
// Tests that change this computer's network: browsers, also those of other tests, then drop the responses under way
// (ERR_NETWORK_CHANGED).
const alone = ["e2e/elsewhere.spec.ts"];
// Real gateways take half a minute to start, and keep a core busy meanwhile.
const gateways = ["e2e/realsessions.spec.ts", "e2e/journeys/gateway.spec.ts"];

/** The random walks take longest, so they begin first and the other files run beside them. */
class WalksFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const walks = (f: TestSpecification) => f.moduleId.endsWith("monkey.spec.ts");
    return (await super.sort(files)).sort((a, b) => Number(walks(b)) - Number(walks(a)));
  }
}

// The page in a browser against a real hub. Three files at a time: two leave a fifth of two cores idle.
export default defineConfig(({ mode }) => ({
  test:
    mode === "test"
      ? {
          maxWorkers: 3,
          sequence: { sequencer: WalksFirst },
          projects: [
            {
              test: {
                ...one,
                name: "page",
                include: ["e2e/**/*.spec.ts"],
                exclude: [...alone, ...gateways],
                maxWorkers: 3,
                sequence: { groupOrder: 0 },
              },
            },
            { test: { ...one, name: "alone", include: alone, maxWorkers: 1, sequence: { groupOrder: 1 } } },
            { test: { ...one, name: "gateways", include: gateways, maxWorkers: 1, sequence: { groupOrder: 2 } } },
          ],
        }
      : { ...one, include: mode === "journeys" ? ["e2e/journeys/*.spec.ts"] : [`e2e/${mode}.ts`] },
}));
