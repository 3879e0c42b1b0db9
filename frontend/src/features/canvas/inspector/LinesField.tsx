import { useState } from "react";
import { Field, Lines, useAfterFrame, type LinesOffer } from "@/ui";
import { useLimit } from "./useLimit";

type Props = {
  label: string;
  hint?: string;
  value: readonly string[];
  onLines: (lines: string[]) => void;
  /** Names to choose from. */ offer?: LinesOffer;
  changed?: boolean;
  aside?: React.ReactNode;
  error?: string;
  warning?: string;
};

const split = (text: string) =>
  text
    .split("\n")
    .map((l) => l.trim())
    .filter(Boolean);

/** A list of words, one a line. Empty lines may stand while typing. */
export function LinesField({ label, hint, value, onLines, offer, changed, aside, error, warning }: Props) {
  const [typed, setTyped] = useState<string>();
  const limit = useLimit();
  const tell = useAfterFrame((lines: string[]) => {
    if (limit.fits(lines)) onLines(lines);
  });
  const shown = typed !== undefined && split(typed).join("\n") === value.join("\n") ? typed : value.join("\n");
  return (
    <Field label={label} hint={hint} aside={aside} error={limit.error ?? error} warning={warning}>
      {(ids) => (
        <Lines
          {...ids}
          offer={offer}
          mono
          rows={1}
          grow={200}
          changed={changed}
          value={shown}
          onText={(text) => {
            setTyped(text);
            tell(split(text));
          }}
          onBlur={() => setTyped(undefined)}
        />
      )}
    </Field>
  );
}
