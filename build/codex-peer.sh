#!/usr/bin/env bash
# The real Codex CLI as a worker for AgentFlow's tests: a pinned npm package, kept below
# ${AGENTFLOW_CODEX_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/agentflow/codex}. Prints the path of the command.
set -euo pipefail

VERSION=0.169.0
cache=${AGENTFLOW_CODEX_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/agentflow/codex}
app=$cache/$VERSION
command=$app/node_modules/.bin/codex

if [ ! -x "$command" ]; then
  command -v npm >/dev/null || { echo "npm is not there" >&2; exit 1; }
  mkdir -p "$cache"
  fresh=$(mktemp -d "$cache/.new-XXXXXX")
  trap 'rm -rf "$fresh"' EXIT
  printf '{"private":true,"dependencies":{"@openai/codex":"%s"}}\n' "$VERSION" >"$fresh/package.json"
  (cd "$fresh" && npm install --ignore-scripts --no-audit --no-fund --loglevel=error) >&2
  [ -x "$fresh/node_modules/.bin/codex" ] || { echo "@openai/codex $VERSION did not install" >&2; exit 1; }
  mv -T "$fresh" "$app" 2>/dev/null || [ -x "$command" ] # another test may have been faster
fi
echo "$command"
