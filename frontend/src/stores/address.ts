/** Whether a host is this computer, as every computer calls itself. */
export const isLoopback = (hostname: string) =>
  hostname === "localhost" ||
  hostname.endsWith(".localhost") ||
  hostname === "[::1]" ||
  /^127(\.\d+){3}$/.test(hostname);
