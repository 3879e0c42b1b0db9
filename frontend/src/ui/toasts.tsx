import "sonner/dist/styles.css";
import { CircleAlert, CircleCheck, Info, X } from "lucide-react";
import { Toaster as Sonner, toast as sonner } from "sonner";
import { Button, IconButton } from "./Button";
import type { ToastInput } from "./Toast";

const icons = { done: CircleCheck, failed: CircleAlert, info: Info };
const colors = { done: "text-done", failed: "text-failed", info: "t2" };

/** What is shown under a name, until it begins to leave. */
const shown = new Map<string, string>();
let count = 0;
/**
 * The id for a toast under a name. It is the id of the toast that is shown, so that the new one replaces it. A toast
 * that is leaving would take its replacement along, so then the id is a new one.
 */
function placeOf(name: string) {
  const id = shown.get(name) ?? `${name} ${++count}`,
    gone = () => {
      if (shown.get(name) === id) shown.delete(name);
    };
  shown.set(name, id);
  return { id, onAutoClose: gone, onDismiss: gone };
}

export function show({ text, tone = "info", action, closeLabel, id: name, for: ms }: ToastInput) {
  const Icon = icons[tone],
    place = name ? placeOf(name) : {};
  const id = sonner.custom(
    (id) => (
      <div className="toast" role={tone === "failed" ? "alert" : "status"}>
        <Icon size={16} className={colors[tone]} aria-hidden />
        <span className="grow py-1">{text}</span>
        {action && (
          <Button
            size="sm"
            tone="quiet"
            onClick={() => {
              sonner.dismiss(id);
              action.run();
            }}
          >
            {action.label}
          </Button>
        )}
        <IconButton icon={X} size="sm" label={closeLabel} onClick={() => sonner.dismiss(id)} />
      </div>
    ),
    { ...place, duration: ms ?? (tone === "failed" ? Infinity : 6000) },
  );
  if (action || tone === "failed") saidAt.delete(id);
  else saidAt.set(id, location.hash);
}

/** The addresses at which toasts were shown that only tell something: no failure, and nothing that can be undone. */
const saidAt = new Map<string | number, string>();

/** Closes those of them that were shown at an address that is left. */
export function leave(stays: (hash: string) => boolean): void {
  for (const [id, hash] of saidAt)
    if (!stays(hash)) {
      saidAt.delete(id);
      sonner.dismiss(id);
    }
}

export function dismiss(name: string): void {
  const id = shown.get(name);
  if (id !== undefined) sonner.dismiss(id);
}

export function Toaster({ label, top = false }: { label: string; /** Above what is at the bottom. */ top?: boolean }) {
  return (
    <Sonner
      position={top ? "top-right" : "bottom-right"}
      offset={{ bottom: 84, right: 12, top: 48 }}
      mobileOffset={{ bottom: 136, top: 56 }}
      containerAriaLabel={label}
      gap={8}
    />
  );
}
