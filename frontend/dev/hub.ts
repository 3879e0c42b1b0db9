import type { Plugin } from "vite";
export function sampleHub(): Plugin { return { name: "sample-hub" }; }
