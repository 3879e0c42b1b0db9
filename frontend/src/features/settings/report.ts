import type { About, TeamSummary, Gateway, Provider, Settings } from "@/topology";

type Facts = {
  about: About;
  gateways: Gateway[];
  providers: Provider[];
  teams: TeamSummary[];
  settings: Settings;
  page: { agent: string; language: string; width: number; height: number; window: boolean };
};

/** An address without what may let somebody in. */
export function safeAddress(url: string): string {
  try {
    const u = new URL(url);
    return `${u.protocol}//${u.host}${u.pathname === "/" ? "" : u.pathname}`;
  } catch {
    return "(not an address)";
  }
}

/** A home folder names its owner, who need not be known. */
const safePath = (path: string) => path.replace(/^(\/home\/|\/Users\/|[A-Za-z]:\\Users\\)[^/\\]+/, "~");

/** What somebody who helps needs to know, in English, without tokens, names of teams or of people. */
export function diagnostics({ about: a, gateways, providers, teams, settings, page }: Facts): string {
  const lines = [
    `AgentFlow ${a.version}${a.commit ? ` (${a.commit})` : ""}`,
    `built: ${a.builtAt ?? "unknown"}, ${a.go}`,
    `system: ${a.os} ${a.arch}`,
    `data: ${safePath(a.dataDir)}`,
    `page: ${page.window ? "window" : "browser"}, ${page.width}x${page.height}, ${page.language}`,
    `browser: ${page.agent}`,
    `settings: language ${settings.language}, theme ${settings.theme}, gpu ${settings.gpuPolicy}, motion ${settings.motion}`,
    `sandbox: ${a.sandbox.active ? a.sandbox.name : `none${a.sandbox.problem ? `, ${a.sandbox.problem.text}` : ""}`}, mode ${a.sandbox.mode}`,
    `teams: ${teams.length}, agents ${sum(teams, "agents")}, connections ${sum(teams, "connections")}, errors ${sum(teams, "errors")}, warnings ${sum(teams, "warnings")}`,
    `gateways: ${gateways.length}`,
    ...gateways.map(
      (g, i) =>
        `  ${i + 1}. ${g.builtin ? "local" : safeAddress(g.url)}: ${g.state}${g.dialect ? `, ${g.dialect}` : ""}${g.serverVersion ? `, server ${g.serverVersion}` : ""}${g.state === "connected" ? `, ${Math.round(g.latencyMs)} ms` : ""}${g.insecure ? ", insecure" : ""}${g.hasToken ? ", has a token" : ""}${g.error ? `, ${g.error.code}${typeof g.error.details?.reason === "string" ? ` ${g.error.details.reason}` : ""}` : ""}`,
    ),
    `model providers: ${providers.length}`,
    ...providers.map(
      (p, i) =>
        `  ${i + 1}. ${p.kind}${p.baseUrl ? ` ${safeAddress(p.baseUrl)}` : ""}, ${p.source}${p.default ? ", default" : ""}${p.hasKey ? ", has a key" : ""}${p.problem ? `, ${p.problem.code}` : ""}`,
    ),
  ];
  return lines.join("\n") + "\n";
}

const sum = (all: TeamSummary[], key: "agents" | "connections" | "errors" | "warnings") =>
  all.reduce((n, d) => n + d[key], 0);
