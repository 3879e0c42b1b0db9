#!/usr/bin/env bash
# Formatting, vet and linters over all flavours; goes on after a finding, to show them all.
#   build/lint.sh GOLANGCI TAGS
set -uo pipefail
cd "$(dirname "$0")/.."
golangci=$1 tags=$2
status=0
check() { echo "  $*"; "$@" || status=1; }

unformatted=$(git ls-files -z --cached --others --exclude-standard '*.go' | xargs -0 gofmt -l 2>/dev/null)
if [ -n "$unformatted" ]; then
  echo "not formatted: $unformatted"
  status=1
fi
check go vet ./...
check go vet -trimpath -tags "$tags,window" . ./build/windowtest
# The tests of what is written for one system only; what the program itself needs elsewhere, make dist builds.
for os in darwin windows; do
  check env CGO_ENABLED=0 GOOS=$os go vet ./backend/base/config ./backend/base/proc ./backend/base/sandbox ./backend/base/sysinfo ./backend/model/tool/... ./backend/plan/worktree
done
check "$golangci" run ./...
check "$golangci" run --build-tags "$tags,window" . ./build/windowtest
exit $status
