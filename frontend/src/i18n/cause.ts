import type { TFunction } from "i18next";
import { formatList, formatNumber } from "./format";

type CauseLike = { code: string; params?: Record<string, string> };

/** Why something did not come about, in the person's language; the hub's own words where we have none. */
export function causeText(
  t: TFunction,
  cause: CauseLike | undefined,
  text: string,
  nameOf: (id: string) => string = (id) => id,
): string {
  if (!cause) return text;
  const { code, params = {} } = cause,
    names = (ids = "") => ids.split(",").filter(Boolean).map(nameOf),
    number = (n = "") => (n.trim() && Number.isFinite(Number(n)) ? formatNumber(Number(n)) : n);
  const finer = [params.unit, params.said ? "said" : "", params.to ? "to" : ""]
    .filter(Boolean)
    .map((x) => `cause.${code}_${x}`);
  return t([...finer, `cause.${code}`], {
    ...params,
    agent: formatList(names(params.agent)),
    from: formatList(names(params.from)),
    to: formatList(names(params.to)),
    chain: names(params.chain).join(" → "),
    n: number(params.n),
    used: number(params.used),
    most: number(params.most),
    kind: params.type ? t(`tasks.type.${params.type}`, { defaultValue: params.type }) : "",
    defaultValue: text,
  });
}
