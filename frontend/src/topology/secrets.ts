// What a secret in clear looks like, as the hub's linter sees it (backend/team/lint/secrets.go): a copy to the
// clipboard must be clean at once, also while the hub is away. Both are tested with the same cases.

const removed = "[removed]";

const prefixes: [text: string, more: number][] = [
  ["sk-", 16],
  ["ghp_", 20],
  ["gho_", 20],
  ["ghu_", 20],
  ["ghs_", 20],
  ["ghr_", 20],
  ["github_pat_", 20],
  ["glpat-", 16],
  ["xoxb-", 10],
  ["xoxp-", 10],
  ["xoxa-", 10],
  ["xoxs-", 10],
  ["xapp-", 10],
  ["AKIA", 16],
  ["AIza", 30],
  ["hf_", 20],
];
const variable = /^[A-Za-z_][A-Za-z0-9_]*$/;
const privateKey = /-----BEGIN [A-Z ]*PRIVATE KEY/;
const keyBlock = /-----BEGIN [A-Z ]*PRIVATE KEY[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g;
const token = /[0-9A-Za-z_-]/;

/** True of the value of a secret key that is none itself: empty, masked, or the name of an environment variable. */
function refersTo(value: string): boolean {
  const v = value.trim();
  if (!v || v === "__OPENCLAW_REDACTED__") return true;
  if (v.startsWith("env:")) return variable.test(v.slice(4));
  return v.startsWith("$") && variable.test(v.slice(1).replace(/^\{/, "").replace(/\}$/, ""));
}

/** True of apiKey, GH_TOKEN and client-secret; not of maxTokens, tokenizer or tokenEnv. */
function secretKey(key: string): boolean {
  const w = key
    .replace(/([^\p{Lu}])(?=\p{Lu})/gu, "$1 ")
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .map((x) => x.toLowerCase());
  if (!w.length || /^(env|file|path|name|id|url|ref|type|limit|budget|count)$/.test(w.at(-1) ?? "")) return false;
  return w.some(
    (x, i) =>
      /^(token|secrets?|password|passwd|passphrase|apikey|privatekey|credentials?)$/.test(x) ||
      (x === "key" && /^(api|private|access)$/.test(w[i - 1] ?? "")),
  );
}

function looksRandom(s: string, least: number): boolean {
  const run = /^[0-9A-Za-z_-]*/.exec(s)?.[0] ?? "";
  return run.length >= least && /[0-9]/.test(run) && /[A-Za-z]/.test(run);
}

function hasPassword(text: string): boolean {
  return text.split(/\s+/).some((word) => {
    const m = /[a-z]*:\/\/[^/?#]*@/.exec(word),
      user = m && /:\/\/([^/?#]*)@/.exec(m[0])?.[1];
    const colon = user?.indexOf(":") ?? -1;
    return user !== undefined && colon >= 0 && !refersTo(decoded(user?.slice(colon + 1) ?? ""));
  });
}

function decoded(s: string): string {
  try {
    return decodeURIComponent(s);
  } catch {
    return s;
  }
}

/** Whether a text has the prefix of a well-known secret, a private key, or an address with a password in it. */
export function holdsSecret(text: string): boolean {
  if (text.length < 12) return false;
  for (const [prefix, more] of prefixes) {
    for (let i = text.indexOf(prefix); i >= 0; i = text.indexOf(prefix, i + prefix.length)) {
      if (!token.test(text[i - 1] ?? " ") && looksRandom(text.slice(i + prefix.length), more)) return true;
    }
  }
  return privateKey.test(text) || (text.includes("://") && text.includes("@") && hasPassword(text));
}

function redact(text: string): string {
  const out = text.replace(keyBlock, removed).replace(/\S+/g, (w) => (holdsSecret(w) ? removed : w));
  return holdsSecret(out) ? removed : out;
}

/** A value without its secrets, or undefined if nothing is left. Calls `left` with the path of each secret. */
export function withoutSecrets(value: unknown, at: string, left: (at: string) => void, key = at): unknown {
  const inside = (k: string) => (at ? `${at}.${k}` : k);
  if (typeof value === "string") {
    if (key === "secretEnv" ? !!value && !variable.test(value) : secretKey(key) && !refersTo(value)) {
      left(at);
      return undefined;
    }
    if (!holdsSecret(value)) return value;
    left(at);
    return redact(value);
  }
  if (Array.isArray(value))
    return value.map((v, i) => withoutSecrets(v, `${at}[${i}]`, left, key)).filter((v) => v !== undefined);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([k, v]) => {
      const clean = withoutSecrets(v, inside(k), left, k);
      return clean === undefined ? [] : [[k, clean]];
    }),
  );
}
