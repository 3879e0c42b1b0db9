import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useTeam } from "@/stores/team";
import { displayName, faceOf, type Route, type RouteChannel } from "@/topology";
import { announce, Avatar, Button, Field, Select } from "@/ui";
import { addBinding, changeBinding } from "./edit";
import { bindingOf, lacks, nowhere, placeOf, type Lack } from "./form";
import { PlaceFields } from "./PlaceFields";

type Props = {
  channels: RouteChannel[];
  /** The binding to change; without one it is added. */ rule?: Route;
  number?: number;
  onClose: () => void;
};

/** Adds or changes a binding. */
export function BindingForm({ channels, rule, number = 0, onClose }: Props) {
  const { t } = useTranslation();
  const agents = useTeam((s) => s.topology.agents),
    faces = useTeam((s) => s.faces);
  // The binding as it was when the form opened: one that changed meanwhile isn't overwritten.
  const [was] = useState(rule);
  const [agent, setAgent] = useState(was?.agent ?? ""),
    [place, setPlace] = useState(was?.match ? placeOf(was.match) : { ...nowhere, channel: channels[0]?.id ?? "" }),
    [lack, setLack] = useState<Lack>(),
    [gone, setGone] = useState(false);
  const known = agents.some((a) => a.id === agent);
  const save = () => {
    const missing = lacks(agent, place);
    setLack(missing);
    if (missing) return;
    const binding = bindingOf(agent, place, was?.raw);
    if (was && !changeBinding(was, binding)) return setGone(true);
    if (!was) {
      addBinding(binding);
      announce(t("routes.added"));
    }
    onClose();
  };
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>("button, input")?.focus(), []);
  return (
    <form
      ref={form}
      className="routes-form"
      aria-label={rule ? t("routes.edit", { number }) : t("routes.add")}
      onSubmit={(e) => {
        e.preventDefault();
        save();
      }}
      onKeyDown={(e) => {
        if (e.key !== "Escape" || e.defaultPrevented) return;
        e.stopPropagation();
        onClose();
      }}
    >
      <Field
        label={t("routes.agent")}
        error={lack === "agent" && t("routes.need.agent")}
        warning={!!agent && !known && t("routes.note.unknown_agent", { name: agent })}
      >
        {(ids) => (
          <Select
            {...ids}
            value={agent}
            placeholder={t("routes.pickAgent")}
            options={[
              ...agents.map((a) => ({
                value: a.id,
                label: displayName(a),
                icon: <Avatar size="sm" {...faceOf(faces, a.id)} />,
              })),
              ...(agent && !known ? [{ value: agent, label: agent }] : []),
            ]}
            onValue={setAgent}
          />
        )}
      </Field>
      <PlaceFields place={place} channels={channels} onPlace={setPlace} lack={lack} />
      {gone && (
        <p className="text-failed" role="alert">
          {t("routes.gone")}
        </p>
      )}
      <div className="row gap-2 justify-end">
        <Button onClick={onClose}>{t("routes.cancel")}</Button>
        <Button tone="main" type="submit">
          {t(rule ? "routes.save" : "routes.addDone")}
        </Button>
      </div>
    </form>
  );
}
