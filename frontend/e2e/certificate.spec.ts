import { describe } from "vitest";
import { violations } from "./axe.ts";
import { expect, test, type App } from "./app.ts";
import { Hub } from "./hub.ts";

const gatewayOf = (hub: Hub) => `${hub.url.replace(/^http/, "ws")}/gateway`;

async function add(app: App, hub: Hub): Promise<void> {
  await app.go("settings/gateways");
  await app.button("Add gateway").click();
  await app.page.getByLabel("Name").fill("Peer");
  await app.page.getByLabel("URL").fill(gatewayOf(hub));
  await app.page.getByLabel("Token").fill(hub.token);
}

describe("a gateway with a self-signed certificate", () => {
  test("GW-1 is trusted by the fingerprint that it presents, and refused when the certificate changes", async ({
    open,
  }) => {
    const peer = await Hub.start({ tls: true });
    const other = await Hub.start({ tls: true });
    try {
      expect(peer.fingerprint).toMatch(/^sha256:[0-9a-f]{64}$/);
      const app = await open();
      await add(app, peer);
      const dialog = app.page.getByRole("dialog");
      await dialog.getByRole("button", { name: "Test" }).click();
      await dialog.getByText("The certificate isn't trusted. Nothing was sent.").waitFor();
      await dialog.getByText(peer.fingerprint).waitFor();
      expect(await dialog.getByText("isn't responding").count()).toBe(0);
      expect(await violations(app)).toEqual([]);

      await dialog.getByLabel("Trust exactly this certificate").click();
      expect(await dialog.getByLabel("Certificate fingerprint").inputValue()).toBe(peer.fingerprint);
      await dialog.getByRole("button", { name: "Test" }).click();
      await dialog.getByText(/^Connected in /).waitFor();
      await dialog.getByRole("button", { name: "Add", exact: true }).click();
      const card = app.page.getByRole("article", { name: "Peer" });
      await card.getByText("Connected").waitFor();
      await card.getByText(peer.fingerprint).waitFor();
      expect(app.complaints).toEqual([]);

      const changed = { name: "Peer", url: gatewayOf(peer), fingerprint: other.fingerprint };
      await app.hub.ask("PUT", "/api/gateways/Peer", changed);
      await card.getByText("The certificate has changed").waitFor();
      await card.getByText(peer.fingerprint, { exact: true }).waitFor();
      await card.getByRole("button", { name: "Check certificate" }).click();
      await dialog.getByText("It doesn't match the saved fingerprint").waitFor();
      await dialog.getByLabel("Trust exactly this certificate").click();
      await dialog.getByRole("button", { name: "Save" }).click();
      await card.getByText("Connected").waitFor();
    } finally {
      await peer.stop();
      await other.stop();
    }
  });
});
