# Two commands do everything: `make run` and `make test`. Each installs what is
# missing (Debian packages, npm packages) and builds what is out of date.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

VERSION ?= $(shell git describe --tags --match 'v[0-9]*' 2>/dev/null | sed 's/^v//' | grep . || echo 0.1.0-dev)
COMMIT  := $(shell git rev-parse --short=12 HEAD 2>/dev/null)
# The commit's time, not the clock's: the same commit builds the same bytes.
BUILT   := $(shell git log -1 --format=%cI 2>/dev/null)
CONFIG  := agentflow/backend/base/config
LDFLAGS := -s -w -X $(CONFIG).Version=$(VERSION) -X $(CONFIG).Commit=$(COMMIT) -X $(CONFIG).BuiltAt=$(BUILT)
GOBUILD := go build -trimpath -buildvcs=false

# The window flavour's tags; only Linux has a choice of web view.
ifeq ($(shell uname -s),Linux)
TAGS := desktop,production,webkit2_41
else
TAGS := desktop,production
endif

GOLANGCI_VERSION := 2.15.0
GOLANGCI := .tools/golangci-lint-$(GOLANGCI_VERSION)
NFPM := go run github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.45.0

ALLTESTS := .cache/alltests
NODE_MODULES := frontend/node_modules/.stamp
PAGE := frontend/dist/index.html
PAGE_SOURCES := $(shell find frontend/src frontend/public frontend/index.html frontend/vite.config.ts frontend/package.json frontend/tsconfig.json -type f 2>/dev/null)

export VERSION COMMIT BUILT

.PHONY: help
help: ## list the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

##@ Use

# Where a window can open; macOS and Windows always have a display.
WINDOW := $(filter-out Linux,$(shell uname -s))$(DISPLAY)$(WAYLAND_DISPLAY)

.PHONY: run
run: $(if $(WINDOW),desktop,headless) ## start AgentFlow: the window, or, without a display, the hub and its link
ifneq ($(WINDOW),)
	@bin/agentflow-desktop || [ $$? -eq 130 ]
else
	@echo "There is no display here, so AgentFlow runs without its window: open the link below in a browser."
	@bin/agentflow serve --open || [ $$? -eq 130 ]
endif

.PHONY: build headless desktop
build: headless desktop ## write bin/agentflow (static) and bin/agentflow-desktop (window)

headless: $(PAGE) ## write bin/agentflow only
	@CGO_ENABLED=0 $(GOBUILD) -ldflags '$(LDFLAGS)' -o bin/agentflow .

desktop: need-window $(PAGE) ## write bin/agentflow-desktop only
	@CGO_ENABLED=1 $(GOBUILD) -tags $(TAGS) -ldflags '$(LDFLAGS)' -o bin/agentflow-desktop .

.PHONY: dist deb
dist: build ## write packages for Linux, macOS and Windows to dist/
	@build/dist.sh

deb: build ## write the Debian package to dist/
	@mkdir -p dist
	@$(NFPM) package -f build/nfpm.yaml -p deb -t dist/

##@ Test

.PHONY: test
test: need-test build $(ALLTESTS) .cache/window ## every test: Go, page, browser, window, real gateways
	@$(ALLTESTS) "go & go-real & types web" screens "window & gateways"

.PHONY: test-fast test-go test-web test-screens test-window
test-fast: $(PAGE) $(ALLTESTS) ## what needs no hub, browser, database or coding CLI: about two minutes
	@$(ALLTESTS) go-quick types web

test-go: $(PAGE) $(ALLTESTS) ## the Go tests only, without the real gateways
	@$(ALLTESTS) go-fast

test-web: $(NODE_MODULES) $(ALLTESTS) ## types, lint and unit tests of the page only
	@$(ALLTESTS) types lint web

test-screens: need-test headless $(ALLTESTS) ## the page in a browser against a real hub only
	@$(ALLTESTS) screens gateways

test-window: need-test build $(ALLTESTS) .cache/window ## the real window only
	@$(ALLTESTS) window

.PHONY: check
check: need-test $(PAGE) $(GOLANGCI) $(ALLTESTS) ## formatting, vet, linters, race detector, types
	@GOLANGCI=$(GOLANGCI) TAGS=$(TAGS) $(ALLTESTS) golint go-race types lint web

.PHONY: test-workers
test-workers: ## the real Claude Code, Gemini CLI, OpenCode and codex-acp as workers only (a gigabyte of packages, once)
	@AGENTFLOW_REAL_WORKERS=1 go test -count=1 -tags workers -run 'Real' -v ./backend/plan/codecli

.PHONY: late
late: need-test headless ## the browser tests with answers of the hub that come up to 0.8 s late, after the stream
	@AGENTFLOW_LATE=800 AGENTFLOW_BIN=$(CURDIR)/bin/agentflow npm --prefix frontend run --silent e2e -- --project=page

.PHONY: monkey
monkey: need-test headless ## ten random walks of 1,000 actions through the page: about twenty minutes
	@AGENTFLOW_MONKEY_ACTIONS=1000 AGENTFLOW_BIN=$(CURDIR)/bin/agentflow npm --prefix frontend run --silent journeys -- e2e/journeys/monkey.spec.ts

.PHONY: bench faults
bench: need-bench build ## benchmarks, and one table of what is promised about speed and memory
	@go test -run '^$$' -bench . -benchmem -timeout 30m ./backend/...
	@go run ./bench

faults: $(PAGE) $(ALLTESTS) ## what breaks on purpose (tests named Fault), under the race detector
	@$(ALLTESTS) faults

.PHONY: screenshots
screenshots: need-test headless ## pictures of every screen to docs/images/
	@AGENTFLOW_BIN=$(CURDIR)/bin/agentflow npm --prefix frontend run --silent screenshots

##@ House

.PHONY: icons requirements clean
icons: ## draw the icons anew
	@go run ./build/icon build

requirements: ## count the tests in docs/requirements.md and list them
	@go test -count=1 ./backend -run 'TestRequirements$$' -update

clean: ## remove what was built
	@rm -rf bin dist .tools .cache frontend/node_modules
	@find frontend/dist -mindepth 1 ! -name .gitkeep -delete

.PHONY: need-window need-test need-bench
need-window need-test need-bench:
	@build/need.sh $(@:need-%=%)

$(ALLTESTS): $(wildcard build/alltests/*.go)
	@go build -o $@ ./build/alltests

.cache/window:
	@mkdir -p $@

$(NODE_MODULES): frontend/package-lock.json
	@build/npm.sh
	@touch $@

$(PAGE): $(NODE_MODULES) $(PAGE_SOURCES) go.mod $(wildcard build/licences/*.go)
	@npm --prefix frontend run --silent build -- --logLevel warn
	@go run ./build/licences frontend/dist/licences/go.json
	@touch $@

$(GOLANGCI):
	@echo "building golangci-lint $(GOLANGCI_VERSION) (a minute or two, once)"
	@mkdir -p .tools
	@GOBIN=$(CURDIR)/.tools go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v$(GOLANGCI_VERSION)
	@mv .tools/golangci-lint $@
