import type { TFunction } from "i18next";
import { expect, it } from "vitest";
import type { KeyIn } from "./textKeys";

// The compiler is the test here: each line below an @ts-expect-error must be an error.
it("a key that no text has is an error of the types", () => {
  const t = ((key: string) => key) as TFunction;
  const kind: KeyIn<"kind"> = "review";
  expect([t("common.close"), t(`kind.${kind}`), t("counts.added", { count: 2 })]).toHaveLength(3);
  // @ts-expect-error there is no such text
  t("common.colse");
  // @ts-expect-error one of its forms is not the key
  t("counts.connections_one");
  // @ts-expect-error what is put together from any string needs a default
  t(`kind.${"review" as string}`);
  t(`kind.${"review" as string}`, { defaultValue: "" });
});
