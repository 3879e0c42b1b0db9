// @vitest-environment happy-dom
import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { RollbackJobs } from "@/flow/RollbackJobs";
import { i18next, loadLanguage, startLanguage } from "@/i18n";
import type { Apply, Deletion, Preview } from "@/topology";
import { Notes } from "./Notes";
import { doneText } from "./doneText";
import { agree, fresh, hasAgreed, useReview } from "./store";

beforeAll(() => startLanguage());
beforeEach(async () => {
  await loadLanguage("en");
  await i18next.changeLanguage("en");
});

const previewOf = (d: Partial<Deletion>, more: Partial<Preview> = {}) =>
  ({
    baseHash: "h",
    deletions: [{ agent: "dev", name: "Dev", byGateway: true, possible: true, connections: [], bindings: 0, ...d }],
    restart: {},
    trust: [],
    losses: [],
    ...more,
  }) as unknown as Preview;
const notes = (p: Preview) => renderToStaticMarkup(<Notes preview={p} teams={{}} />);
const asked = (p: Preview) => renderToStaticMarkup(<RollbackJobs preview={p} />);

it("APP-3 a deletion names the scheduled jobs that the gateway deletes with the agent", async () => {
  expect(notes(previewOf({ byGateway: false }))).toContain("Nothing else is removed.");
  expect(notes(previewOf({}))).toContain("The gateway also deletes its sessions and their messages.");
  expect(notes(previewOf({}))).not.toContain("Nothing else");
  const p = previewOf({ jobs: ["Morning news", "Pulse"], bindings: 1 });
  expect(notes(p)).toContain("Also removes: 1 channel binding, 2 scheduled jobs (Morning news, Pulse).");
  expect(asked(p)).toContain("The gateway also deletes these scheduled jobs: Morning news, Pulse.");
  expect(asked(previewOf({}))).toBe("");
  await loadLanguage("ja");
  await i18next.changeLanguage("ja");
  expect(notes(p)).toContain("スケジュールされたジョブ2件（Morning news、Pulse）");
  expect(notes(p)).not.toContain("ほかに削除されるものはありません");
});

it("APP-3 jobs that the gateway didn't list are said to go, too", () => {
  const p = previewOf({ jobsUnread: true });
  expect(notes(p)).toContain("Also removes: its scheduled jobs, which couldn&#x27;t be read.");
  expect(asked(p)).toContain("couldn&#x27;t be read");
});

it("APP-3 an agreement is about the jobs as well", () => {
  useReview.setState({ ...fresh, preview: previewOf({ jobs: ["News"] }) });
  agree(true);
  expect(hasAgreed(useReview.getState())).toBe(true);
  useReview.setState({ preview: previewOf({ jobs: ["News", "Pulse"] }) });
  expect(hasAgreed(useReview.getState())).toBe(false);
});

it("APP-3 an undo says which jobs it adds again, before and after", () => {
  expect(notes(previewOf({ jobs: ["News"] }))).toContain("Undoing the apply adds the jobs again.");
  expect(notes(previewOf({}))).not.toContain("adds the jobs again");
  const back = previewOf({}, { deletions: [], restoredJobs: ["News", "Pulse"] });
  expect(asked(back)).toContain("adds these scheduled jobs again: News, Pulse.");
  const undone = { kind: "rollback", gateway: "studio", sent: 1 } as Apply;
  const said = "Rolled back: studio has the earlier config again";
  expect(doneText(i18next.t, undone)).toBe(said);
  expect(doneText(i18next.t, { ...undone, jobs: ["News", "Pulse"] })).toBe(
    `${said}. Scheduled jobs added again: News, Pulse.`,
  );
});
