#!/usr/bin/env bash
# Installs the Debian packages that a task needs, and only those that are missing.
#   build/need.sh window | test | bench
# It asks dpkg first and leaves at once when nothing is missing.
set -euo pipefail

case "${1:-}" in
  window) packages=(gcc libc6-dev pkg-config libgtk-3-dev libwebkit2gtk-4.1-dev) ;;
  test | bench) packages=(gcc libc6-dev pkg-config libgtk-3-dev libwebkit2gtk-4.1-dev xvfb webkit2gtk-driver dbus-daemon chromium-headless-shell curl fonts-noto-cjk postgresql) ;;
  *) echo "usage: build/need.sh window|test|bench" >&2; exit 2 ;;
esac
[ "$1" != bench ] || packages+=(chromium) # a frame is timed as a person's browser draws it

[ "$(uname -s)" = Linux ] || exit 0 # macOS and Windows bring their web view along

if ! command -v dpkg-query >/dev/null; then
  pkg-config --exists gtk+-3.0 webkit2gtk-4.1 2>/dev/null && exit 0
  echo "This machine has no Debian packages. Install what corresponds to: ${packages[*]}" >&2
  exit 1
fi

missing=()
have=$(dpkg-query -W -f='${Package} ${db:Status-Status}\n' "${packages[@]}" 2>/dev/null || true)
for package in "${packages[@]}"; do
  grep -qx "$package installed" <<<"$have" || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
    as_root=(sudo)
  else
    echo "These packages are missing and installing them needs root. Run once:" >&2
    echo "  apt-get update && apt-get install --no-install-recommends ${missing[*]}" >&2
    exit 1
  fi
fi

echo "installing ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 "$@" >>"$log" 2>&1; }
if ! { apt update && apt install -y --no-install-recommends "${missing[@]}"; }; then
  tail -n 30 "$log" >&2
  echo "apt-get could not install ${missing[*]}" >&2
  exit 1
fi
