import { Tabs as T } from "radix-ui";
import { useEffect, useRef, type ReactNode } from "react";
import { Count } from "./Badge";

export type TabSpec<V extends string> = { value: V; label: string; count?: number; content: ReactNode };

/** Tabs with their panels. `tools` stands at the right end of the strip. */
export function Tabs<V extends string>({
  label,
  value,
  onValue,
  tabs,
  tools,
}: {
  label: string;
  value: V;
  onValue: (v: V) => void;
  tabs: TabSpec<V>[];
  tools?: ReactNode;
}) {
  const list = useRef<HTMLDivElement>(null);
  // The strip scrolls where it is too narrow for all.
  useEffect(() => {
    list.current?.querySelector(`[data-state="active"]`)?.scrollIntoView({ inline: "nearest", block: "nearest" });
  }, [value]);
  return (
    <T.Root value={value} onValueChange={(v) => onValue(v as V)} className="col grow min-h-0">
      <div className="tabs">
        <T.List ref={list} aria-label={label} className="tabs-list">
          {tabs.map((t) => (
            <T.Trigger key={t.value} value={t.value} className="tab">
              {t.label}
              {t.count !== undefined && <Count n={t.count} />}
            </T.Trigger>
          ))}
        </T.List>
        {tools && (
          <>
            <span className="grow" />
            {tools}
          </>
        )}
      </div>
      {tabs.map((t) => (
        <T.Content key={t.value} value={t.value} className="scroll outline-offset-[-2px]" tabIndex={-1}>
          {t.content}
        </T.Content>
      ))}
    </T.Root>
  );
}
