/** Shows a notification of the system; `open` runs on a click. False where the browser shows none, as on a phone. */
export function desktopNotice(title: string, options: NotificationOptions, open: () => void): boolean {
  try {
    const n = new Notification(title, options);
    n.onclick = () => {
      window.focus();
      open();
      n.close();
    };
    return true;
  } catch {
    return false; // Chrome on Android has the constructor and throws
  }
}
