package a2aclient_test

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2acompat/a2av0"
	"github.com/a2aproject/a2a-go/v2/a2asrv"

	"agentflow/backend/base/errcode"
	"agentflow/backend/work/a2aclient"
	"agentflow/backend/work/worker"
)

const token = "token-of-a-test"

// agent is an A2A agent on a real socket, built with the official server.
type agent struct {
	execute func(ctx context.Context, t a2a.TaskInfoProvider, yield func(a2a.Event, error) bool)
	streams bool
	version a2a.ProtocolVersion
	rpc     http.Handler // replaces the server's handler, if set

	url       string
	cancelled chan a2a.TaskID
}

func (a *agent) Execute(ctx context.Context, e *a2asrv.ExecutorContext) iter.Seq2[a2a.Event, error] {
	return func(yield func(a2a.Event, error) bool) {
		if yield(a2a.NewSubmittedTask(e, e.Message), nil) {
			a.execute(ctx, e, yield)
		}
	}
}

func (a *agent) Cancel(_ context.Context, e *a2asrv.ExecutorContext) iter.Seq2[a2a.Event, error] {
	return func(yield func(a2a.Event, error) bool) {
		a.cancelled <- e.TaskID
		yield(a2a.NewStatusUpdateEvent(e, a2a.TaskStateCanceled, nil), nil)
	}
}

// start serves the agent and returns a worker for it.
func (a *agent) start(t *testing.T) *a2aclient.Peer {
	t.Helper()
	a.cancelled = make(chan a2a.TaskID, 8)
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	a.url = server.URL
	handler := a2asrv.NewHandler(a)
	rpc, card := a.rpc, a2asrv.NewAgentCardHandler(a2asrv.AgentCardProducerFn(a.card))
	if a.version == a2av0.Version {
		card = a2asrv.NewAgentCardHandler(a2av0.NewAgentCardProducer(a2asrv.AgentCardProducerFn(a.card)))
		rpc = a2av0.NewJSONRPCHandler(handler)
	} else if rpc == nil {
		rpc = a2asrv.NewJSONRPCHandler(handler)
	}
	mux.Handle(a2asrv.WellKnownAgentCardPath, card)
	mux.HandleFunc("/rpc", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+token {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		rpc.ServeHTTP(w, r)
	})
	return &a2aclient.Peer{HTTP: &http.Client{}, URL: "a2a+" + server.URL, Secret: token}
}

func (a *agent) card(context.Context) (*a2a.AgentCard, error) {
	version := a.version
	if version == "" {
		version = a2a.Version
	}
	return &a2a.AgentCard{
		Name: "far", Version: "1", Capabilities: a2a.AgentCapabilities{Streaming: a.streams}, DefaultInputModes: []string{"text/plain"}, DefaultOutputModes: []string{"text/plain"},
		SupportedInterfaces: []*a2a.AgentInterface{{URL: a.url + "/rpc", ProtocolBinding: a2a.TransportProtocolJSONRPC, ProtocolVersion: version}},
	}, nil
}

// says completes with a text in two pieces.
func says(_ context.Context, t a2a.TaskInfoProvider, yield func(a2a.Event, error) bool) {
	first := a2a.NewArtifactEvent(t, a2a.NewTextPart("one "))
	if yield(a2a.NewStatusUpdateEvent(t, a2a.TaskStateWorking, nil), nil) && yield(first, nil) &&
		yield(a2a.NewArtifactUpdateEvent(t, first.Artifact.ID, a2a.NewTextPart("two"), a2a.NewDataPart(map[string]any{"n": 2.0})), nil) {
		yield(a2a.NewStatusUpdateEvent(t, a2a.TaskStateCompleted, nil), nil)
	}
}

// waits works until it is canceled.
func waits(ctx context.Context, t a2a.TaskInfoProvider, yield func(a2a.Event, error) bool) {
	if yield(a2a.NewStatusUpdateEvent(t, a2a.TaskStateWorking, a2a.NewMessageForTask(a2a.MessageRoleAgent, t, a2a.NewTextPart("at it"))), nil) {
		<-ctx.Done()
	}
}

var job = worker.Job{TaskID: "task-1", Type: "chat", Prompt: "count"}

// received collects the reported text.
func received(into *strings.Builder) func(worker.Update) error {
	return func(n worker.Update) error { into.WriteString(n.Text); return nil }
}

func TestAG1_AnA2AAgentWorks(t *testing.T) {
	for name, a := range map[string]*agent{
		"by a stream": {streams: true}, "without streams": {}, "of A2A 0.3": {streams: true, version: a2av0.Version}, "of A2A 0.3 without streams": {version: a2av0.Version},
	} {
		t.Run(name, func(t *testing.T) {
			a.execute = says
			var told strings.Builder
			raw, err := a.start(t).Run(t.Context(), job, received(&told))
			if err != nil {
				t.Fatal(err)
			}
			var got struct {
				Text string
				Data map[string]any
				A2A  struct{ TaskID, ContextID string }
			}
			if err := json.Unmarshal(raw, &got); err != nil {
				t.Fatal(err)
			}
			if got.Text != "one two" || told.String() != "one two" || got.Data["n"] != 2.0 || got.A2A.TaskID == "" || got.A2A.ContextID != "task-1" {
				t.Errorf("reported %q, result %s", &told, raw)
			}
		})
	}
}

func TestCO4_ACancelReachesAnA2AAgentAndAStopDoesNot(t *testing.T) {
	stopped, cancelled := errors.New("the hub stops"), errors.New("cancelled")
	for _, why := range []error{cancelled, stopped} {
		a := &agent{execute: waits, streams: true}
		p := a.start(t)
		p.Leave = stopped
		ctx, end := context.WithCancelCause(t.Context())
		_, err := p.Run(ctx, job, func(n worker.Update) error {
			if n.Log == "at it" {
				end(why)
			}
			return nil
		})
		if !errors.Is(err, why) {
			t.Errorf("%v, want %v", err, why)
		}
		if errors.Is(why, cancelled) {
			<-a.cancelled // the hub doesn't wait for it for long, but it arrives
		}
		if told := len(a.cancelled); told != 0 {
			t.Errorf("%v: the agent was canceled %d times too often", why, told)
		}
	}
}

// An error of tell, such as a used-up budget, also cancels the job at the agent.
func TestCO4_WhatTheHubDoesNotWantAnyMoreIsCancelled(t *testing.T) {
	a := &agent{execute: waits, streams: true}
	broke := errcode.New(errcode.Conflict, "the budget is used up")
	if _, err := a.start(t).Run(t.Context(), job, func(worker.Update) error { return broke }); !errors.Is(err, broke) {
		t.Errorf("%v", err)
	}
	<-a.cancelled
}

func TestAG6_NoTokenLeavesTheAddressThatWasGiven(t *testing.T) {
	var asked atomic.Int32
	trap := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { asked.Add(1) }))
	defer trap.Close()
	to := func(status int) http.Handler {
		return http.HandlerFunc(
			func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, trap.URL+"/rpc", status) },
		)
	}
	away := httptest.NewServer(to(http.StatusFound))
	defer away.Close()
	for name, p := range map[string]*a2aclient.Peer{
		"a redirected call":    (&agent{streams: true, rpc: to(http.StatusTemporaryRedirect)}).start(t),
		"a redirected message": (&agent{rpc: to(http.StatusPermanentRedirect)}).start(t),
		"a redirected card":    {HTTP: &http.Client{}, URL: "a2a+" + away.URL, Secret: token},
	} {
		_, err := p.Run(t.Context(), job, received(new(strings.Builder)))
		if e := errcode.From(err); e.Code != errcode.Validation || e.Details[errcode.KeyCause] != "a2a_elsewhere" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := asked.Load(); n > 0 {
		t.Errorf("the other address got %d requests", n)
	}
}

func TestAG2_WhatAnA2AAgentCannotBe(t *testing.T) {
	much := &agent{streams: true, execute: func(_ context.Context, t a2a.TaskInfoProvider, yield func(a2a.Event, error) bool) {
		part := a2a.NewTextPart(strings.Repeat("x", 600<<10))
		first := a2a.NewArtifactEvent(t, part)
		_ = yield(first, nil) && yield(a2a.NewArtifactUpdateEvent(t, first.Artifact.ID, part), nil) && yield(a2a.NewStatusUpdateEvent(t, a2a.TaskStateCompleted, nil), nil)
	}}
	wordy := &agent{streams: true, execute: func(_ context.Context, t a2a.TaskInfoProvider, yield func(a2a.Event, error) bool) {
		said := a2a.NewMessageForTask(a2a.MessageRoleAgent, t, a2a.NewTextPart(strings.Repeat("x", 1<<20+1)))
		yield(a2a.NewStatusUpdateEvent(t, a2a.TaskStateFailed, said), nil)
	}}
	pieces := &agent{streams: true, execute: func(_ context.Context, t a2a.TaskInfoProvider, yield func(a2a.Event, error) bool) {
		for i := range 20 {
			e := a2a.NewArtifactEvent(t, a2a.NewTextPart(""))
			e.Artifact.ID = a2a.ArtifactID(strings.Repeat("i", 64<<10) + strconv.Itoa(i))
			if !yield(e, nil) {
				return
			}
		}
		yield(a2a.NewStatusUpdateEvent(t, a2a.TaskStateCompleted, nil), nil)
	}}
	wrong := (&agent{streams: true, execute: says}).start(t)
	wrong.Secret = "another"
	page := httptest.NewServer(
		http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>")) }),
	)
	defer page.Close()
	gone := httptest.NewServer(nil)
	gone.Close()
	at := func(url string) *a2aclient.Peer {
		return &a2aclient.Peer{HTTP: &http.Client{}, URL: "a2a+" + url, Secret: token}
	}
	for _, c := range []struct {
		peer  *a2aclient.Peer
		code  errcode.Code
		cause string
	}{
		{much.start(t), errcode.Validation, "output"},
		{wordy.start(t), errcode.Validation, "output"},
		{pieces.start(t), errcode.Validation, "output"},
		{wrong, errcode.Unauthorized, "agent_secret"},
		{at(page.URL), errcode.Validation, "a2a_card"},
		{at(gone.URL), errcode.Unavailable, "agent_unreached"},
		{at("http://192.0.2.7:9"), errcode.Validation, "agent_http"},
	} {
		_, err := c.peer.Run(t.Context(), job, received(new(strings.Builder)))
		if e := errcode.From(err); e == nil || e.Code != c.code || e.Details[errcode.KeyCause] != c.cause {
			t.Errorf("%s: %v", c.cause, err)
		}
	}
}
