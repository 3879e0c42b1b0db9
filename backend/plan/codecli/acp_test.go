//go:build linux

package codecli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/coder/acp-go-sdk"

	"agentflow/backend/base/errcode"
)

// agentEnv makes this program an ACP agent that does what its prompt says.
const agentEnv = "CODECLI_TEST_AGENT"

// appears waits up to a minute until a file exists. It returns false if the file doesn't appear, or if
// over is closed first.
func appears(path string, over <-chan struct{}) bool {
	look := time.NewTicker(5 * time.Millisecond)
	defer look.Stop()
	limit := time.After(time.Minute)
	for {
		if _, err := os.Stat(path); err == nil {
			return true
		}
		select {
		case <-look.C:
		case <-over:
			return false
		case <-limit:
			return false
		}
	}
}

// agent is the other side: a separate program over standard input and output.
type agent struct {
	conn   *acp.AgentSideConnection
	stop   chan struct{}
	folder string
}

func speak() int {
	switch os.Getenv(agentEnv) {
	case "silent":
		return 3
	case "mute":
		return mute()
	}
	_, _ = fmt.Fprintln(os.Stdout, "welcome! not a message") // programs print greetings
	a := &agent{stop: make(chan struct{}, 1)}
	a.conn = acp.NewAgentSideConnection(a, os.Stdout, os.Stdin)
	a.conn.SetLogger(slog.New(slog.DiscardHandler))
	<-a.conn.Done()
	return 5 // ignored for a program that has finished its turn
}

// mute answers the configured number of times, and then neither reads nor writes.
func mute() int {
	in := bufio.NewScanner(os.Stdin)
	for _, line := range strings.Fields(os.Getenv("MUTE_TEST_ANSWERS")) {
		in.Scan()
		_, _ = fmt.Fprintln(os.Stdout, line)
		if strings.Contains(line, "sessionId") {
			_, _ = os.Stdin.Read(make([]byte, 1)) // the prompt has started to arrive
		}
	}
	_ = os.WriteFile("pid.new", []byte(strconv.Itoa(os.Getpid())), 0o600)
	_ = os.Rename("pid.new", "pid") // who waits for it reads it whole
	<-time.After(time.Hour)         // not select{}: Go ends a program whose goroutines all wait forever
	return 0
}

func (a *agent) tell(ctx context.Context, s acp.SessionId, u acp.SessionUpdate) {
	_ = a.conn.SessionUpdate(ctx, acp.SessionNotification{SessionId: s, Update: u})
}

// Prompt implements acp.Agent.
func (a *agent) Prompt(ctx context.Context, in acp.PromptRequest) (acp.PromptResponse, error) {
	end := acp.PromptResponse{
		StopReason: acp.StopReasonEndTurn,
		Usage:      &acp.Usage{InputTokens: 100, OutputTokens: 20, TotalTokens: 120},
	}
	text := in.Prompt[0].Text.Text
	say := func(text string) { a.tell(ctx, in.SessionId, acp.UpdateAgentMessageText(text)) }
	switch text {
	case "refuse":
		end.StopReason = acp.StopReasonRefusal
		return end, nil
	case "fail":
		return end, acp.NewInternalError(map[string]any{"why": "no luck"})
	case "die":
		say("I die.\n")
		os.Exit(7) //nolint:forbidigo // acts as a program that dies
	case "wait", "deaf":
		if text == "deaf" {
			signal.Ignore(syscall.SIGTERM)
			a.stop = nil
			child := exec.Command("setsid", "sh", "-c", "trap '' TERM; echo $$ > "+a.folder+"/child; while :; do sleep 1; done")
			_ = child.Start()
		}
		_ = os.WriteFile(filepath.Join(a.folder, "pid"), []byte(strconv.Itoa(os.Getpid())), 0o600)
		say("I wait.\n")
		<-a.stop
		_ = os.WriteFile(filepath.Join(a.folder, "stopped"), nil, 0o600)
		end.StopReason = acp.StopReasonCancelled
		return end, nil
	case "ask and die":
		go func() {
			_ = appears(filepath.Join(a.folder, "asked"), nil)
			os.Exit(7) //nolint:forbidigo // acts as a program that dies
		}()
		_, _ = a.conn.RequestPermission(ctx, acp.RequestPermissionRequest{SessionId: in.SessionId, ToolCall: acp.ToolCallUpdate{ToolCallId: "1"}, Options: []acp.PermissionOption{}})
		return end, nil
	case "flood":
		_, _ = fmt.Fprintln(
			os.Stdout,
			`{"jsonrpc":"2.0","method":"session/update","params":{"x":"`+strings.Repeat("x", 9<<20)+`"}}`,
		)
		for i := range 20_000 {
			say(fmt.Sprintf("line %d\n", i))
		}
		return end, nil
	}
	say("I make ")
	say("it.\n")
	a.tell(ctx, in.SessionId, acp.StartToolCall("1", "echo hi > made.txt", acp.WithStartKind(acp.ToolKindExecute), acp.WithStartStatus(acp.ToolCallStatusPending)))
	kind := acp.ToolKindExecute
	title := "echo hi > made.txt"
	got, err := a.conn.RequestPermission(ctx, acp.RequestPermissionRequest{
		SessionId: in.SessionId, ToolCall: acp.ToolCallUpdate{ToolCallId: "1", Title: &title, Kind: &kind, Locations: []acp.ToolCallLocation{{Path: "made.txt"}}},
		Options: []acp.PermissionOption{{Kind: acp.PermissionOptionKindAllowAlways, Name: "always", OptionId: "always"}, {Kind: acp.PermissionOptionKindAllowOnce, Name: "yes", OptionId: "yes"}, {Kind: acp.PermissionOptionKindRejectOnce, Name: "no", OptionId: "no"}},
	})
	if err != nil {
		return end, err
	}
	status := acp.ToolCallStatusFailed
	if s := got.Outcome.Selected; s != nil && s.OptionId == "yes" {
		status = acp.ToolCallStatusCompleted
		if err := os.WriteFile(filepath.Join(a.folder, "made.txt"), []byte("hi\n"), 0o600); err != nil {
			return end, err
		}
	}
	a.tell(ctx, in.SessionId, acp.UpdateToolCall("1", acp.WithUpdateStatus(status)))
	say("Made")
	say(" it.")
	return end, nil
}

// NewSession implements acp.Agent.
func (a *agent) NewSession(_ context.Context, in acp.NewSessionRequest) (acp.NewSessionResponse, error) {
	a.folder = in.Cwd
	if os.Getenv(agentEnv) == "locked" {
		return acp.NewSessionResponse{}, acp.NewAuthRequired(nil)
	}
	return acp.NewSessionResponse{SessionId: "S-1"}, nil
}

// Cancel implements acp.Agent.
func (a *agent) Cancel(context.Context, acp.CancelNotification) error {
	if a.stop != nil {
		a.stop <- struct{}{}
	}
	return nil
}

// Initialize implements acp.Agent.
func (a *agent) Initialize(context.Context, acp.InitializeRequest) (acp.InitializeResponse, error) {
	return acp.InitializeResponse{ProtocolVersion: acp.ProtocolVersionNumber}, nil
}

// Authenticate implements acp.Agent.
func (a *agent) Authenticate(context.Context, acp.AuthenticateRequest) (acp.AuthenticateResponse, error) {
	return acp.AuthenticateResponse{}, acp.NewInternalError(map[string]any{"why": "no such key"})
}

// CloseSession implements acp.Agent.
func (a *agent) CloseSession(context.Context, acp.CloseSessionRequest) (acp.CloseSessionResponse, error) {
	return acp.CloseSessionResponse{}, nil
}

// ListSessions implements acp.Agent.
func (a *agent) ListSessions(context.Context, acp.ListSessionsRequest) (acp.ListSessionsResponse, error) {
	return acp.ListSessionsResponse{}, nil
}

// ResumeSession implements acp.Agent.
func (a *agent) ResumeSession(context.Context, acp.ResumeSessionRequest) (acp.ResumeSessionResponse, error) {
	return acp.ResumeSessionResponse{}, nil
}

// SetSessionConfigOption implements acp.Agent.
func (a *agent) SetSessionConfigOption(
	context.Context,
	acp.SetSessionConfigOptionRequest,
) (acp.SetSessionConfigOptionResponse, error) {
	return acp.SetSessionConfigOptionResponse{}, nil
}

// SetSessionMode implements acp.Agent.
func (a *agent) SetSessionMode(context.Context, acp.SetSessionModeRequest) (acp.SetSessionModeResponse, error) {
	return acp.SetSessionModeResponse{}, nil
}

// speaker is a worker that runs this program as an agent.
func speaker(as string) Worker {
	return Worker{
		Kind:    Gemini,
		Mode:    ACP,
		Command: os.Args[0],
		Env:     map[string]string{agentEnv: as, "GORACE": "atexit_sleep_ms=0"},
	}
}

// A turn over ACP: events come as they happen, approvals are asked, and the verdict is the agent's report, whatever
// its exit code.
func TestME11_ACPWorks(t *testing.T) {
	for name, c := range map[string]struct {
		permit   func(context.Context, Permission) (bool, error)
		made     string
		failed   int
		expected string
	}{
		"nobody has said": {nil, "", 1, "was not allowed: echo hi > made.txt"},
		"allowed":         {PermitAll, "hi\n", 0, "was allowed: echo hi > made.txt"},
		"asked": {func(_ context.Context, p Permission) (bool, error) {
			return p.Does == "execute" && p.Paths[0] == "made.txt", nil
		}, "hi\n", 0, "was allowed: echo hi > made.txt"},
		"refused":         {func(context.Context, Permission) (bool, error) { return false, nil }, "", 1, "was not allowed: echo hi > made.txt"},
		"nobody to asked": {func(context.Context, Permission) (bool, error) { return true, errors.New("nobody is there") }, "", 1, "was not allowed: echo hi > made.txt"},
	} {
		dir := t.TempDir()
		w := speaker("works")
		w.Permit = c.permit
		var events []string
		v, err := w.Run(t.Context(), Place{Dir: dir, Home: t.TempDir()}, Call{Kind: Gemini, Mode: ACP, Prompt: "work"}, func(e Event) { events = append(events, e.Kind+" "+e.Text) })
		made, _ := os.ReadFile(filepath.Join(dir, "made.txt"))
		if err != nil || !v.Finished || v.Message != "Made it." || v.TokensIn != 100 || v.TokensOut != 20 || v.Session != "S-1" || v.Commands != 1 || v.Failed != c.failed || string(made) != c.made {
			t.Errorf("%s: %+v, %v, made %q", name, v, err, made)
		}
		if all := strings.Join(events, "\n"); all != "text I make it.\nlog "+c.expected+"\ncommand echo hi > made.txt\ntext Made it." {
			t.Errorf("%s:\n%s", name, all)
		}
	}
}

// Failures are reported as what they are.
func TestME11_FaultACPAgentsThatFail(t *testing.T) {
	for name, c := range map[string]struct{ as, prompt, reason string }{
		"refuses":         {"works", "refuse", "refusal"},
		"an error":        {"works", "fail", "no luck"},
		"dies":            {"works", "die", "exit code 7"},
		"speaks no ACP":   {"silent", "work", "exit code 3"},
		"wants a log-in":  {"locked", "work", "no such key"},
		"takes no orders": {"works", "wait", "longer than 1s"},
	} {
		w := speaker(c.as)
		if c.prompt == "wait" {
			w.Timeout = time.Second
		}
		v, err := w.Run(t.Context(), Place{Dir: t.TempDir(), Home: t.TempDir()}, Call{Kind: Gemini, Mode: ACP, Prompt: c.prompt}, nil)
		if err != nil || v.Finished || !strings.Contains(v.Reason, c.reason) {
			t.Errorf("%s: %+v, %v", name, v, err)
		}
	}
	none := Worker{Kind: Gemini, Mode: ACP, Command: "/nowhere/gemini"}
	if _, err := none.Run(t.Context(), Place{Dir: t.TempDir(), Home: t.TempDir()}, Call{Kind: Gemini, Mode: ACP, Prompt: "x"}, nil); !errcode.Is(err, errcode.Unavailable) || !strings.Contains(err.Error(), "npm install") {
		t.Errorf("missing: %v", err)
	}
	if _, err := speaker("works").Run(t.Context(), Place{Dir: t.TempDir(), Home: t.TempDir()}, Call{Kind: Gemini, Mode: Exec, Prompt: "x"}, nil); !errcode.Is(err, errcode.Validation) {
		t.Errorf("another mode than the person's: %v", err)
	}
}

// A flood of messages, including one that is too long, ends normally, and only its head and tail are stored.
func TestME11_FaultAnACPAgentThatFloods(t *testing.T) {
	n := 0
	v, err := speaker(
		"works",
	).Run(t.Context(), Place{Dir: t.TempDir(), Home: t.TempDir()}, Call{Kind: Gemini, Mode: ACP, Prompt: "flood"}, func(Event) { n++ })
	if err != nil || !v.Finished || n < 20_000 || v.Message != "line 19999" || len(v.Output) > 3*maxKept {
		t.Errorf("%d events, %v, %q, %d bytes kept, %v", n, v.Finished, v.Message, len(v.Output), err)
	}
}

// A turn that is no longer wanted is canceled by the protocol; an agent that doesn't react is killed with its process
// tree.
func TestME11_FaultACPIsCalledOff(t *testing.T) {
	for _, prompt := range []string{"wait", "deaf"} {
		dir := t.TempDir()
		stop := errors.New("stop")
		ctx, cancel := context.WithCancelCause(t.Context())
		_, err := speaker(
			"works",
		).Run(ctx, Place{Dir: dir, Home: t.TempDir()}, Call{Kind: Gemini, Mode: ACP, Prompt: prompt}, func(Event) {
			if prompt == "deaf" && !appears(filepath.Join(dir, "child"), nil) {
				t.Error("its child does not come")
			}
			cancel(stop)
		})
		if !errors.Is(err, stop) {
			t.Errorf("%s: %v", prompt, err)
		}
		if _, err := os.Stat(filepath.Join(dir, "stopped")); (err == nil) != (prompt == "wait") {
			t.Errorf("%s: it was canceled: %v", prompt, err)
		}
		for _, name := range []string{"pid", "child"} {
			data, _ := os.ReadFile(filepath.Join(dir, name))
			if pid, _ := strconv.Atoi(strings.TrimSpace(string(data))); pid > 0 && syscall.Kill(pid, 0) == nil {
				t.Errorf("%s: %s %d is still running", prompt, name, pid)
			}
		}
	}
}

// A CLI that doesn't answer or read is killed as soon as its work is canceled.
func TestME11_FaultAMuteACPAgentIsCalledOff(t *testing.T) {
	for name, answers := range map[string]string{
		"says nothing":   "",
		"has no session": `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1}}`,
		"does not read":  `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1}} {"jsonrpc":"2.0","id":2,"result":{"sessionId":"S-1"}}`,
	} {
		dir := t.TempDir()
		w := speaker("mute")
		w.Env["MUTE_TEST_ANSWERS"] = answers
		w.Timeout = 30 * time.Second // for a turn that isn't canceled
		stop := errors.New("stop")
		ctx, cancel := context.WithCancelCause(t.Context())
		var watching sync.WaitGroup
		over := make(chan struct{})
		watching.Go(func() {
			if appears(filepath.Join(dir, "pid"), over) {
				cancel(stop)
			}
		})
		_, err := w.Run(ctx, Place{Dir: dir, Home: t.TempDir()}, Call{Kind: Gemini, Mode: ACP, Prompt: strings.Repeat("long ", 1<<16)}, nil)
		close(over)
		watching.Wait()
		if !errors.Is(err, stop) {
			t.Errorf("%s: %v", name, err)
		}
		data, _ := os.ReadFile(filepath.Join(dir, "pid"))
		if pid, _ := strconv.Atoi(string(data)); pid == 0 || syscall.Kill(pid, 0) == nil {
			t.Errorf("%s: %d is still running", name, pid)
		}
	}
}

// A request for approval is withdrawn when its CLI has ended.
func TestME11_FaultAnACPAgentThatAsksAndDies(t *testing.T) {
	dir, withdrawn := t.TempDir(), make(chan error, 1)
	w := speaker("works")
	w.Permit = func(ctx context.Context, _ Permission) (bool, error) {
		if err := os.WriteFile(filepath.Join(dir, "asked"), nil, 0o600); err != nil {
			return false, err
		}
		select {
		case <-ctx.Done():
		case <-t.Context().Done():
		}
		withdrawn <- context.Cause(ctx)
		return true, nil
	}
	v, err := w.Run(t.Context(), Place{Dir: dir, Home: t.TempDir()}, Call{Kind: Gemini, Mode: ACP, Prompt: "ask and die"}, nil)
	if err != nil || v.Finished || !strings.Contains(v.Reason, "exit code 7") {
		t.Errorf("%+v, %v", v, err)
	}
	select {
	case why := <-withdrawn:
		if !errors.Is(why, errGone) {
			t.Errorf("withdrawn for %v", why)
		}
	case <-time.After(30 * time.Second):
		t.Error("the question still waits")
	}
}
