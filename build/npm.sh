#!/usr/bin/env bash
# Installs the page's npm packages as the lock file names them.
set -euo pipefail
cd "$(dirname "$0")/../frontend"

if ! command -v npm >/dev/null || ! node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)'; then
  echo "AgentFlow's page is built with Node.js 20.19 or newer and its npm; found: $(node --version 2>/dev/null || echo none)." >&2
  exit 1
fi
echo "installing the page's npm packages"
npm ci --no-audit --no-fund --loglevel=error
