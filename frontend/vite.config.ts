import tailwind from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { Buffer } from "node:buffer";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { build } from "vite";
import { defineConfig, type Plugin } from "vitest/config";
import { sampleHub } from "./dev/hub.ts";

/** Writes app.js.br and app.js.gz beside app.js, so that the hub need not compress while it serves. */
function precompressed(): Plugin {
  return {
    name: "agentflow:precompressed",
    apply: "build",
    generateBundle: {
      order: "post",
      handler(_, bundle) {
        for (const [name, part] of Object.entries(bundle)) {
          if (!/^assets\/.*\.(js|css|svg)$/.test(name)) continue;
          const plain = Buffer.from(part.type === "chunk" ? part.code : part.source);
          if (plain.length < 1024) continue;
          this.emitFile({ type: "asset", fileName: `${name}.gz`, source: gzipSync(plain, { level: 9 }) });
          this.emitFile({
            type: "asset",
            fileName: `${name}.br`,
            source: brotliCompressSync(plain, {
              params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length },
            }),
          });
        }
      },
    },
  };
}

/** The messages' part writes its rules into the page by itself, which the page's policy forbids; we bring them as a file. */
function noOwnStyles(): Plugin {
  return {
    name: "agentflow:no-own-styles",
    transform(code, id) {
      if (!/node_modules\/sonner\/dist\/index\.mjs/.test(id)) return;
      if (!/^__insertCSS\(/m.test(code))
        this.error("sonner no longer inserts its rules by __insertCSS: look at how it does");
      return { code: code.replace(/^__insertCSS\(.*\);?$/m, ""), map: null };
    },
  };
}

/**
 * React Flow gives parts that we do not use (controls, a map, a background) names for developers' tools, and so they count as used.
 * Without the names they stay out of the page.
 */
function noNamesForTools(): Plugin {
  return {
    name: "agentflow:no-names-for-tools",
    apply: "build",
    transform(code, id) {
      if (!/node_modules\/@xyflow\/react\/dist\/esm\/index\.m?js/.test(id)) return;
      if (!/^\w+\.displayName = /m.test(code))
        this.error("React Flow no longer names its parts by displayName: look whether this is still needed");
      return {
        code: code
          .replace(/^\w+\.displayName = .*;$/gm, "")
          .replace(/ = (memo|forwardRef)\(/g, " = /* @__PURE__ */ $1("),
        map: null,
      };
    },
  };
}

const at = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Builds the service worker as one file, with the name that browsers ask for to find a newer one. */
function pushWorker(): Plugin {
  return {
    name: "agentflow:push-worker",
    apply: "build",
    async generateBundle() {
      const built = await build({
        configFile: false,
        logLevel: "warn",
        publicDir: false,
        resolve: { alias: { "@": at("./src") } },
        build: {
          target: "es2022",
          write: false,
          rolldownOptions: {
            input: at("./src/pushWorker.ts"),
            output: { format: "iife", entryFileNames: "push-worker.js" },
          },
        },
      });
      if (!("output" in built) || built.output.length !== 1) return this.error("the service worker isn't one file");
      this.emitFile({ type: "asset", fileName: "push-worker.js", source: built.output[0].code });
    },
  };
}

/** What several parts of the page share. */
const ofSeveral =
  /[\\/]src[\\/](?!i18n|ui[\\/](chat|text))|node_modules[\\/](lucide|@radix|@floating|react-remove|cmdk)/;

export default defineConfig(({ mode }) => ({
  plugins: [
    react(),
    tailwind(),
    noOwnStyles(),
    noNamesForTools(),
    precompressed(),
    pushWorker(),
    ...(mode === "sample" ? [sampleHub()] : []),
  ],
  resolve: { alias: { "@": at("./src") } },
  // The hub puts a word in its place that is new for each load.
  html: { cspNonce: "{{nonce}}" },
  build: {
    target: "es2022",
    license: { fileName: "licences/page.json" },
    chunkSizeWarningLimit: 700,
    reportCompressedSize: false,
    // What the first picture needs comes in one file: fewer requests, and it compresses better than sixty small ones.
    // What several later parts share comes in one file too: a page made 200 requests in its first seconds, now 80.
    // The parts for long texts (ui/chat, ui/text) stay apart, since most screens don't need them.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: "first", tags: ["$initial"], priority: 2 },
            {
              name: "shared",
              minShareCount: 2,
              maxModuleSize: 60_000,
              test: ofSeveral,
            },
          ],
        },
      },
    },
  },
  server: { host: "127.0.0.1" },
  optimizeDeps: { exclude: ["sonner"] },
  test: {
    include: ["src/**/*.test.{ts,tsx}"],
    environment: "node",
    isolate: false, // src/testSetup.ts clears what a file leaves behind
    setupFiles: ["src/testSetup.ts"],
    server: { deps: { inline: ["i18next", "react-i18next"] } }, // so that the language is cleared, too
    // On a busy machine, a file takes long to load: only what hangs should fail.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
}));
