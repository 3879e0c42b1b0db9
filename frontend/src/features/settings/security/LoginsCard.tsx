import { LogOut } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatWhen } from "@/i18n/format";
import { attempt } from "@/stores/faults";
import { signOut } from "@/stores/login";
import { securityActions } from "@/stores/security";
import type { Login } from "@/topology";
import { Badge, Button, toast } from "@/ui";
import { Card } from "../Card";
import { SureDialog } from "./SureDialog";
import { browserOf } from "./words";

/** The browsers in which the owner is signed in, each with the way to end it. */
export function LoginsCard({ logins }: { logins: Login[] }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false),
    [ending, setEnding] = useState("");
  const said = () => toast({ tone: "done", text: t("security.logins.ended"), closeLabel: t("common.close") });
  const end = (l: Login) => {
    setEnding(l.id);
    void attempt("endLogin", async () => {
      if (l.current) await signOut();
      else {
        await securityActions.endLogin(l.id);
        said();
      }
    }).finally(() => setEnding(""));
  };
  const name = (l: Login) => {
    const { browser, system } = browserOf(l.browser);
    return browser && system
      ? t("security.logins.browserOn", { browser, system })
      : browser || l.browser || t("security.logins.unknown");
  };
  const others = logins.some((l) => !l.current);
  return (
    <Card
      title={t("security.logins.title")}
      aside={
        others && (
          <Button size="sm" icon={LogOut} onClick={() => setAsking(true)}>
            {t("security.logins.others")}
          </Button>
        )
      }
    >
      <p className="t2 p-3">{logins.length ? t("security.logins.what") : t("security.logins.none")}</p>
      {logins.length > 0 && (
        <ul aria-label={t("security.logins.title")}>
          {logins.map((l) => (
            <li
              key={l.id}
              className="row min-h-11 flex-wrap gap-x-3 gap-y-0.5 border-t border-line py-1 pr-2 pl-3"
              data-login={l.id}
            >
              <b className="cut max-w-72" title={l.browser}>
                <bdi>{name(l)}</bdi>
              </b>
              {l.current && <Badge>{t("security.logins.this")}</Badge>}
              <span className="mono cap" translate="no">
                {l.address}
              </span>
              <span className="grow" />
              <span className="cap num">{t("security.logins.created", { when: formatWhen(l.createdAt, true) })}</span>
              <span className="cap num">{t("security.logins.seen", { when: formatWhen(l.seenAt, true) })}</span>
              <Button
                size="sm"
                busy={ending === l.id}
                aria-label={l.current ? t("security.logins.endThis") : t("security.logins.endOf", { name: name(l) })}
                onClick={() => end(l)}
              >
                {t("security.logins.end")}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {asking && (
        <SureDialog
          title={t("security.logins.othersTitle")}
          action={t("security.logins.others")}
          failed={t("security.logins.failed")}
          work={securityActions.endOtherLogins}
          onDone={() => {
            setAsking(false);
            said();
          }}
          onClose={() => setAsking(false)}
        >
          {t("security.logins.othersWhy")}
        </SureDialog>
      )}
    </Card>
  );
}
