import { createServer, type AddressInfo, type Server } from "node:net";

/**
 * Different ports that nobody listens on. They lie below those that the system gives to outgoing connections, so they
 * are free later, too: a gateway takes half a minute to start listening.
 */
export async function freePorts(count: number): Promise<number[]> {
  const servers: Server[] = [];
  for (let tries = 0; servers.length < count; tries++) {
    if (tries > 100) throw new Error("no free port");
    const server = createServer();
    const listens = await new Promise<boolean>((done) => {
      server.once("error", () => done(false));
      server.listen(20_000 + Math.floor(Math.random() * 12_000), "127.0.0.1", () => done(true));
    });
    if (listens) servers.push(server);
  }
  const ports = servers.map((s) => (s.address() as AddressInfo).port);
  await Promise.all(servers.map((s) => new Promise((done) => s.close(done))));
  return ports;
}

/** Ports of hubs that have stopped. The browser caches code by address, so the next hub listens on the same port. */
export const ports: number[] = [];
export const takePort = async () => ports.pop() ?? (await freePorts(1))[0]!;
