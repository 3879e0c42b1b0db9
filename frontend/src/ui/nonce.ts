import { setNonce } from "get-nonce";

/** The hub's word, new for each load, that lets a style of our own into the page. */
export const styleNonce = () => document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce;

/** Lets the parts that keep their rules in a style element write it. Called before anything is drawn. */
export function allowOwnStyles(): void {
  const nonce = styleNonce();
  if (nonce) setNonce(nonce);
}
