import type { ReactNode } from "react";

/** A part of a settings section, under its own heading. */
export function Card({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <section className="overflow-hidden rounded-[var(--r-2)] border border-line-2">
      <header className="row min-h-10 border-b border-line bg-surface-2 px-3 phone:py-1.5">
        <h2 className="grow">{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}
