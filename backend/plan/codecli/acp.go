package codecli

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/coder/acp-go-sdk"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/proc"
	"agentflow/backend/base/safego"
)

// ACP is the mode in which a CLI is controlled by the Agent Client Protocol: it reports its work step by step, asks
// for approvals, and can be stopped.
const ACP = "acp"

// speaking is how a CLI, or an adapter program, is started for ACP.
type speaking struct {
	command string // "" is the CLI itself
	install string // how to get that program
	args    func(setup) ([]string, error)
	auth    string // the method by which it finds its key, if it must be named
	model   bool   // its model is set by the protocol, not by an argument
}

// Permission is a CLI's request for approval.
type Permission struct {
	Kind  Kind            `json:"worker"`
	Title string          `json:"title"`
	Does  string          `json:"does,omitempty"` // read, edit, delete, move, execute, fetch, …
	Paths []string        `json:"paths,omitempty"`
	Input json.RawMessage `json:"input,omitempty"` // of its tool
}

const (
	maxMessage = 8 << 20         // bytes of one message; a longer one is dropped
	leaving    = 2 * time.Second // grace period for a CLI whose input has ended
	stopping   = 2 * time.Second // grace period for a CLI whose turn was canceled
)

var (
	errSpoken = errors.New("codecli: all is said")
	errGone   = errors.New("codecli: who asked is gone")
)

// speaks returns the program for ACP, and how to install it; the person's command takes precedence.
func (a adapter) speaks(w Worker) (command, install string) {
	if a.acp.command == "" {
		return cmp.Or(w.Command, a.command), a.install
	}
	if w.Mode == ACP {
		return cmp.Or(w.Command, a.acp.command), a.acp.install
	}
	return a.acp.command, a.acp.install
}

// converse is Run in the mode ACP.
func (w Worker) converse(ctx context.Context, a adapter, p Place, call Call, tell func(Event)) (Verdict, error) {
	command, install := a.speaks(w)
	path, err := exec.LookPath(command)
	if err != nil {
		return Verdict{}, errcode.New(errcode.Unavailable, "the worker %s cannot be used in the mode %s: the command %s was not found. Install it (%s), or name its path", w.Kind, ACP, command, install)
	}
	home, err := prepare(p.Home, a)
	if err != nil {
		return Verdict{}, errcode.Wrap(errcode.Unavailable, err, "the worker's own folder cannot be made")
	}
	s := w.setup(p, home, call)
	args, err := a.acp.args(s)
	if err != nil {
		return Verdict{}, err
	}
	input, toCLI, err := os.Pipe()
	if err != nil {
		return Verdict{}, errcode.Wrap(errcode.Unavailable, err, "the worker %s cannot be started", w.Kind)
	}
	answers, fromCLI := io.Pipe()
	asking, over := context.WithCancelCause(ctx)
	t := &talk{
		w:       w,
		a:       a,
		s:       s,
		prompt:  call.Prompt,
		answers: fromCLI,
		exited:  make(chan struct{}),
		ctx:     ctx,
		asking:  asking,
	}
	t.r = reading{tell: tell, out: proc.HeadTailBuffer{Most: maxKept}}
	t.conn = acp.NewClientSideConnection(t, toCLI, answers)
	t.conn.SetLogger(slog.New(slog.DiscardHandler))
	own, stop := context.WithCancelCause(context.WithoutCancel(ctx))
	var speaking sync.WaitGroup
	speaking.Go(func() {
		defer answers.Close() //nolint:errcheck // it never fails; later writes are dropped
		t.contain(stop, t.toTheEnd)
		_ = toCLI.Close()
		select {
		case <-t.exited:
		case <-time.After(leaving):
		}
		stop(errSpoken)
	})
	lines := proc.LineSplitter{Most: maxMessage, Line: t.line}
	res, err := w.Sandbox.Run(own, proc.Command{
		Path: path, Args: args, Dir: p.Dir, Env: w.environment(a, home, call), Input: input, Records: p.Records, Timeout: cmp.Or(w.Timeout, DefaultTimeout),
		Output: func(b []byte) error { _ = t.out(b); return lines.Take(b) }, Errors: t.out,
	}, s.access())
	close(t.exited)
	over(errGone)
	_, _, _ = input.Close(), toCLI.Close(), fromCLI.Close()
	speaking.Wait()
	if errors.Is(err, errSpoken) {
		err = nil
	}
	return w.weigh(ctx, t.verdict(res), err)
}

// talk is one conversation with a CLI. It implements acp.Client.
type talk struct {
	w       Worker
	a       adapter
	s       setup
	prompt  string
	conn    *acp.ClientSideConnection
	answers *io.PipeWriter  // messages for conn
	exited  chan struct{}   // closed when the CLI has ended
	ctx     context.Context // of the caller
	asking  context.Context // of the caller, also canceled when the CLI has ended

	mu    sync.Mutex
	r     reading
	words bytes.Buffer         // text not reported yet
	tools map[string]*toolCall // by ID
	order []*toolCall
	over  bool // its turn has ended normally
}

type toolCall struct {
	title string
	kind  acp.ToolKind
	ended bool
}

var _ acp.Client = (*talk)(nil)

func (t *talk) out(b []byte) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.r.out.Take(b)
}

// contain runs do in a separate goroutine, where a panic would end the program: instead it stops the CLI, and the
// work fails.
func (t *talk) contain(stop context.CancelCauseFunc, do func(context.CancelCauseFunc)) {
	err := safego.Call(t.ctx, nil, "a conversation with a worker", func() error {
		do(stop)
		return nil
	})
	if err != nil {
		stop(err)
	}
}

// toTheEnd lets the CLI run one turn. If the work is canceled, it tells the CLI to stop, and kills it with stop if it
// doesn't.
func (t *talk) toTheEnd(stop context.CancelCauseFunc) {
	ctx := context.WithoutCancel(t.ctx) // calls end when the CLI has ended
	release := context.AfterFunc(t.ctx, func() { t.contain(stop, t.callOff) })
	defer release()
	fail := func(what string, err error) {
		t.mu.Lock()
		defer t.mu.Unlock()
		select {
		case <-t.exited: // its exit status says more
			return
		default:
		}
		t.r.fault = what + ": " + spoken(err)
	}
	_, err := t.conn.Initialize(
		ctx,
		acp.InitializeRequest{
			ProtocolVersion: acp.ProtocolVersionNumber,
			ClientInfo:      &acp.Implementation{Name: "agentflow", Version: "1"},
		},
	)
	if err != nil {
		fail("it does not speak ACP", err)
		return
	}
	open := acp.NewSessionRequest{Cwd: t.s.place.Dir, McpServers: []acp.McpServer{}}
	session, err := t.conn.NewSession(ctx, open)
	if err != nil && t.a.acp.auth != "" {
		if _, err = t.conn.Authenticate(ctx, acp.AuthenticateRequest{MethodId: t.a.acp.auth}); err == nil {
			session, err = t.conn.NewSession(ctx, open)
		}
	}
	if err != nil {
		fail("it begins no session", err)
		return
	}
	t.mu.Lock()
	t.r.v.Session = string(session.SessionId)
	t.mu.Unlock()
	if t.a.acp.model && t.s.model != "" {
		if _, err := t.conn.UnstableSetSessionModel(ctx, acp.UnstableSetSessionModelRequest{SessionId: session.SessionId, ModelId: acp.UnstableModelId(t.s.model)}); err != nil {
			fail("it does not take the model "+t.s.model, err)
			return
		}
	}
	end, err := t.conn.Prompt(ctx,
		acp.PromptRequest{SessionId: session.SessionId, Prompt: []acp.ContentBlock{acp.TextBlock(t.prompt)}})
	if err != nil {
		fail("its turn failed", err)
		return
	}
	t.ended(end)
}

// callOff cancels the CLI's turn. If it has none yet, or doesn't react, callOff kills it: it may not even read its
// input.
func (t *talk) callOff(stop context.CancelCauseFunc) {
	t.mu.Lock()
	session := t.r.v.Session
	t.mu.Unlock()
	why := context.Cause(t.ctx)
	if session == "" {
		stop(why)
		return
	}
	late := time.AfterFunc(stopping, func() { stop(why) })
	defer late.Stop()
	_ = t.conn.Cancel(context.WithoutCancel(t.ctx), acp.CancelNotification{SessionId: acp.SessionId(session)})
	<-t.exited
}

// spoken returns the peer's error message.
func spoken(err error) string {
	var e *acp.RequestError
	if !errors.As(err, &e) {
		return err.Error()
	}
	if detail, err := json.Marshal(e.Data); err == nil && e.Data != nil {
		return e.Message + " " + string(detail)
	}
	return e.Message
}

func (t *talk) ended(end acp.PromptResponse) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, c := range t.order {
		t.endTool(c, false, nil) // not all agents report the end of a tool call
	}
	t.tellWords(true)
	if u := end.Usage; u != nil {
		t.r.v.TokensIn, t.r.v.TokensOut = u.InputTokens, u.OutputTokens
	}
	if q, ok := end.Meta["quota"].(map[string]any); ok && end.Usage == nil { // Gemini reports its usage there
		t.r.v.TokensIn, t.r.v.TokensOut = number(q, "token_count", "input_tokens"), number(q, "token_count", "output_tokens")
	}
	if t.over = end.StopReason == acp.StopReasonEndTurn; !t.over {
		t.r.fault = "it ended its turn with " + string(end.StopReason)
	}
	t.r.closed = true
}

// verdict judges the turn. The exit code of a CLI that has finished its turn doesn't matter.
func (t *talk) verdict(res proc.Result) Verdict {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.r.closed || t.r.fault != "" {
		res = proc.Result{}
	}
	return t.r.verdict(res)
}

// ReadTextFile implements acp.Client. It isn't offered: a CLI reads its work tree itself.
func (t *talk) ReadTextFile(context.Context, acp.ReadTextFileRequest) (acp.ReadTextFileResponse, error) {
	return acp.ReadTextFileResponse{}, acp.NewMethodNotFound(acp.ClientMethodFsReadTextFile)
}

// WriteTextFile implements acp.Client. It is not offered.
func (t *talk) WriteTextFile(context.Context, acp.WriteTextFileRequest) (acp.WriteTextFileResponse, error) {
	return acp.WriteTextFileResponse{}, acp.NewMethodNotFound(acp.ClientMethodFsWriteTextFile)
}

// CreateTerminal implements acp.Client. It is not offered.
func (t *talk) CreateTerminal(context.Context, acp.CreateTerminalRequest) (acp.CreateTerminalResponse, error) {
	return acp.CreateTerminalResponse{}, acp.NewMethodNotFound(acp.ClientMethodTerminalCreate)
}

// KillTerminal implements acp.Client. It is not offered.
func (t *talk) KillTerminal(context.Context, acp.KillTerminalRequest) (acp.KillTerminalResponse, error) {
	return acp.KillTerminalResponse{}, acp.NewMethodNotFound(acp.ClientMethodTerminalKill)
}

// TerminalOutput implements acp.Client. It is not offered.
func (t *talk) TerminalOutput(context.Context, acp.TerminalOutputRequest) (acp.TerminalOutputResponse, error) {
	return acp.TerminalOutputResponse{}, acp.NewMethodNotFound(acp.ClientMethodTerminalOutput)
}

// ReleaseTerminal implements acp.Client. It is not offered.
func (t *talk) ReleaseTerminal(context.Context, acp.ReleaseTerminalRequest) (acp.ReleaseTerminalResponse, error) {
	return acp.ReleaseTerminalResponse{}, acp.NewMethodNotFound(acp.ClientMethodTerminalRelease)
}

// WaitForTerminalExit implements acp.Client. It is not offered.
func (t *talk) WaitForTerminalExit(
	context.Context,
	acp.WaitForTerminalExitRequest,
) (acp.WaitForTerminalExitResponse, error) {
	return acp.WaitForTerminalExitResponse{}, acp.NewMethodNotFound(acp.ClientMethodTerminalWaitForExit)
}
