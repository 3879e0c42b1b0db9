import type { TFunction } from "i18next";
import { formatNumber } from "@/i18n/format";
import type { Gateway, GatewayState } from "@/topology";
import type { Status } from "@/ui";

const statuses: Record<GatewayState, Status> = {
  connected: "done", connecting: "running", starting: "running", pairing: "waiting", no_scope: "waiting", down: "failed", unauthorized: "failed", closed: "idle",
};
export const statusOf = (state: GatewayState): Status => statuses[state];

/** Nothing goes on by itself: somebody has to do something about it. */
export const needsPerson = (state: GatewayState) => state === "pairing" || state === "no_scope" || state === "unauthorized" || state === "down";

/** The command that lets this computer in, to be run where the gateway is. */
export const pairingCommand = (requestId: string | undefined) => (requestId ? `openclaw devices approve ${requestId}` : "openclaw devices list");

/** How we speak with it, in words. */
export function dialectText(t: TFunction, g: Pick<Gateway, "dialect" | "serverVersion">): string {
  const how = g.dialect ? t(`settings.gateways.dialect.${g.dialect}`) : "";
  return [how, g.serverVersion].filter(Boolean).join(" · ");
}

export const latencyText = (t: TFunction, g: Pick<Gateway, "latencyMs">) => t("status.latency", { ms: formatNumber(Math.round(g.latencyMs)) });

export type Outcome = { status: Status; text: string; command?: string };

/** What a try to connect came to: what happened, what it means, what to do. */
export function testOutcome(t: TFunction, g: Gateway): Outcome {
  const status = statusOf(g.state);
  if (g.state === "connected") return { status, text: t("settings.gateways.test.connected", { ms: formatNumber(Math.round(g.latencyMs)), how: dialectText(t, g) }) };
  const why = g.state === "down" && g.error?.message ? t("common.sentences", { a: t("settings.gateways.trouble.down"), b: g.error.message }) : t(`settings.gateways.trouble.${g.state}`);
  return { status, text: why, command: g.state === "pairing" ? pairingCommand(g.pairingRequestId) : undefined };
}
