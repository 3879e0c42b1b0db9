/** A random id of so many bytes, in hex. Works on a page without a secure context, where `crypto.randomUUID` is missing. */
export const freshId = (bytes = 16) =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (b) => b.toString(16).padStart(2, "0")).join("");
