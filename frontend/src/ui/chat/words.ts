import { createContext, useContext } from "react";
import "./chat.css";

/** What the parts of a conversation say, in the person's language. */
export type ChatWords = {
  copy: string;
  copied: string;
  copyCode: string;
  /** In place of a picture that is not fetched: its text, and where it is. */
  picture: (alt: string, host: string) => string;
  opensOutside: string;
  showAll: (characters: number) => string;
  jump: string;
  jumpNew: (count: number) => string;
  older: string;
  /** Of what was done with a tool: what went in, what came out, how it ended. */
  tool: { input: string; output: string; ok: string; failed: string };
  time: (at: string | number | Date) => string;
  moment: (at: string | number | Date) => string;
};

const Words = createContext<ChatWords | undefined>(undefined);

export const ChatWordsProvider = Words.Provider;

export function useChatWords(): ChatWords {
  const words = useContext(Words);
  if (!words) throw new Error("the parts of a conversation need a ChatWordsProvider");
  return words;
}
