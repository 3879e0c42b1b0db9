// @vitest-environment happy-dom
import { act } from "react";
import { createRoot } from "react-dom/client";
import { createInstance } from "i18next";
import { I18nextProvider, initReactI18next } from "react-i18next";
import { expect, it, vi } from "vitest";
import en from "@/i18n/en";
import rest from "@/i18n/en-rest";
import type { Snapshot } from "@/topology";
import { RollbackDialog } from "./RollbackDialog";

const removed = (id: string) => ({ subject: "agent", op: "removed", agent: id, before: { name: "Writer" } });
vi.mock("@/stores/read", () => ({
  useRead: () => ({
    data: {
      changes: [removed("w-1"), removed("w-2")],
      deletions: [
        { agent: "w-1", possible: true },
        { agent: "w-2", possible: true },
      ],
      losses: [],
      files: [],
      restart: {},
    },
  }),
}));

it("OC-4 names the agents that a rollback deletes with their IDs where they share a name", async () => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  const i18n = createInstance();
  await i18n.use(initReactI18next).init({
    lng: "en",
    resources: { en: { translation: { ...en, ...rest } } },
    interpolation: { escapeValue: false },
  });
  const snapshot = { id: "s", gateway: "local", at: "2026-01-01T00:00:00Z", agents: 1 } as unknown as Snapshot,
    root = createRoot(document.createElement("div"));
  act(() =>
    root.render(
      <I18nextProvider i18n={i18n}>
        <RollbackDialog snapshot={snapshot} onClose={() => undefined} onStarted={() => undefined} />
      </I18nextProvider>,
    ),
  );
  expect(document.body.textContent).toContain("Writer (w-1), Writer (w-2)");
  act(() => root.unmount());
});
