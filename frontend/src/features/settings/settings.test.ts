import { describe, expect, it } from "vitest";
import type { About, Gateway } from "@/topology";
import { addressFault, isFingerprint, nameFault } from "./gateways/form";
import { firstField, freeColor, needsPerson, pairingCommand, presented, statusOf, troubleOf } from "./gateways/state";
import { readable } from "./readable";
import { diagnostics, safeAddress } from "./report";

const gateway = (patch: Partial<Gateway> = {}): Gateway => ({
  name: "Studio",
  url: "wss://studio.example:18789/",
  color: 1,
  builtin: false,
  default: false,
  hasToken: true,
  state: "connected",
  dialect: "framed",
  latencyMs: 18,
  insecure: false,
  drift: false,
  ...patch,
});
const about: About = {
  version: "1.2.3",
  commit: "abc",
  go: "go1.26",
  os: "linux",
  arch: "amd64",
  dataDir: "/home/mika/.local/share/agentflow",
  database: "/home/mika/x.db",
  settings: "/home/mika/x.yaml",
  secretsIn: "none",
  sandbox: { active: true, mode: "auto", name: "landlock", gaps: [] },
};
const page = { agent: "Chrome", language: "en", width: 1280, height: 800, window: false };

describe("a gateway's form", () => {
  it("says what is wrong with an address before the hub is asked", () => {
    expect(
      [
        "",
        "studio",
        "http://studio",
        "wss://me:pw@studio",
        "ws://studio/?token=x",
        "ws://studio/#x",
        "ws://",
        "ws://studio:1",
        " wss://studio ",
      ].map(addressFault),
    ).toEqual(["empty", "scheme", "http", "userinfo", "query", "query", "shape", null, null]);
  });
  it("requires a unique name", () =>
    expect([nameFault(" ", []), nameFault("a", ["a"]), nameFault("b", ["a"])]).toEqual(["empty", "taken", null]));
  it("knows where others can read a token or key on the way", () => {
    expect(
      [
        "ws://192.0.2.1:18789",
        "http://models.example/v1",
        "http://127.0.0.1.example/",
        "wss://192.0.2.1",
        "https://models.example",
        "ws://127.0.0.1:1",
        "http://[::1]:1",
        "http://localhost:1",
        "nonsense",
      ].map(readable),
    ).toEqual([true, true, true, false, false, false, false, false, false]);
    const error = { code: "VALIDATION_ERROR", message: "", details: { reason: "readable" } } as Gateway["error"];
    expect([
      troubleOf(gateway({ state: "unauthorized", error })),
      troubleOf(gateway({ state: "unauthorized" })),
    ]).toEqual(["readable", "unauthorized"]);
  });
  it("offers a color that is free", () => {
    expect(freeColor([{ color: 2 }, { color: 1 }])).toBe(3);
    expect(freeColor(Array.from({ length: 12 }, (_, i) => ({ color: i + 1 })))).toBe(1);
  });
});

describe("a gateway's certificate", () => {
  const refused = (cause: string) =>
    gateway({
      state: "down",
      error: { code: "GATEWAY_ERROR", message: "", details: { reason: "link_down", cause, fingerprint: "sha256:ab" } },
    });
  it("is shown where it keeps the gateway from being used", () => {
    const found = ["certificate", "certificate_changed", "refused"].map(refused);
    expect(found.map(troubleOf)).toEqual(["certificate", "certificate_changed", "down"]);
    expect(found.map(presented)).toEqual(["sha256:ab", "sha256:ab", ""]);
    expect(found.map(firstField)).toEqual(["fingerprint", "fingerprint", "url"]);
  });
  it("has a fingerprint, as AgentFlow or another program writes it", () => {
    const digits = "0123456789abcdef".repeat(4);
    const written = [
      digits,
      `sha256:${digits}`,
      `SHA256:${digits.toUpperCase()}`,
      digits.replace(/..(?!$)/g, "$&:"),
      digits.slice(1),
      `${digits}0`,
      `sha1:${digits}`,
      "g".repeat(64),
    ];
    expect(written.map(isFingerprint)).toEqual([true, true, true, true, false, false, false, false]);
  });
});

describe("a gateway's state", () => {
  it("begins the dialog in the field that the trouble is about", () => {
    expect(
      [
        gateway({ state: "unauthorized" }),
        gateway({ state: "no_scope" }),
        gateway({ state: "down" }),
        gateway({ state: "connected" }),
        undefined,
      ].map(firstField),
    ).toEqual(["token", "token", "url", "name", "name"]);
  });
  it("needs a person exactly in the states that can't continue alone", () => {
    const states = [
      "connecting",
      "connected",
      "starting",
      "down",
      "unauthorized",
      "pairing",
      "no_scope",
      "closed",
    ] as const;
    expect(states.filter(needsPerson)).toEqual(["down", "unauthorized", "pairing", "no_scope"]);
    expect(states.map(statusOf)).toEqual([
      "running",
      "done",
      "running",
      "failed",
      "failed",
      "waiting",
      "waiting",
      "idle",
    ]);
  });
  it("names the command that lets us in", () =>
    expect([pairingCommand("r1"), pairingCommand(undefined)]).toEqual([
      "openclaw devices approve r1",
      "openclaw devices list",
    ]));
});

describe("the report", () => {
  it("holds no secret, no name and no home", () => {
    const text = diagnostics({
      about,
      settings: {
        language: "en",
        theme: "dark",
        gpuPolicy: "never",
        motion: "auto",
        snap: "on",
        textSize: 100,
        onboardingDone: true,
      },
      page,
      gateways: [
        gateway({
          name: "Mika's studio",
          url: "wss://mika:hunter2@studio.example:18789/?token=hunter2",
          state: "unauthorized",
          error: { code: "UNAUTHORIZED", message: "token hunter2 refused", details: { reason: "bad_token" } },
        }),
      ],
      providers: [
        {
          name: "mikas",
          kind: "openai",
          baseUrl: "https://mika:hunter2@models.example/v1?key=hunter2",
          source: "file",
          hasKey: true,
          default: true,
          problem: { code: "VALIDATION_ERROR", message: "hunter2" },
        },
      ],
      teams: [
        {
          id: "1",
          name: "Secret plan",
          gateway: "Studio",
          head: "h",
          updatedAt: "",
          agents: 3,
          connections: 2,
          models: [],
          changes: 0,
          errors: 1,
          warnings: 0,
        },
      ],
    });
    for (const secret of ["hunter2", "mika", "Mika", "Secret plan"]) expect(text).not.toContain(secret);
    for (const fact of [
      "AgentFlow 1.2.3 (abc)",
      "wss://studio.example:18789: unauthorized",
      "UNAUTHORIZED bad_token",
      "agents 3",
      "1. openai https://models.example/v1, file, default, has a key, VALIDATION_ERROR",
      "~/.local/share/agentflow",
    ])
      expect(text).toContain(fact);
  });
  it("shows an address without what lets somebody in", () =>
    expect([safeAddress("ws://a:b@h:1/gw?x#y"), safeAddress("rubbish")]).toEqual(["ws://h:1/gw", "(not an address)"]));
});
