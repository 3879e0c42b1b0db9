const LOCAL = "local";

/** A gateway's name for people: the one that lives in the hub has a name in each language. */
export const gatewayName = (t: (key: string) => string, name: string) =>
  name === LOCAL ? t("status.localName") : name;
