import type { TFunction } from "i18next";

/** What a gateway lacks after a rollback that nobody gave these secrets, by their paths. */
export const secretsLeft = (t: TFunction, paths: readonly string[]): string =>
  t("apply.secretsLeft", { count: paths.length, names: paths.join(t("list.comma")) });
