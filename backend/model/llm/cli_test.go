//go:build !windows

package llm

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"agentflow/backend/base/errcode"
)

// fakeCommand is an `llm` that notes how it was called and does as the model's name says.
const fakeCommand = `#!/bin/sh
dir=$(dirname "$0")
if [ "$1" = models ]; then
  printf 'OpenAI Chat: gpt-4o (aliases: 4o)\nOllama: qwen3:8b (aliases: q)\nOpenAI Chat: gpt-4o (aliases: 4o)\nDefault: gpt-4o\n'
  exit 0
fi
printf '%s\n' "$@" > "$dir/args"
env > "$dir/env"
cat > "$dir/stdin"
case "$2" in
  ready) printf 'は'; printf '\343'; sleep 0.1; printf '\201\204\n\nfine\n' ;;
  nokey) echo "Error: No key found - add one using 'llm keys set openai'" >&2; exit 1 ;;
  nobody) printf "\033[31mError: Unknown model: nobody\033[0m\n" >&2; exit 1 ;;
  broken) printf half; echo "Error: it broke" >&2; exit 1 ;;
  silent) exit 0 ;;
  endless) echo $$ > "$dir/pid"; sleep 600 & echo $! >> "$dir/pid"; printf one; wait ;;
esac
`

func commandRegistry(t *testing.T) (*Registry, string) {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "llm")
	if err := os.WriteFile(path, []byte(fakeCommand), 0o700); err != nil {
		t.Fatal(err)
	}
	return NewRegistry(Options{Providers: []ProviderConfig{{Name: "llm", Kind: KindCLI, Command: path}, {Name: "gone", Kind: KindCLI, Command: filepath.Join(dir, "none")}}}), dir
}

func wrote(t *testing.T, dir, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// The question and the system prompt go to standard input: arguments are public. The
// hub's own token is not handed on.
func TestCH10_CommandLineAnswers(t *testing.T) {
	t.Setenv("AGENTFLOW_TOKEN", testKey)
	r, dir := commandRegistry(t)
	temperature := 0.5
	var pieces []string
	a, err := r.Stream(t.Context(), Request{
		Model: "llm/ready", System: "You are brief.", Temperature: &temperature,
		Messages: []Message{{Role: RoleUser, Text: "one"}, {Role: RoleAssistant, Text: "two"}, {Role: RoleUser, Text: "three " + testKey}},
	}, func(d string) error { pieces = append(pieces, d); return nil })
	if err != nil || a.Text != "はい\n\nfine" || a.Model != "llm/ready" || a.Finish != FinishStop || strings.Join(pieces, "") != a.Text {
		t.Fatalf("%+v, %q, %v", a, pieces, err)
	}
	if args := wrote(t, dir, "args"); args != "-m\nready\n-n\n-o\ntemperature\n0.5\n" {
		t.Errorf("called with %q", args)
	}
	if in := wrote(t, dir, "stdin"); in != "You are brief.\n\n[user]\none\n\n[assistant]\ntwo\n\n[user]\nthree "+testKey {
		t.Errorf("asked %q", in)
	}
	if strings.Contains(wrote(t, dir, "env"), "AGENTFLOW_TOKEN") {
		t.Error("the command was told the hub's token")
	}
	o, err := r.Offer(t.Context(), "llm")
	if err != nil || o.Error != nil || len(o.Models) != 2 || o.Models[0] != "llm/gpt-4o" || o.Models[1] != "llm/qwen3:8b" {
		t.Errorf("offers %+v, %v", o, err)
	}
}

func TestCH10_CommandLineRefusals(t *testing.T) {
	r, _ := commandRegistry(t)
	for model, want := range map[Model]struct {
		code   errcode.Code
		reason string
		says   string
	}{
		"llm/nokey":  {errcode.Unauthorized, ReasonNoKey, "keys set"},
		"llm/nobody": {errcode.NotFound, ReasonNoModel, "Unknown model: nobody"},
		"llm/broken": {errcode.Unavailable, ReasonFailed, "it broke"},
		"llm/silent": {errcode.Unavailable, ReasonNoAnswer, "no text"},
		"gone/x":     {errcode.Unavailable, ReasonNotInstalled, "was not found"},
	} {
		_, _, err := ask(t.Context(), r, model)
		if !errcode.Is(err, want.code) || !errcode.HasReason(err, want.reason) || !strings.Contains(err.Error(), want.says) || strings.Contains(err.Error(), "\x1b") {
			t.Errorf("%s: %v", model, err)
		}
	}
	if o, _ := r.Offer(t.Context(), "gone"); o.Error == nil || o.Error.Reason() != ReasonNotInstalled {
		t.Errorf("the models of nothing: %+v", o)
	}
}

// dying waits for a process that was killed to be gone.
func dying(pid string) bool {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for range 2000 {
		state, err := os.ReadFile("/proc/" + pid + "/stat")
		if err != nil || strings.Contains(string(state), ") Z ") {
			return true
		}
		<-tick.C
	}
	return false
}

func TestFault_CommandLineIsEndedWithWhatItStarted(t *testing.T) {
	r, dir := commandRegistry(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("stop")
	_, err := r.Stream(ctx, Request{Model: "llm/endless", Messages: []Message{{Role: RoleUser, Text: "x"}}},
		func(string) error { cancel(stop); return nil })
	if !errors.Is(err, stop) {
		t.Fatalf("ended with %v", err)
	}
	pids := strings.Fields(wrote(t, dir, "pid"))
	if len(pids) != 2 {
		t.Fatalf("pids %q", pids)
	}
	for _, pid := range pids {
		if !dying(pid) {
			t.Errorf("process %s is still there", pid)
		}
	}
}
