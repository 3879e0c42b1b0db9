import { defineConfig } from "vitest/config";

// The page in a browser against a real hub. Two files at a time, because two cores are what there is.
export default defineConfig(({ mode }) => ({
  test: {
    include: mode === "test" ? ["e2e/**/*.spec.ts"] : [`e2e/${mode}.ts`],
    environment: "node", pool: "forks", maxWorkers: 2, testTimeout: 150_000, hookTimeout: 60_000,
  },
}));
