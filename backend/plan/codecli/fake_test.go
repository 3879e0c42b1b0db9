//go:build linux

package codecli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"agentflow/backend/base/errcode"
)

// program writes an executable script.
func program(t *testing.T, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "cli")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// The recorded output of each CLI, from a real child process.
func TestME11_VerdictsComeFromEvents(t *testing.T) {
	for name, c := range map[string]struct {
		kind   Kind
		script string
		want   string
	}{
		"codex done":      {Codex, `echo '{"type":"thread.started","thread_id":"T"}'; echo '{"type":"item.completed","item":{"type":"command_execution","command":"false","exit_code":1,"status":"failed"}}'; echo '{"type":"error","message":"Reconnecting... 1/5"}'; echo '{"type":"item.completed","item":{"type":"agent_message","text":"ok"}}'; echo '{"type":"turn.completed","usage":{"input_tokens":7,"output_tokens":3}}'`, `true "" "ok" 1/1 7+3 T`},
		"codex failed":    {Codex, `echo '{"type":"turn.failed","error":{"message":"no key"}}'; exit 1`, `false "no key" "" 0/0 0+0 `},
		"codex cut":       {Codex, `echo '{"type":"turn.started"}'; exit 0`, `false "it ended with exit code 0 without reporting the end of its work" "" 0/0 0+0 `},
		"codex refused":   {Codex, `echo "Not inside a trusted directory" >&2; exit 1`, `false "it ended with exit code 1 without reporting the end of its work: Not inside a trusted directory" "" 0/0 0+0 `},
		"codex killed":    {Codex, `kill -TERM $$`, `false "it was ended by a signal (terminated)" "" 0/0 0+0 `},
		"claude done":     {Claude, `echo '{"type":"system","subtype":"init","session_id":"S"}'; echo '{"type":"assistant","message":{"content":[{"type":"text","text":"hi"},{"type":"tool_use","name":"Bash","input":{"command":"ls"}}]}}'; echo '{"type":"user","message":{"content":[{"type":"tool_result","is_error":false}]}}'; echo '{"type":"result","subtype":"success","is_error":false,"result":"done","usage":{"input_tokens":5,"output_tokens":2},"total_cost_usd":0.01}'`, `true "" "done" 1/0 5+2 S`},
		"claude stopped":  {Claude, `u='{"type":"assistant","message":{"id":"a","content":[],"usage":{"input_tokens":5,"output_tokens":2}}}'; echo "$u"; echo "$u"; echo '{"type":"assistant","message":{"id":"b","content":[],"usage":{"input_tokens":6,"output_tokens":1}}}'; kill -9 $$`, `false "it was ended by a signal (killed)" "" 0/0 11+3 `},
		"claude is_error": {Claude, `echo '{"type":"result","subtype":"success","is_error":true,"result":"401"}'; exit 1`, `false "401" "401" 0/0 0+0 `},
		"claude turns":    {Claude, `echo '{"type":"result","subtype":"error_max_turns","is_error":false}'; exit 1`, `false "it ended with error_max_turns" "" 0/0 0+0 `},
		"gemini done":     {Gemini, `echo noise; echo '{"type":"init","session_id":"G"}'; echo '{"type":"message","role":"assistant","content":"a","delta":true}'; echo '{"type":"message","role":"assistant","content":"b","delta":true}'; echo '{"type":"tool_use","tool_name":"shell","parameters":{}}'; echo '{"type":"tool_result","status":"success"}'; echo '{"type":"result","status":"success","stats":{"input_tokens":4,"output_tokens":1}}'`, `true "" "ab" 1/0 4+1 G`},
		"gemini 144":      {Gemini, `exit 144`, `false "it ended with exit code 144 without reporting the end of its work" "" 0/0 0+0 `},
		"opencode done":   {OpenCode, `echo '{"type":"text","sessionID":"O","part":{"text":"yes"}}'; echo '{"type":"tool_use","part":{"tool":"bash","state":{"status":"completed","input":{},"metadata":{"exit":2}}}}'; echo '{"type":"step_finish","sessionID":"O","part":{"reason":"stop","tokens":{"input":9,"output":8},"cost":0.5}}'`, `true "" "yes" 1/1 9+8 O`},
		"opencode error":  {OpenCode, `echo '{"type":"error","error":{"name":"APIError","data":{"message":"400"}}}'; exit 1`, `false "400" "" 0/0 0+0 `},
		"huge line":       {Codex, `head -c 3000000 /dev/zero | tr '\0' x; echo; echo '{"type":"turn.completed"}'`, `true "" "" 0/0 0+0 `},
	} {
		w := Worker{Kind: c.kind, Command: program(t, c.script)}
		v, err := w.Run(t.Context(), Place{Dir: t.TempDir(), Home: t.TempDir()}, Call{Kind: c.kind, Mode: Exec, Prompt: "x"}, nil)
		got := fmt.Sprintf("%v %q %q %d/%d %d+%d %s", v.Finished, v.Reason, v.Message, v.Commands, v.Failed, v.TokensIn, v.TokensOut, v.Session)
		if err != nil || got != c.want {
			t.Errorf("%s:\n got %s\nwant %s\n%v", name, got, c.want, err)
		}
	}
}

// The CLI gets the prompt, its model, flags and settings, and none of our variables.
func TestME11_FieldsOfACallReachTheCLI(t *testing.T) {
	t.Setenv("AGENTFLOW_TOKEN", "never")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "never")
	t.Setenv("CODEX_API_KEY", "its-own")
	path := program(t, `for a in "$@"; do echo "arg:$a"; done; env; echo "stdin:$(cat)"; echo '{"type":"turn.completed"}'`)
	w := Worker{Kind: Codex, Command: path, Flags: []string{"--oss"}, Env: map[string]string{"MINE": "1"}, ToolSpecific: map[string]any{"config": map[string]any{"a.b": "x y", "n": 3}}}
	call := Call{
		Kind:         Codex,
		Mode:         Exec,
		Prompt:       "-do it",
		Model:        "m-1",
		Flags:        []string{"--ephemeral"},
		Env:          map[string]string{"LEVEL": "2"},
		ToolSpecific: map[string]any{"sandbox": "read-only", "reasoning_effort": "low"},
	}
	home := t.TempDir()
	v, err := w.Run(t.Context(), Place{Dir: t.TempDir(), Home: home}, call, nil)
	if err != nil || !v.Finished {
		t.Fatalf("%+v, %v", v, err)
	}
	for _, want := range []string{
		"arg:exec\n", "arg:-s\narg:read-only\n", "arg:-m\narg:m-1\n", "arg:model_reasoning_effort=low\n", "arg:a.b=\"x y\"\n", "arg:n=3\n", "arg:--oss\narg:--ephemeral\narg:--\narg:-do it\n",
		"MINE=1\n", "LEVEL=2\n", "CODEX_API_KEY=its-own\n", "HOME=" + home + "\n", "TMPDIR=" + home + "/tmp\n", "CODEX_HOME=" + home + "/.codex\n", "stdin:\n",
	} {
		if !strings.Contains(v.Output, want) {
			t.Errorf("no %q in\n%s", want, v.Output)
		}
	}
	if strings.Contains(v.Output, "never") {
		t.Errorf("a secret reached it:\n%s", v.Output)
	}
	call.UseStdin = true
	if v, err = w.Run(t.Context(), Place{Dir: t.TempDir(), Home: home}, call, nil); err != nil || !strings.Contains(v.Output, "stdin:-do it\n") || !strings.Contains(v.Output, "arg:--ephemeral\narg:-\n") {
		t.Errorf("%v\n%s", err, v.Output)
	}
	call.UseStdin, call.Prompt = false, strings.Repeat("long ", 50_000)
	if v, err = w.Run(t.Context(), Place{Dir: t.TempDir(), Home: home}, call, nil); err != nil || !v.Finished {
		t.Errorf("a long prompt: %+v, %v", v, err)
	}
}

// A model can't extend its worker's permissions.
func TestME11_FaultCallsThatAreRefused(t *testing.T) {
	w := Worker{Kind: Codex, Command: program(t, "echo started")}
	good := Call{Kind: Codex, Mode: Exec, Prompt: "x"}
	for name, change := range map[string]func(*Call){
		"another worker": func(c *Call) { c.Kind = Claude }, "another mode": func(c *Call) { c.Mode = "pty" }, "no prompt": func(c *Call) { c.Prompt = " " },
		"full access": func(c *Call) { c.Flags = []string{"--dangerously-bypass-approvals-and-sandbox"} }, "a flag's value": func(c *Call) { c.Flags = []string{"-c", "x=y"} },
		"the sandbox": func(c *Call) { c.ToolSpecific = map[string]any{"sandbox": "danger-full-access"} }, "its settings": func(c *Call) { c.ToolSpecific = map[string]any{"config": map[string]any{}} },
		"PATH": func(c *Call) { c.Env = map[string]string{"PATH": "/tmp"} }, "preload": func(c *Call) { c.Env = map[string]string{"LD_PRELOAD": "x"} }, "a key": func(c *Call) { c.Env = map[string]string{"MY_API_KEY": "x"} },
		"no name": func(c *Call) { c.Env = map[string]string{"a=b": "x"} }, "a model like a flag": func(c *Call) { c.Model = "--oss" },
	} {
		c := good
		change(&c)
		if v, err := w.Run(t.Context(), Place{Dir: t.TempDir(), Home: t.TempDir()}, c, nil); err == nil || v.Output != "" {
			t.Errorf("%s: ran: %+v", name, v)
		}
	}
	none := Worker{Kind: Codex, Command: "/nowhere/codex"}
	if _, err := none.Run(t.Context(), Place{Dir: t.TempDir(), Home: t.TempDir()}, good, nil); !errcode.Is(err, errcode.Unavailable) || !strings.Contains(err.Error(), "npm install") {
		t.Errorf("missing: %v", err)
	}
}

// A hanging worker is killed at its own deadline; a canceled one reports the cause.
func TestME11_FaultAWorkerThatHangs(t *testing.T) {
	w := Worker{Kind: Codex, Command: program(t, "echo '{\"type\":\"thread.started\",\"thread_id\":\"T\"}'; exec sleep 600"), Timeout: 300 * time.Millisecond}
	v, err := w.Run(t.Context(), Place{Dir: t.TempDir(), Home: t.TempDir()}, Call{Kind: Codex, Mode: Exec, Prompt: "x"}, nil)
	if err != nil || v.Finished || !strings.Contains(v.Reason, "longer than 300ms") {
		t.Errorf("%+v, %v", v, err)
	}
	stop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	w = Worker{Kind: Codex, Command: program(t, `echo '{"type":"item.completed","item":{"type":"agent_message","text":"hi"}}'; exec sleep 600`)}
	if _, err := w.Run(ctx, Place{Dir: t.TempDir(), Home: t.TempDir()}, Call{Kind: Codex, Mode: Exec, Prompt: "x"}, func(Event) { cancel(stop) }); !errors.Is(err, stop) {
		t.Errorf("%v", err)
	}
}

func TestME11_WhatIsInstalledIsFound(t *testing.T) {
	dir := t.TempDir()
	for name, script := range map[string]string{"codex": "echo codex-cli 0.1.2", "claude": "echo broken >&2; exit 3"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir+":/bin")
	all := Find(t.Context(), t.TempDir())
	if len(all) != 4 || all[0].Version != "codex-cli 0.1.2" || all[0].Problem != "" || all[1].Problem != "broken" || all[2].Path != "" || all[2].Install == "" {
		t.Errorf("%+v", all)
	}
}
