/** An address as a person types it: without its scheme this computer and its network speak http, others https. */
export function withScheme(typed: string): string {
  const url = typed.trim();
  if (!url || /^[a-z][a-z0-9+.-]*:\/\//i.test(url)) return url;
  return `${/^(localhost|127\.|10\.|192\.168\.|\[::1\]|[\w-]+(:\d+)?(\/|$)|[\w.-]+\.local\b)/i.test(url) ? "http" : "https"}://${url}`;
}
