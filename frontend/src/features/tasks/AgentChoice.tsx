import { Users } from "lucide-react";
import { useTranslation } from "react-i18next";
import { agentName } from "@/flow/describe";
import type { TaskType } from "@/stores/taskDraft";
import type { Candidate } from "@/topology";
import { Avatar, Menu, type MenuItem } from "@/ui";
import { offered } from "./elsewhere";
import { hindrance, hindranceShort } from "./hindrance";
import type { Receiver } from "./receiver";
import { useFaces } from "./useFaces";

type Props = {
  agents: readonly Candidate[];
  /** Who receives a task for the team. */
  receiver: Receiver;
  value: string;
  type: TaskType;
  onValue: (agent: string) => void;
};

/** Who gets it: the team, or one who can be given it. One that can't be given it says why. */
export function AgentChoice({ agents, receiver, value, type, onValue }: Props) {
  const { t } = useTranslation();
  const faceOf = useFaces();
  const chosen = agents.find((a) => a.id === value),
    choices = agents.filter((a) => offered(a, value)),
    nameOf = (id: string) => agentName({ after: { agents: choices } }, id),
    name = value ? (chosen ? nameOf(value) : value) : t("tasks.to.team");
  const items: MenuItem[] = [
    {
      label: t("tasks.to.team"),
      icon: Users,
      hint: receiver.hint,
      checked: !value,
      onSelect: () => onValue(""),
    },
    ...choices.flatMap((a, i): MenuItem[] => {
      const item: MenuItem = {
        label: nameOf(a.id),
        lead: <Avatar size="sm" {...faceOf(a.id)} />,
        hint: hindranceShort(t, agents, a, type),
        checked: a.id === value,
        refused: hindrance(t, agents, a.id, type)?.text,
        onSelect: () => onValue(a.id),
      };
      return i && choices[i - 1]?.gateway === a.gateway ? [item] : [{ kind: "separator" }, item];
    }),
  ];
  return (
    <Menu
      align="end"
      items={items}
      trigger={
        <button type="button" className="input input--select input--sm grow">
          <span className="sr-only">{t("tasks.to.label", { name })}</span>
          {value ? <Avatar size="sm" {...faceOf(value)} /> : <Users size={14} className="t2 flex-none" aria-hidden />}
          <span className="cut grow" aria-hidden>
            {name}
          </span>
        </button>
      }
    />
  );
}
