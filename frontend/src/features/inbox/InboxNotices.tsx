import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { agentNameOf } from "@/stores/agentNames";
import { tellDesktop } from "@/stores/desktop";
import { followGatewayAgents } from "@/stores/gatewayAgents";
import { useHub } from "@/stores/hub";
import { chooseQuestion, useBlockedCount } from "@/stores/inbox";
import { checkPush, followPush } from "@/stores/push";
import { formatRoute } from "@/stores/routes";
import { useUi } from "@/stores/ui";
import { useBlocked } from "@/stores/untrusted";
import { marked, toast } from "@/ui";

/** Says that an agent asks, wherever the person is: on the page, or on the desktop while it is not looked at. */
export function InboxNotices() {
  const { t, i18n } = useTranslation();
  const known = useHub((s) => s.known),
    waiting = useHub((s) => s.inbox);
  const blocked = useBlocked().filter((b) => b.task).length;
  useEffect(() => useBlockedCount.setState({ count: blocked }), [blocked]);
  const told = useRef<Set<string> | undefined>(undefined),
    shown = useRef<readonly string[]>([]);
  useEffect(followGatewayAgents, []);
  useEffect(followPush, []);
  useEffect(() => {
    void checkPush().catch(() => undefined); // the settings show what is wrong
  }, [i18n.language]);
  useEffect(() => {
    if (!known) return;
    const had = told.current;
    told.current = new Set(waiting.map((q) => q.id));
    const fresh = waiting.filter((q) => (had ? !had.has(q.id) : Date.parse(q.askedAt) > performance.timeOrigin));
    const q = fresh[0];
    if (!q) return;
    const open = () => {
      useUi.getState().go("inbox");
      chooseQuestion(q.id);
    };
    const agent = marked(q.agent ? agentNameOf(q.agent) : (q.gateway?.name ?? ""));
    const title = fresh.length > 1 ? t("inbox.severalAsk", { count: fresh.length }) : t("inbox.asks", { agent }),
      body =
        q.gateway && q.tool
          ? t("inbox.gateway.wants", { gateway: marked(q.gateway.name) })
          : q.tool
            ? t("inbox.wantsTool", { tool: q.tool })
            : t("inbox.wantsAnswer");
    const onPage = () => {
      if (useUi.getState().screen === "inbox") return;
      shown.current = fresh.map((f) => f.id);
      toast({
        text: title,
        closeLabel: t("common.close"),
        id: "inbox-asks",
        for: 12_000,
        while: {
          holds: () => useHub.getState().inbox.some((w) => shown.current.includes(w.id)),
          subscribe: useHub.subscribe,
        },
        action: { label: t("inbox.look"), run: open },
      });
    };
    void tellDesktop({ title, body, tag: q.id, place: formatRoute("inbox", { question: q.id }) }).then((told) => {
      if (!told) onPage();
    });
  }, [known, waiting, t]);
  return null;
}
