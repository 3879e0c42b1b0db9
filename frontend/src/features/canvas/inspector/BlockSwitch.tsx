import { useTranslation } from "react-i18next";
import { useTarget } from "@/stores/team";
import type { Agent } from "@/topology";
import { BLOCK_OF, findBlocks, withBlock, withoutBlock, type BlockFile } from "@/topology/blocks";
import { Switch } from "@/ui";

/**
 * Puts the block of a file that follows the team into it, and takes it out again. The built-in gateway gives its agents
 * all of that itself, so there the switch can only be turned off.
 */
export function BlockSwitch({
  agent,
  file,
  text,
  held,
  readable,
  onText,
}: {
  agent: Agent;
  file: BlockFile;
  text: string;
  /** The draft has the file: a block that only the gateway's file has doesn't follow this team. */
  held: boolean;
  /** The gateway's text is known, or there is none. */
  readable: boolean;
  onText: (text: string) => void;
}) {
  const { t } = useTranslation();
  const builtin = useTarget()?.builtin;
  const found = findBlocks(text, file).length > 0,
    on = held && found,
    what = BLOCK_OF[file];
  if (!found && (builtin || (what === "persona" && !agent.persona))) return null;
  return (
    <div className="pb-3">
      <Switch
        label={t(`workspace.block.${what}`)}
        hint={t(
          found && !on
            ? "workspace.block.found"
            : readable || on
              ? `workspace.block.${what}Why`
              : "workspace.block.unread",
        )}
        checked={on}
        disabled={!on && !readable}
        onChecked={(next) => onText(next ? withBlock(withoutBlock(text, file), file) : withoutBlock(text, file))}
      />
    </div>
  );
}
