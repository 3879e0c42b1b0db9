import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";

/** Another computer: a network namespace, with one wire to this one. */
export type Network = {
  /** This computer's address on the wire. */ host: string;
  /** What a command there begins with. */ enter: string[];
  close: () => void;
};

/** Why there cannot be one here, if that is so. */
export function noNetwork(): string | undefined {
  if (process.platform !== "linux") return "network namespaces are Linux's";
  if (process.getuid?.() !== 0) return "network namespaces need root";
  try {
    execFileSync("ip", ["netns", "list"], { stdio: "pipe" });
  } catch {
    return "the command ip is missing (Debian: iproute2)";
  }
  return undefined;
}

const ip = (...args: string[]) => execFileSync("ip", args, { stdio: "pipe" });

/** Makes one; others may be making theirs at the same time. */
export function network(): Network {
  for (let tries = 0; ; tries++) {
    const n = Math.floor(Math.random() * 16_384),
      name = `afe${process.pid}x${tries}`,
      near = `afa${n}`,
      far = `afb${n}`;
    const net = `10.214.${n >> 6}.`,
      at = (n & 63) * 4,
      host = `${net}${at + 1}`;
    try {
      ip("netns", "add", name);
      ip("link", "add", near, "type", "veth", "peer", "name", far);
      ip("link", "set", far, "netns", name);
      const ipv6 = `/proc/sys/net/ipv6/conf/${near}/disable_ipv6`;
      if (existsSync(ipv6)) writeFileSync(ipv6, "1"); // a late automatic address would disturb the browser
      ip("addr", "add", `${host}/30`, "dev", near);
      ip("link", "set", near, "up");
      for (const what of [
        ["addr", "add", `${net}${at + 2}/30`, "dev", far],
        ["link", "set", far, "up"],
        ["link", "set", "lo", "up"],
      ])
        ip("-n", name, ...what);
      return {
        host,
        enter: ["ip", "netns", "exec", name],
        close: () => {
          ip("netns", "del", name);
        },
      };
    } catch (e) {
      try {
        ip("netns", "del", name);
      } catch {
        /* it was not made */
      }
      try {
        ip("link", "del", near);
      } catch {
        /* nor this */
      }
      if (tries === 3) throw e;
    }
  }
}
