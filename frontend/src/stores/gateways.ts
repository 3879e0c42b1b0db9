import { hub } from "../api/hub";
import type { Gateway, GatewayEdit } from "../topology";
import { useHub } from "./hub";

export const useGateways = () => useHub((s) => s.gateways);

/** Whether the hub has no connection to a gateway that is in the settings. */
export const useAway = (gateway: string) =>
  useHub((s) => s.gateways.some((g) => g.name === gateway && g.state !== "connected"));

const put = (g: Gateway) =>
  useHub.setState((s) => ({
    gateways: s.gateways.some((x) => x.name === g.name)
      ? s.gateways.map((x) => (x.name === g.name ? g : x))
      : [...s.gateways, g],
  }));

/** Requests about gateways; the list itself comes by the stream. All reject with ApiError. */
export const gatewayActions = {
  add: async (g: GatewayEdit) => {
    const made = await hub.addGateway(g);
    put(made);
    return made;
  },
  save: async (name: string, g: GatewayEdit) => {
    const made = await hub.saveGateway(name, g);
    put(made);
    return made;
  },
  remove: async (name: string) => {
    await hub.deleteGateway(name);
    useHub.setState((s) => ({ gateways: s.gateways.filter((g) => g.name !== name) }));
  },
  reconnect: async (name: string) => {
    const g = await hub.reconnectGateway(name);
    put(g);
    return g;
  },
  /** Tries an address without keeping it. */
  test: (g: GatewayEdit) => hub.testGateway(g),
  /** Accepts what a gateway's config lost; the alarm goes. */
  dismissAlarm: (name: string) => hub.dismissAlarm(name),
  snapshots: (name: string) => hub.snapshots(name).then((r) => r.snapshots),
  /** A snapshot as a team, with the changes from another one and the layout of a team. */
  snapshot: (name: string, snapshot: string, how: { with?: string; team?: string }) =>
    hub.snapshot(name, snapshot, how),
};
