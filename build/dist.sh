#!/usr/bin/env bash
# Builds every package this machine can build into dist/: the static program for Linux,
# macOS and Windows, the window for Windows, and, on Linux, the window and its .deb.
# Called by `make dist`, which has built the page; VERSION, COMMIT and BUILT come from there.
set -euo pipefail
cd "$(dirname "$0")/.."
: "${VERSION:?call this through make dist}"

config=agentflow/backend/base/config
ldflags="-s -w -X $config.Version=$VERSION -X $config.Commit=${COMMIT:-} -X $config.BuiltAt=${BUILT:-}"
out=dist
stage=$(mktemp -d)
resource=rsrc_windows_amd64.syso
trap 'rm -rf "$stage" "$resource"' EXIT
rm -rf "$out"
mkdir -p "$out"

compile() { # os arch output tags extra-ldflags
  GOOS=$1 GOARCH=$2 CGO_ENABLED=0 go build -trimpath -buildvcs=false -tags "$4" -ldflags "$ldflags $5" -o "$3" .
}

# The same files give the same archive: fixed order, owner and time.
pack() { # folder name
  cp LICENSE README.md README.ja.md "$stage/$1/" 2>/dev/null || cp LICENSE "$stage/$1/"
  tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="${BUILT:-2026-01-01T00:00:00Z}" -C "$stage" -cf - "$1" | gzip -n >"$out/$1.tar.gz"
  echo "$out/$1.tar.gz"
}

for target in linux/amd64 linux/arm64 darwin/amd64 darwin/arm64; do
  name=agentflow_${VERSION}_${target/\//_}
  mkdir "$stage/$name"
  compile "${target%/*}" "${target#*/}" "$stage/$name/agentflow" "" ""
  if [ "$target" = linux/amd64 ] && [ -x bin/agentflow-desktop ]; then
    cp bin/agentflow-desktop "$stage/$name/"
  fi
  pack "$name"
done

# Windows: icon and manifest are a resource file that go build picks up from the root.
numeric=$(sed -E 's/^([0-9]+\.[0-9]+\.[0-9]+).*/\1.0/' <<<"$VERSION")
go run github.com/tc-hib/go-winres@v0.3.3 simply --arch amd64 --out rsrc --manifest gui --icon build/windows/icon.ico \
  --product-name AgentFlow --file-description AgentFlow --copyright "AgentFlow authors" \
  --product-version "$numeric" --file-version "$numeric" --original-filename agentflow-desktop.exe
name=agentflow_${VERSION}_windows_amd64
mkdir "$stage/$name"
compile windows amd64 "$stage/$name/agentflow.exe" "" ""
compile windows amd64 "$stage/$name/agentflow-desktop.exe" desktop,production "-H windowsgui"
pack "$name"

if [ -x bin/agentflow-desktop ]; then
  make deb
fi
(cd "$out" && sha256sum -- * >SHA256SUMS)
echo "$out/SHA256SUMS"
