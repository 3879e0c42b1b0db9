import type { TFunction } from "i18next";
const LOCAL = "local";

/** A gateway's name for people: the one that lives in the hub has a name in each language. */
export const gatewayName = (t: TFunction, name: string) => (name === LOCAL ? t("status.localName") : name);
