import tailwind from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { sampleHub } from "./dev/hub.ts";

export default defineConfig(({ mode }) => ({
  plugins: [react(), tailwind(), ...(mode === "sample" ? [sampleHub()] : [])],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  build: { target: "es2022", chunkSizeWarningLimit: 900, reportCompressedSize: false },
  server: { host: "127.0.0.1" },
  test: { include: ["src/**/*.test.{ts,tsx}"], environment: "node" },
}));
