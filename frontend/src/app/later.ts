import type { ComponentType } from "react";
import { allWords } from "@/i18n";
import { fetched } from "@/stores/fetched";

/** A part of the page that comes after the canvas, with its words. */
export const later = <P extends object>(get: () => Promise<ComponentType<P>>) => fetched(() => Promise.all([get(), allWords()]).then(([part]) => part));
