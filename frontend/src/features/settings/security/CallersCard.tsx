import { Ellipsis, KeyRound, Pencil, RotateCw, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatList, formatWhen } from "@/i18n/format";
import { securityActions } from "@/stores/security";
import type { Caller } from "@/topology";
import { Badge, Button, EmptyState, IconButton, Menu } from "@/ui";
import { Card } from "../Card";
import { CallerDialog } from "./CallerDialog";
import { SureDialog } from "./SureDialog";
import { TokenDialog } from "./TokenDialog";

type Doing =
  | { what: "add" }
  | { what: "edit" | "rotate" | "revoke"; caller: Caller }
  | { what: "token"; name: string; token: string };

/** Who may call beside the person: each with a token of their own. */
export function CallersCard({ callers }: { callers: Caller[] }) {
  const { t } = useTranslation();
  const [doing, setDoing] = useState<Doing>();
  const close = () => setDoing(undefined);
  const add = (
    <Button size="sm" icon={KeyRound} onClick={() => setDoing({ what: "add" })}>
      {t("security.callers.add")}
    </Button>
  );
  return (
    <Card title={t("security.callers.title")} aside={callers.length > 0 && add}>
      {callers.length === 0 ? (
        <EmptyState icon={KeyRound} title={t("security.callers.none")} action={add}>
          {t("security.callers.noneWhy")}
        </EmptyState>
      ) : (
        <ul aria-label={t("security.callers.title")}>
          {callers.map((c) => (
            <li
              key={c.id}
              className="row min-h-11 flex-wrap gap-x-3 gap-y-0.5 border-t border-line py-1 pr-1.5 pl-3 first:border-t-0"
              data-caller={c.name}
            >
              <b className="cut max-w-72" title={c.name}>
                <bdi>{c.name}</bdi>
              </b>
              <Badge title={t(`security.roleWhy.${c.role}`)}>{t(`security.role.${c.role}`)}</Badge>
              {c.role === "rooms" && (
                <span className="cap">
                  <bdi>{t("security.callers.talks", { as: c.as, rooms: formatList(c.rooms ?? []) })}</bdi>
                </span>
              )}
              <span className="grow" />
              <span className="cap num">
                {c.seenAt
                  ? t("security.callers.seen", { when: formatWhen(c.seenAt, true) })
                  : t("security.callers.never")}
              </span>
              <Menu
                align="end"
                trigger={
                  <IconButton icon={Ellipsis} size="sm" label={t("security.callers.moreOf", { name: c.name })} />
                }
                items={[
                  {
                    label: t("security.callers.edit"),
                    icon: Pencil,
                    onSelect: () => setDoing({ what: "edit", caller: c }),
                  },
                  {
                    label: t("security.callers.rotate"),
                    icon: RotateCw,
                    onSelect: () => setDoing({ what: "rotate", caller: c }),
                  },
                  {
                    label: t("security.callers.revoke"),
                    icon: Trash2,
                    danger: true,
                    onSelect: () => setDoing({ what: "revoke", caller: c }),
                  },
                ]}
              />
            </li>
          ))}
        </ul>
      )}
      {(doing?.what === "add" || doing?.what === "edit") && (
        <CallerDialog
          caller={doing.what === "edit" ? doing.caller : undefined}
          onClose={close}
          onMade={(name, token) => setDoing({ what: "token", name, token })}
        />
      )}
      {doing?.what === "token" && <TokenDialog name={doing.name} token={doing.token} onClose={close} />}
      {doing?.what === "rotate" && (
        <SureDialog
          title={t("security.callers.rotateTitle", { name: doing.caller.name })}
          action={t("security.callers.rotateIt")}
          failed={t("security.callers.changeFailed")}
          onClose={close}
          work={() => securityActions.rotateCaller(doing.caller.id)}
          onDone={(token) => setDoing({ what: "token", name: doing.caller.name, token })}
        >
          {t("security.callers.rotateWhy")}
        </SureDialog>
      )}
      {doing?.what === "revoke" && (
        <SureDialog
          title={t("security.callers.revokeTitle", { name: doing.caller.name })}
          action={t("security.callers.revokeIt")}
          failed={t("security.callers.revokeFailed")}
          onClose={close}
          work={() => securityActions.revokeCaller(doing.caller.id)}
          onDone={close}
        >
          {t("security.callers.revokeWhy")}
        </SureDialog>
      )}
    </Card>
  );
}
