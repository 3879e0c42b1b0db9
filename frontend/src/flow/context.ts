import { createContext, useContext } from "react";

/** What nodes may ask of the canvas they stand on; a read-only canvas offers nothing. */
export type FlowActions = {
  /** The agent whose name is being edited in place. */
  naming?: string;
  rename?: (agent: string, name: string) => void;
  endNaming?: () => void;
  /** Names the next agent in reading order, or the one before. */
  nameNext?: (agent: string, back: boolean) => void;
  /** What was typed for the field that is only just coming. */
  ahead?: string;
  undo?: () => void;
  noting?: string;
  editNote?: (note: string, text: string) => void;
  endNoting?: () => void;
  /** While a note is resized by its handle; `done` at the end. */
  sizeNote?: (note: string, size: { width: number; height: number }, done: boolean) => void;
  /** The group whose name is being edited in place. */
  framing?: string;
  renameGroup?: (group: string, name: string) => void;
  startFraming?: (group: string) => void;
  endFraming?: () => void;
  fold?: (group: string, on: boolean) => void;
  /** The group into which what is dragged would go. */
  dropInto?: string;
  /** The connection whose label is being written in place. */
  labelling?: string;
  label?: (connection: string) => void;
  /** Selects a connection by its label; `more` adds it to what is chosen, or takes it away. */
  choose?: (connection: string, more: boolean) => void;
  relabel?: (connection: string, label: string) => void;
  endLabelling?: () => void;
  /** While a connection is being drawn: which agents may be its end. */
  targets?: ReadonlySet<string>;
  aimed?: string;
};

export const FlowActionsContext = createContext<FlowActions>({});
export const useFlowActions = () => useContext(FlowActionsContext);

/** True below 40 % zoom, where nodes and lines become simple. */
export const FarContext = createContext(false);
export const useFar = () => useContext(FarContext);
export const farBelow = 0.4;
