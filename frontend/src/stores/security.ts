import { create } from "zustand";
import { asApiError, type ApiError } from "../api/error";
import { saveBytes } from "../api/files";
import { security } from "../api/security";
import type { CallerEdit, DefaultBudgets, Login, NetworksEdit, Security } from "../topology";
import { isLoopback } from "./address";

type State = { stand?: Security; logins?: Login[]; budgets?: DefaultBudgets; busy: boolean; error?: ApiError };

/** Who may reach the hub, and what tasks may cost, as it was read last. Tokens are never in it. */
export const useSecurity = create<State>()(() => ({ busy: false }));

const set = useSecurity.setState;
let reading = 0;

async function load(): Promise<void> {
  const mine = ++reading;
  set({ busy: true });
  try {
    const [stand, budgets, logins] = await Promise.all([security.stand(), security.budgets(), security.logins()]);
    if (mine === reading) set({ stand, budgets, logins, busy: false, error: undefined });
  } catch (e) {
    if (mine === reading) set({ busy: false, error: asApiError(e) });
  }
}

/** Takes over how the hub stands after a change; a reading on its way is older. */
function stands(stand: Security): void {
  reading++;
  set({ stand, busy: false });
}

/** Takes over a part after a change, and reads the rest again: an answer still on its way is older. */
function takes(part: Partial<State>): void {
  set(part);
  void load();
}

/**
 * The address at which other computers reach the hub, "" where none can. A page that came from another computer's address
 * was itself reached there; one that is open on the hub's own computer has to be told.
 */
export function outside(stand: Security): string {
  const own = location.protocol.startsWith("http") && !isLoopback(location.hostname); // the window's page is its computer's own
  return own ? location.origin : (stand.elsewhere ?? "");
}

/** Requests about it. */
export const securityActions = {
  load,
  putNetworks: async (edit: NetworksEdit) => stands(await security.putNetworks(edit)),
  endLogin: async (id: string) => takes({ logins: await security.endLogin(id) }),
  endOtherLogins: async () => takes({ logins: await security.endOtherLogins() }),
  lift: async (address: string) => stands(await security.lift(address)),
  /** Returns the token, which the hub shows only this once. */
  addCaller: async (edit: CallerEdit) => {
    const made = await security.addCaller(edit);
    void load();
    return made.token;
  },
  changeCaller: async (id: string, edit: CallerEdit) => {
    await security.changeCaller(id, edit);
    await load();
  },
  rotateCaller: async (id: string) => {
    const made = await security.rotateCaller(id);
    void load();
    return made.token;
  },
  revokeCaller: async (id: string) => {
    await security.revokeCaller(id);
    await load();
  },
  /** Reads the default budgets alone. Who may not read them doesn't see them. */
  readBudgets: async () => {
    const budgets = await security.budgets().catch(() => undefined);
    if (budgets) set({ budgets });
  },
  putBudgets: async (budgets: DefaultBudgets) => {
    takes({ budgets: await security.putBudgets(budgets) });
  },
  auditPrompts: async (on: boolean) => stands(await security.auditPrompts(on)),
  audit: security.audit,
  /** Saves the chosen entries where the person says; the name, or "" when they changed their mind. */
  exportAudit: async (filter: Parameters<typeof security.auditLines>[0]) =>
    saveBytes("agentflow-audit.jsonl", await security.auditLines(filter)),
};
