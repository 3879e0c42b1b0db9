import type { Said } from "@/i18n/said";
import { Marked } from "@/ui";

/** A sentence in which what others wrote is set off, with every character of it seen. */
export const SaidWords = ({ said }: { said: readonly Said[] }) =>
  said.map((part, i) =>
    part.code ? (
      <code key={i} className="said" translate="no">
        <Marked text={part.text} />
      </code>
    ) : (
      part.text
    ),
  );
