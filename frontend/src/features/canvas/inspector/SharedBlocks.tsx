import { Copy, Plus } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { fetched } from "@/stores/fetched";
import { useTeam } from "@/stores/team";
import type { Agent } from "@/topology";
import { findShared, sharedOf } from "@/topology/shared";
import { Button, marked } from "@/ui";

const SharedDialog = fetched(() => import("./SharedDialog").then((m) => m.SharedDialog));

/** The blocks of a file that other files share, and a way to share one more. */
export function SharedBlocks({ agent, file, text }: { agent: Agent; file: string; text: string }) {
  const { t } = useTranslation();
  const agents = useTeam((s) => s.topology.agents);
  const [open, setOpen] = useState<{ name?: string }>();
  // The file as it is shown: the draft may not have it yet.
  const all = useMemo(
      () =>
        sharedOf({
          agents: agents.map((a) =>
            a.id === agent.id ? { ...a, files: { ...a.files, [file]: { content: text } } } : a,
          ),
        }),
      [agents, agent.id, file, text],
    ),
    here = useMemo(() => [...new Set(findShared(text).map((b) => b.name))], [text]);
  return (
    <div className="row flex-wrap pb-3" role="group" aria-label={t("workspace.shared.label")}>
      {here.map((name) => {
        const copies = all.get(name) ?? [],
          differ = new Set(copies.map((c) => c.text)).size > 1;
        return (
          <Button key={name} size="sm" icon={Copy} onClick={() => setOpen({ name })}>
            {t(differ ? "workspace.shared.differ" : "workspace.shared.same", {
              name: marked(name),
              count: copies.length,
            })}
          </Button>
        );
      })}
      <Button size="sm" tone="quiet" icon={Plus} onClick={() => setOpen({})}>
        {t("workspace.shared.add")}
      </Button>
      {open && (
        <SharedDialog agent={agent} file={file} begun={all} name={open.name} onClose={() => setOpen(undefined)} />
      )}
    </div>
  );
}
