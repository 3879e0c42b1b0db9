// @vitest-environment happy-dom
import { act, type ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { ClockMark } from "@/flow/ClockMark";
import { nobodyWorks, WorkContext, type Scheduled } from "@/flow/work";
import { i18next, loadLanguage, startLanguage } from "@/i18n";
import type { CronJob, CronOf } from "@/stores/cron";
import { useHub } from "@/stores/hub";
import { useTeam } from "@/stores/team";
import { JobRow } from "./JobRow";
import { ScheduleTab } from "./ScheduleTab";

vi.mock("@/api/cron", () => ({ cron: { list: () => Promise.resolve([]) } }));

beforeAll(async () => {
  (globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;
  await startLanguage();
  await loadLanguage("en");
  await i18next.changeLanguage("en");
});

const shown: (() => void)[] = [];
const clear = () => shown.splice(0).forEach((shut) => shut());
afterEach(clear);

/** What is drawn of it, as HTML. */
async function draw(what: ReactNode): Promise<string> {
  const box = document.body.appendChild(document.createElement("div")),
    root = createRoot(box);
  shown.push(() => {
    act(() => root.unmount());
    box.remove();
  });
  await act(() => {
    root.render(what);
    return Promise.resolve();
  });
  return box.innerHTML;
}

const job = {
  id: "news",
  name: "Morning news",
  enabled: true,
  schedule: { kind: "cron", expr: "0 7 * * 1-5" },
  nextRunAt: "2026-11-28T07:00:00Z",
} as CronJob;
const nothing = () => undefined;

it("OC-3 a job has no next run while the gateway's scheduler is off, and can be run by hand", async () => {
  const row = (off: boolean) =>
    draw(
      <JobRow
        job={job}
        cron={{ gateway: "studio", acts: ["list", "run", "update"], off } as unknown as CronOf}
        onEdit={nothing}
        onDelete={nothing}
        onFailed={nothing}
      />,
    );
  expect(await row(false)).toContain("Next: ");
  expect(await row(true)).not.toContain("Next: ");
  expect(await row(true)).toContain("Run Morning news now");
});

it("OC-3 the tab says that the gateway's scheduler is off", async () => {
  const tab = (off: boolean) => {
    clear();
    useTeam.setState({ gateway: "studio", base: { topology: { agents: [{ id: "lead" }] } } as never });
    useHub.setState({
      link: "open",
      gateways: [{ name: "studio", state: "connected", cron: { acts: ["list"], agents: [], off } }] as never,
    });
    return draw(<ScheduleTab agent={{ id: "lead" }} />);
  };
  expect(await tab(true)).toContain("studio's scheduler is off. Jobs don't run at their times until cron.enabled");
  expect(await tab(false)).not.toContain("scheduler is off");
});

it("OC-3 the clock of an agent is off with the scheduler", async () => {
  const clock = (scheduled?: Scheduled) =>
    draw(
      <WorkContext.Provider value={{ ...nobodyWorks, scheduled: () => scheduled }}>
        <ClockMark agent="lead" />
      </WorkContext.Provider>,
    );
  expect(await clock()).toBe("");
  expect(await clock("on")).toContain('aria-label="Scheduled jobs"');
  expect(await clock("off")).toContain('aria-label="Scheduled jobs: off on the gateway"');
  expect(await clock("off")).toContain("alarm-clock-off");
});
