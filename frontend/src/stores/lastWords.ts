import type { SaveRequest } from "../topology";

/** A browser sends no more than 64 KiB for a page that goes away; some of it is the request's head. */
const mostOnTheWay = 60_000;
const key = (team: string) => `agentflow.lastWords.${team}`;

/** Whether a page that goes away can still send it. */
export const fitsLastWords = (body: SaveRequest): boolean => new Blob([JSON.stringify(body)]).size <= mostOnTheWay;

/** Keeps an edit that could not be sent in this browser, until the team is opened here again. */
export function keepLastWords(team: string, body: SaveRequest): void {
  try {
    localStorage.setItem(key(team), JSON.stringify(body));
  } catch {
    /* the browser keeps nothing: it was asked for, and there is nobody left to tell */
  }
}

export function forgetLastWords(team: string): void {
  try {
    localStorage.removeItem(key(team));
  } catch {
    /* nothing was kept */
  }
}

/** What was kept of a team; it is not kept any longer. */
export function takeLastWords(team: string): SaveRequest | undefined {
  try {
    const text = localStorage.getItem(key(team));
    if (!text) return undefined;
    forgetLastWords(team);
    return JSON.parse(text) as SaveRequest;
  } catch {
    return undefined;
  }
}
