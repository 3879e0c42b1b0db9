import "sonner/dist/styles.css";
import { CircleAlert, CircleCheck, Info, X } from "lucide-react";
import { Toaster as Sonner, toast as sonner } from "sonner";
import { Button, IconButton } from "./Button";
import type { ToastInput } from "./Toast";

const icons = { done: CircleCheck, failed: CircleAlert, info: Info };
const colours = { done: "text-done", failed: "text-failed", info: "t2" };

export function show({ text, tone = "info", action, closeLabel, id: name, for: ms }: ToastInput) {
  const Icon = icons[tone];
  return sonner.custom((id) => (
    <div className="toast" role={tone === "failed" ? "alert" : "status"}>
      <Icon size={16} className={colours[tone]} aria-hidden />
      <span className="grow py-1">{text}</span>
      {action && <Button size="sm" tone="quiet" onClick={() => { sonner.dismiss(id); action.run(); }}>{action.label}</Button>}
      <IconButton icon={X} size="sm" label={closeLabel} onClick={() => sonner.dismiss(id)} />
    </div>
  ), { id: name, duration: ms ?? (tone === "failed" ? Infinity : 6000) });
}

export function Toaster({ label }: { label: string }) {
  return <Sonner position="bottom-right" offset={{ bottom: 84, right: 12 }} mobileOffset={{ bottom: 136 }} containerAriaLabel={label} gap={8} />;
}
