#!/usr/bin/env bash
# A real coding CLI as a worker for AgentFlow's tests: codex (if none is named), codex-acp, gemini, opencode or claude,
# a pinned npm package each, kept below ${AGENTFLOW_CODEX_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/agentflow/codex}. Prints
# the path of the command.
set -euo pipefail

case ${1:-codex} in
  codex) package=@openai/codex version=0.169.0 name=codex scripts=--ignore-scripts ;;
  codex-acp) package=@zed-industries/codex-acp version=0.16.0 name=codex-acp scripts=--ignore-scripts ;;
  gemini) package=@google/gemini-cli version=0.61.0 name=gemini scripts=--ignore-scripts ;;
  opencode) package=opencode-ai version=1.18.33 name=opencode scripts= ;; # its script puts the program of this system in place
  claude) package=@anthropic-ai/claude-code version=2.1.328 name=claude scripts= ;;
  *) echo "there is no $1 to be had" >&2; exit 1 ;;
esac
cache=${AGENTFLOW_CODEX_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/agentflow/codex}
app=$cache/$version
[ "$name" = codex ] || app=$cache/$name-$version
command=$app/node_modules/.bin/$name

if [ ! -x "$command" ]; then
  command -v npm >/dev/null || { echo "npm is not there" >&2; exit 1; }
  mkdir -p "$cache"
  fresh=$(mktemp -d "$cache/.new-XXXXXX")
  trap 'rm -rf "$fresh"' EXIT
  printf '{"private":true,"dependencies":{"%s":"%s"}}\n' "$package" "$version" >"$fresh/package.json"
  (cd "$fresh" && npm install $scripts --no-audit --no-fund --loglevel=error) >&2
  [ -x "$fresh/node_modules/.bin/$name" ] || { echo "$package $version did not install" >&2; exit 1; }
  mv -T "$fresh" "$app" 2>/dev/null || [ -x "$command" ] # another test may have been faster
fi
echo "$command"
