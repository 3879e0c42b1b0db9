import js from "@eslint/js";
import hooks from "eslint-plugin-react-hooks";
import path from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript-eslint";

const src = path.join(path.dirname(fileURLToPath(import.meta.url)), "src");

// Who may import whom inside src: ui <- flow <- features -> stores -> api, and app composes.
// A feature is "features/<name>" and sees no other feature.
const law = {
  ui: [],
  i18n: ["api/constants", "topology/plainName"],
  topology: ["api/types", "api/constants"],
  api: [],
  stores: ["api", "topology"],
  flow: ["ui", "topology", "i18n"],
  features: ["ui", "flow", "stores", "topology", "i18n"],
  app: ["ui", "flow", "features", "stores", "topology", "i18n"],
  main: ["app", "i18n", "ui", "flow", "stores"],
};

function place(file) {
  const parts = path.relative(src, file).split(path.sep);
  if (parts[0] === "..") return null;
  if (parts.length === 1 && !(parts[0] in law)) return { layer: "main", unit: "main", path: parts[0] };
  const unit = parts[0] === "features" ? `features/${parts[1]}` : parts[0];
  return { layer: parts[0], unit, path: parts.join("/") };
}

const importLaw = {
  meta: { type: "problem", schema: [] },
  create(context) {
    const from = place(context.filename);
    if (!from) return {};
    const check = (node) => {
      const spec = node.source?.value;
      if (typeof spec !== "string" || !/^(@\/|\.)/.test(spec)) return;
      const abs = spec.startsWith("@/")
        ? path.join(src, spec.slice(2))
        : path.resolve(path.dirname(context.filename), spec);
      const to = place(abs);
      if (!to || to.unit === from.unit || to.path.endsWith(".css")) return;
      const allowed = (law[from.layer] ?? []).some((a) => to.layer === a || to.path.replace(/\.tsx?$/, "") === a);
      if (!allowed)
        context.report({ node, message: `${from.unit} may not import ${to.path} (import law in eslint.config.js)` });
    };
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
    };
  },
};

// Rules that need types are in .oxlintrc.json: oxlint takes a tenth of the time for them.
export default ts.config(
  { ignores: ["dist", "node_modules", "test-results"] },
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  js.configs.recommended,
  ...ts.configs.recommended,
  {
    files: ["**/*.{ts,tsx}"],
    plugins: { agentflow: { rules: { "import-law": importLaw } } },
    rules: {
      "agentflow/import-law": "error",
      "max-lines": ["error", { max: 400 }],
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      eqeqeq: ["error", "smart"],
      "no-console": "error",
    },
  },
  { files: ["src/**/*.{ts,tsx}"], plugins: { "react-hooks": hooks }, rules: hooks.configs.recommended.rules },
  {
    files: ["src/**/*.{ts,tsx}"],
    ignores: ["src/api/**"],
    rules: {
      "no-restricted-globals": [
        "error",
        { name: "fetch", message: "only src/api opens a socket" },
        { name: "WebSocket", message: "only src/api opens a socket" },
        { name: "EventSource", message: "only src/api opens a socket" },
      ],
    },
  },
  { files: ["src/api/schema.d.ts"], rules: { "max-lines": "off" } }, // as long as the API is
  {
    files: ["**/*.{js,mjs}", "dev/**", "e2e/**"],
    languageOptions: { globals: { process: "readonly", console: "readonly", URL: "readonly" } },
    rules: { "no-console": "off", "no-undef": "off" },
  },
  { files: ["src/api/schema.d.ts"], rules: { "max-lines": "off" } }, // it is generated
  {
    // It names the English files for their types only, and repeats the type parameters of i18next.
    files: ["src/i18n/textKeys.ts"],
    rules: { "@typescript-eslint/consistent-type-imports": "off", "@typescript-eslint/no-unused-vars": "off" },
  },
  { files: ["**/*.test.{ts,tsx}", "e2e/**"], rules: { "@typescript-eslint/no-non-null-assertion": "off" } },
);
