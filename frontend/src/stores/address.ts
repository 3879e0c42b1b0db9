/** A part of the page's address; "" where it was written by hand and cannot be read. */
export function decoded(part: string): string {
  try { return decodeURIComponent(part); } catch { return ""; }
}
