import { afterEach, expect, it, vi } from "vitest";
import { later, scriptedHub } from "../api/scriptedHub";
import { securityActions, useSecurity } from "./security";

afterEach(() => {
  useSecurity.setState(useSecurity.getInitialState(), true);
  vi.unstubAllGlobals();
});

it("AG-5 a sign-in that was ended doesn't come back with a list that was asked for before", async () => {
  const list = later<object>();
  const lists = [list.promise, Promise.resolve({ logins: [] })];
  scriptedHub({
    "GET /api/security": () => ({ auditsPrompts: false }),
    "GET /api/budgets": () => ({}),
    "GET /api/logins": () => lists.shift(),
    "DELETE /api/logins/a": () => ({ logins: [] }),
  });
  const loading = securityActions.load();
  await securityActions.endLogin("a");
  list.resolve({ logins: [{ id: "a" }] });
  await loading;
  await vi.waitFor(() => expect(useSecurity.getState().busy).toBe(false));
  expect(useSecurity.getState().logins).toEqual([]);
});
