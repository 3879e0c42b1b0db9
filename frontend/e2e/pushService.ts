import { createDecipheriv, createECDH, hkdfSync, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createProxy } from "node:http";
import { createServer } from "node:https";
import { connect, type AddressInfo, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Worker } from "playwright-core";
import type { App } from "./app.ts";

/** Certificate of push.example.net, which the hub trusts for a test: it signed itself, until 2120. */
const cert = `-----BEGIN CERTIFICATE-----
MIIBmjCCAUGgAwIBAgIBATAKBggqhkjOPQQDAjAbMRkwFwYDVQQDExBwdXNoLmV4
YW1wbGUubmV0MCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjAbMRkw
FwYDVQQDExBwdXNoLmV4YW1wbGUubmV0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcD
QgAECorVLe6W5vSHqFvY3gGxph10iEp5tkHSscHIYdrdcYLwOWE5bFcuV+0ZWAeC
lxcOHp39wXGv8YOTN9rSzJR9n6N0MHIwDgYDVR0PAQH/BAQDAgKEMBMGA1UdJQQM
MAoGCCsGAQUFBwMBMA8GA1UdEwEB/wQFMAMBAf8wHQYDVR0OBBYEFLP8IqCfwG6A
Z/pUYmqCgr59awmeMBsGA1UdEQQUMBKCEHB1c2guZXhhbXBsZS5uZXQwCgYIKoZI
zj0EAwIDRwAwRAIgaRroH3QKq1PhXNEwXcdfoOIHaFI2OkZ7BnuPxALoZNsCIBr0
ng+V4VAr56fSFclWsYS+XG/DqUeNSobNHDyVCxbW
-----END CERTIFICATE-----`;
const key = [
  "-----BEGIN PRIVATE KEY-----",
  "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQghmUuPAVMacMvy/ox",
  "qKPmTs4fN0h9PLcPx3dBqaC2nE+hRANCAAQKitUt7pbm9IeoW9jeAbGmHXSISnm2",
  "QdKxwchh2t1xgvA5YTlsVy5X7RlYB4KXFw4enf3Bca/xg5M32tLMlH2f",
  "-----END PRIVATE KEY-----",
].join("\n");

export type Pushed = { path: string; text: { kind: string; name?: string; place: string; language: string } };

/**
 * A push service as far as the hub sees one. The hub reaches it as it reaches real ones, by TLS and through a proxy of
 * its environment: an address of this computer is one that the hub rejects.
 */
export class PushService {
  readonly got: Pushed[] = [];
  status = 201;
  /** For the hub. */ readonly env: Record<string, string>;
  private readonly own = createECDH("prime256v1");
  private readonly auth = randomBytes(16);
  private readonly folder: string;
  private readonly stops: (() => void)[];

  private constructor(folder: string, proxy: number, stops: (() => void)[]) {
    this.own.generateKeys();
    this.folder = folder;
    this.stops = stops;
    this.env = { HTTPS_PROXY: `http://127.0.0.1:${proxy}`, SSL_CERT_FILE: path.join(folder, "cert.pem") };
  }

  static async start(): Promise<PushService> {
    const folder = mkdtempSync(path.join(tmpdir(), "agentflow-push-"));
    writeFileSync(path.join(folder, "cert.pem"), cert);
    const sockets = new Set<Socket>();
    const track = (s: Socket) => {
      sockets.add(s);
      s.on("error", () => s.destroy()).once("close", () => sockets.delete(s));
      return s;
    };
    const server = createServer({ cert, key }, (req, res) => {
      const body: Buffer[] = [];
      req.on("data", (b: Buffer) => body.push(b));
      req.on("end", () => {
        service.got.push({ path: req.url ?? "", text: service.open(Buffer.concat(body)) });
        res.writeHead(service.status).end();
      });
    });
    const proxy = createProxy((_, res) => res.writeHead(405).end());
    proxy.on("connect", (req, socket: Socket) => {
      track(socket);
      if (req.url !== "push.example.net:443") return socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
      const to = track(connect((server.address() as AddressInfo).port, "127.0.0.1"));
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      return to.pipe(socket).pipe(to);
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    await new Promise<void>((done) => proxy.listen(0, "127.0.0.1", done));
    const service = new PushService(folder, (proxy.address() as AddressInfo).port, [
      () => sockets.forEach((s) => s.destroy()),
      () => server.close(),
      () => proxy.close(),
    ]);
    return service;
  }

  stop(): void {
    for (const end of this.stops) end();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Decrypts a push with the browser's keys (RFC 8291). */
  private open(body: Buffer): Pushed["text"] {
    const salt = body.subarray(0, 16),
      sender = body.subarray(21, 21 + (body[20] ?? 0)),
      sealed = body.subarray(21 + sender.length);
    const derive = (secret: Buffer, by: Buffer, info: Buffer | string, n: number) =>
      Buffer.from(hkdfSync("sha256", secret, by, info, n));
    const info = Buffer.concat([Buffer.from("WebPush: info\0"), this.own.getPublicKey(), sender]),
      ikm = derive(this.own.computeSecret(sender), this.auth, info, 32);
    const opened = createDecipheriv(
      "aes-128-gcm",
      derive(ikm, salt, "Content-Encoding: aes128gcm\0", 16),
      derive(ikm, salt, "Content-Encoding: nonce\0", 12),
    ).setAuthTag(sealed.subarray(-16));
    const plain = Buffer.concat([opened.update(sealed.subarray(0, -16)), opened.final()]).toString();
    return JSON.parse(plain.slice(0, plain.lastIndexOf("\x02"))) as Pushed["text"];
  }

  /**
   * Gives the page a push service and a desktop that shows notifications: a browser without a screen has neither. The
   * service worker and its messages are the browser's own.
   */
  async subscribes(app: App): Promise<void> {
    const given = { p256dh: this.own.getPublicKey("base64url"), auth: this.auth.toString("base64url") };
    await app.before(({ p256dh, auth }) => {
      const kept = "test.push";
      const made = (endpoint: string) => ({
        endpoint,
        options: { userVisibleOnly: true },
        toJSON: () => ({ endpoint, keys: { p256dh, auth } }),
        unsubscribe: () => {
          localStorage.removeItem(kept);
          return Promise.resolve(true);
        },
      });
      const desktop = {
        permission: "default",
        requestPermission: () => Promise.resolve((desktop.permission = "granted")),
      };
      Object.assign(globalThis, { Notification: desktop });
      Object.assign(PushManager.prototype, {
        subscribe: () => {
          localStorage.setItem(kept, "https://push.example.net/send/browser");
          return Promise.resolve(made(localStorage.getItem(kept)!));
        },
        getSubscription: () => {
          const endpoint = localStorage.getItem(kept);
          return Promise.resolve(endpoint ? made(endpoint) : null);
        },
      });
    }, given);
  }
}

type Shown = { title: string; body: string; tag: string; data: string };

/** The page's service worker, as the browser runs it. What it shows is kept in it: the browser has no desktop. */
async function workerOf(app: App): Promise<Worker> {
  const worker = app.context.serviceWorkers()[0] ?? (await app.context.waitForEvent("serviceworker"));
  await worker.evaluate(() => {
    const scope = globalThis as unknown as { shown?: Map<string, Shown>; looked: boolean; WindowClient: typeof Window };
    if (scope.shown) return;
    const shown = (scope.shown = new Map<string, Shown>());
    // A browser without a screen calls each of its pages focused.
    Object.defineProperty(scope.WindowClient.prototype, "focused", { get: () => scope.looked });
    Object.assign(ServiceWorkerRegistration.prototype, {
      showNotification: (title: string, { body = "", tag = "", data }: NotificationOptions) => {
        shown.set(tag, { title, body, tag, data: String(data) });
        return Promise.resolve();
      },
      getNotifications: ({ tag }: { tag: string }) => Promise.resolve([...shown.values()].filter((n) => n.tag === tag)),
    });
  });
  return worker;
}

/** Fires an event in the service worker, and waits until it has done its work. */
const fire = async (app: App, type: string, text: string, data: string, looked = false) =>
  (await workerOf(app)).evaluate(
    async ([type, text, data, looked]) => {
      Object.assign(globalThis, { looked: !!looked });
      let work: Promise<unknown> | undefined;
      const event = Object.assign(new Event(type!), {
        data: { text: () => text },
        notification: { data, close: () => undefined },
        waitUntil: (w: Promise<unknown>) => (work = w),
      });
      globalThis.dispatchEvent(event);
      await work?.catch((e: unknown) => {
        if (type !== "notificationclick") throw e; // only a real click can bring a page to the front
      });
    },
    [type, text, data, looked ? "looked at" : ""],
  );

/** Hands a push to the service worker, as the browser does with one from its push service. */
export const deliver = (app: App, text: Pushed["text"], looked = false) =>
  fire(app, "push", JSON.stringify(text), "", looked);

/** Clicks a notification. */
export const click = (app: App, notice: Shown) => fire(app, "notificationclick", "", notice.data);

/** The notifications that the service worker has shown. */
export const shownNotices = async (app: App): Promise<Shown[]> =>
  (await workerOf(app)).evaluate(() => [...(globalThis as unknown as { shown: Map<string, Shown> }).shown.values()]);
