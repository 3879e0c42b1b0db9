import { expect, it } from "vitest";
import type { TaskDetail } from "@/topology";
import { silentReviewers } from "./Unreviewed";

const attempt = (agent: string, review: boolean, code?: string) => ({
  agent,
  review,
  ...(code && { error: code, cause: { code } }),
});
const silent = (status: string, ...attempts: ReturnType<typeof attempt>[]) =>
  silentReviewers({ status, attempts } as unknown as TaskDetail);

it("CO-3 a result that counts without its review says whose is missing", () => {
  const unsaid = attempt("critic", true, "no_verdict");
  expect(silent("completed", attempt("cook", false), unsaid, unsaid)).toEqual(["critic"]);
  expect(silent("completed", attempt("cook", false), unsaid, attempt("critic", true))).toEqual([]);
  expect(silent("in_progress", attempt("cook", false), unsaid)).toEqual([]);
  expect(silent("completed", attempt("cook", false, "failed"), attempt("cook", false))).toEqual([]);
});
