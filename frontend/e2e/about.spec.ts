import { expect, test, until } from "./app.ts";

test("APP-1 the report for somebody who helps says what is set up, and no secret, address of a token, nor what people are called", async ({
  open,
}) => {
  const app = await open({
    seed: async (hub) => {
      await hub
        .ask("POST", "/api/gateways", {
          name: "Kurosawa's office",
          url: "ws://mika:pass-in-url@127.0.0.1:9/gateway?token=in-the-address",
          token: "tok-very-secret",
          color: 4,
        })
        .catch(() =>
          hub.ask("POST", "/api/gateways", {
            name: "Kurosawa's office",
            url: "ws://127.0.0.1:9/gateway",
            token: "tok-very-secret",
            color: 4,
          }),
        );
      await hub.ask("POST", "/api/providers", {
        name: "office",
        kind: "openai",
        baseUrl: "http://127.0.0.1:9/v1",
        key: "sk-very-secret",
      });
    },
  });
  await app.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await app.go("settings");
  await app.button("About and diagnostics").click();
  const { sandbox } = await app.hub.ask<{ sandbox: { active: boolean } }>("GET", "/api/about");
  await app.page
    .getByText(sandbox.active ? /Commands can reach their own folders/ : /Commands can reach everything you can/)
    .waitFor();
  const report = app.page.getByLabel("Diagnostics report").last();
  await until(
    "the provider to be in it",
    () => report.innerText(),
    (v) => v.includes("http://127.0.0.1:9/v1"),
  );
  await app.button("Copy report").click();
  const text = await until(
    "the report",
    () => app.page.evaluate(() => navigator.clipboard.readText()),
    (v) => v.includes("AgentFlow"),
  );
  for (const known of [
    /^AgentFlow \S+/m,
    /^gateways: 2$/m,
    /ws:\/\/127\.0\.0\.1:9\/gateway: .*has a token/,
    /^teams: 1, agents 5/m,
  ])
    expect(text).toMatch(known);
  for (const secret of [
    "tok-very-secret",
    "sk-very-secret",
    "pass-in-url",
    "in-the-address",
    app.hub.token,
    "Kurosawa",
    "Researcher",
  ])
    expect(text).not.toContain(secret);
  expect(app.complaints).toEqual([]);
});
