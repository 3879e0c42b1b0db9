export { copyText } from "./clip";
export { Composer, type ComposerProps } from "./Composer";
export { ChatWordsProvider, type ChatWords } from "./words";
export { Divider, Passing, TypingLine } from "./lines";
export { Markdown } from "./Markdown";
export { mentioned, type Mentionable } from "./mentions";
export { CopyText, Message, type Who } from "./Message";
export { MessageList, type Edge, type ListHandle } from "./MessageList";
export { ToolCall, type ToolCallProps } from "./ToolCall";
