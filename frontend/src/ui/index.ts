export { announce, Announcer } from "./Announcer";
export { Avatar } from "./Avatar";
export {
  Badge,
  Chip,
  ColorSquare,
  Count,
  StatusBadge,
  statusIcon,
  UnreadCount,
  type DiffTone,
  type Status,
} from "./Badge";
export { Boundary, BoundaryProvider, BoundaryWatch, type BoundaryWords } from "./Boundary";
export { Button, IconButton, type ButtonProps, type IconButtonProps } from "./Button";
export { Checkbox, RadioGroup, Segmented, Switch } from "./Choice";
export { Coach } from "./Coach";
export { Combobox } from "./Combobox";
export type { ComboOption } from "./Options";
export { Lines, type LinesOffer } from "./Lines";
export { copyText } from "./copyText";
export { cx } from "./cx";
export { Dialog } from "./Dialog";
export { Banner, EmptyState, ErrorState, OwnWords, Progress, Skeleton } from "./Feedback";
export { Field } from "./Field";
export { composing, inField, isEnter } from "./ime";
export { Input, Textarea, keepKeys } from "./Input";
export { Kbd } from "./Kbd";
export { isMac, keyLabel, mod, shortcut } from "./keys";
export { fieldGone } from "./fieldGone";
export { KeysAhead, typedOn, writesNowhere } from "./KeysAhead";
export { ListRow } from "./ListRow";
export { foldText, matches } from "./match";
export { ContextMenu, type MenuPlace } from "./ContextMenu";
export { Menu, MenuAt, type MenuItem } from "./Menu";
export { allowOwnStyles, styleNonce } from "./nonce";
export { Marked } from "./Marked";
export { lasting, still } from "./motion";
export { Panel, PanelHead, ScreenHead } from "./Panel";
export { Rail, TabBar, type RailItem } from "./Rail";
export { Select, type Option } from "./Select";
export { chordsOf, keysOf, shortcutIds, shortcuts, type IdOf, type Scope, type ShortcutId } from "./shortcuts";
export { Sketch } from "./Sketch";
export { SkipLink } from "./SkipLink";
export { workPlace } from "./workPlace";
export { SplitHandle, type SplitProps } from "./SplitHandle";
export { StatusBar, StatusItem } from "./StatusBar";
export { Tabs, type TabSpec } from "./Tabs";
export { TextDiff, type Place } from "./text";
export { leaveToasts, Toaster, toast } from "./Toast";
export { fetchTip, TooltipProvider } from "./Tooltip";
export { marked, markedLine } from "./unseen";
export { useAfterFrame } from "./useAfterFrame";
export { focusHolder, useRowFocus } from "./useRowFocus";
export { useMedia, useTextScale } from "./useMedia";
export { useSettled } from "./useSettled";
export { usePageVisible } from "./usePageVisible";
export { dialogIsOpen, modalIsOpen, takeShortcut, useShortcuts, type Handlers } from "./useShortcuts";
export { useSeen } from "./useSeen";
export { followWidth, setTextSize, textScale } from "./width";
export { Swatches } from "./Swatches";
