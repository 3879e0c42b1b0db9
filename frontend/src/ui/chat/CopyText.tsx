import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { IconButton } from "../Button";
import { copyText } from "../copyText";
import { useChatWords } from "./words";

/** A button that copies a text, and says for a moment that it has. */
export function CopyText({ text, label }: { text: string; label?: string }) {
  const words = useChatWords();
  const [done, setDone] = useState(false);
  const copy = () =>
    void copyText(text).then(
      () => {
        setDone(true);
        setTimeout(() => setDone(false), 1500);
      },
      () => undefined,
    );
  return (
    <IconButton
      icon={done ? Check : Copy}
      size="sm"
      label={done ? words.copied : (label ?? words.copy)}
      onClick={copy}
    />
  );
}
