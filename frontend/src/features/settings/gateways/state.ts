import type { TFunction } from "i18next";
import { formatNumber } from "@/i18n/format";
import type { Gateway, GatewayState } from "@/topology";
import type { Status } from "@/ui";

const statuses: Record<GatewayState, Status> = {
  connected: "done",
  connecting: "running",
  starting: "running",
  pairing: "waiting",
  no_scope: "waiting",
  down: "failed",
  unauthorized: "failed",
  closed: "idle",
};
export const statusOf = (state: GatewayState): Status => statuses[state];

/** Whether a person has to act before the connection can continue. */
export const needsPerson = (state: GatewayState) =>
  state === "pairing" || state === "no_scope" || state === "unauthorized" || state === "down";

/** The words for what keeps a gateway from being used. */
export const troubleOf = (g: Pick<Gateway, "state" | "error">): string =>
  g.error?.details?.reason === "readable" ? "readable" : ofCertificate(g) ? String(g.error?.details?.cause) : g.state;

/** Whether the gateway's certificate keeps it from being used. */
const ofCertificate = (g: Pick<Gateway, "state" | "error">) =>
  g.state === "down" && ["certificate", "certificate_changed"].includes(String(g.error?.details?.cause));

/** The fingerprint of the certificate that was refused; "" without one. */
export function presented(g: Pick<Gateway, "state" | "error">): string {
  const fingerprint = ofCertificate(g) ? g.error?.details?.fingerprint : undefined;
  return typeof fingerprint === "string" ? fingerprint : "";
}

export const troubleTitle = (t: TFunction, g: Pick<Gateway, "state" | "error">) =>
  t(`settings.gateways.trouble.${troubleOf(g)}Title`, { defaultValue: "" });
export const troubleText = (t: TFunction, g: Pick<Gateway, "state" | "error">) =>
  t(`settings.gateways.trouble.${troubleOf(g)}`, { defaultValue: "" });

/** The field that the dialog of a gateway begins in: the one that its trouble is about. */
export function firstField(g: Pick<Gateway, "state" | "error"> | undefined): "name" | "url" | "token" | "fingerprint" {
  if (!g || !needsPerson(g.state)) return "name";
  const trouble = troubleOf(g);
  if (ofCertificate(g)) return "fingerprint";
  return trouble === "unauthorized" || trouble === "no_scope"
    ? "token"
    : trouble === "down" || trouble === "readable"
      ? "url"
      : "name";
}

/** Why a gateway does not answer, where its state does not say it; "" where that has no word. */
export function causeText(t: TFunction, g: Pick<Gateway, "state" | "error">): string {
  const cause = troubleOf(g) === "down" ? g.error?.details?.cause : undefined;
  return typeof cause === "string" && cause ? t(`settings.gateways.trouble.cause.${cause}`, { defaultValue: "" }) : "";
}

/** The command that lets this computer in, to be run where the gateway is. */
export const pairingCommand = (requestId: string | undefined) =>
  requestId ? `openclaw devices approve ${requestId}` : "openclaw devices list";

/** How we speak with it, in words. */
export function dialectText(t: TFunction, g: Pick<Gateway, "dialect" | "serverVersion">): string {
  const how = g.dialect ? t(`settings.gateways.dialect.${g.dialect}`) : "";
  return [how, g.serverVersion].filter(Boolean).join(" · ");
}

const wholeMs = (ms: number) => Math.max(1, Math.round(ms));
export const latencyText = (t: TFunction, g: Pick<Gateway, "latencyMs">) =>
  t("status.latency", { ms: formatNumber(wholeMs(g.latencyMs)) });

export type Outcome = {
  status: Status;
  text: string;
  command?: string;
  /** Of a certificate that isn't trusted. */ fingerprint?: string;
};

/** What a try to connect came to: what happened, what it means, what to do. */
export function testOutcome(t: TFunction, g: Gateway): Outcome {
  const status = statusOf(g.state);
  if (g.state === "connected")
    return {
      status,
      text: t("settings.gateways.test.connected", { ms: formatNumber(wholeMs(g.latencyMs)), how: dialectText(t, g) }),
    };
  const why = causeText(t, g),
    then = troubleText(t, g),
    meaning = why ? t("common.sentences", { a: why, b: then }) : then;
  const text = needsPerson(g.state) ? t("settings.gateways.test.not", { what: troubleTitle(t, g), meaning }) : meaning;
  const command = g.state === "pairing" ? pairingCommand(g.pairingRequestId) : undefined;
  return { status, text, command, fingerprint: presented(g) || undefined };
}

/** The first color that no gateway has yet. */
export function freeColor(gateways: readonly Pick<Gateway, "color">[]): number {
  for (let n = 1; n <= 12; n++) if (!gateways.some((g) => g.color === n)) return n;
  return (gateways.length % 12) + 1;
}
