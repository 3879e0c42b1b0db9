// Builds the page with plain React Flow from the packages that the product itself uses.
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const [frontend, out] = process.argv.slice(2);
const { build } = await import(pathToFileURL(createRequire(frontend).resolve("vite")));
const here = path.dirname(fileURLToPath(import.meta.url)),
  packages = path.join(path.dirname(frontend), "node_modules");
await build({
  configFile: false,
  root: here,
  logLevel: "error",
  define: { "process.env.NODE_ENV": '"production"' },
  resolve: { alias: [{ find: /^(react|react-dom|@xyflow\/react)(\/.*)?$/, replacement: `${packages}/$1$2` }] },
  oxc: { jsx: { runtime: "automatic" } },
  build: {
    outDir: out,
    emptyOutDir: true,
    minify: true,
    reportCompressedSize: false,
    lib: { entry: path.join(here, "plain.jsx"), formats: ["es"], fileName: () => "plain.js", cssFileName: "plain" },
  },
});
mkdirSync(out, { recursive: true });
writeFileSync(
  path.join(out, "index.html"),
  '<!doctype html><meta charset="utf-8"><title>Plain React Flow</title><link rel="stylesheet" href="plain.css"><style>body{margin:0}</style><div id="root"></div><script type="module" src="plain.js"></script>',
);
