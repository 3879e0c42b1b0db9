package gatewayagent_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/client"
	"agentflow/backend/gateway/gatewaytest"
	"agentflow/backend/team/topology"
	"agentflow/backend/work/gatewayagent"
	"agentflow/backend/work/worker"
)

// bench is a gateway that doesn't answer until the test speaks for it, and a worker of its agent main.
type bench struct {
	*gatewayagent.Worker
	peer *gatewaytest.Server

	mu    sync.Mutex
	lines []string
}

func newBench(t *testing.T, o gatewaytest.Options) *bench {
	t.Helper()
	peer := gatewaytest.Start(t, o)
	peer.SetFaults(gatewaytest.Faults{Mute: true})
	c, err := client.New(client.Options{
		URL: peer.URL, Token: func(context.Context) (string, error) { return peer.Token, nil },
		Device: client.NewFileDeviceStore(t.TempDir()),
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = c.Run(ctx)
	}()
	t.Cleanup(func() { stop(); <-ended })
	if err := c.WaitConnected(t.Context()); err != nil {
		t.Fatal(err)
	}
	return &bench{peer: peer, Worker: &gatewayagent.Worker{
		Link: c, Gateway: "studio", Agent: "main", Leave: worker.ErrStopped,
		Lost: 600 * time.Millisecond, Look: 20 * time.Millisecond,
	}}
}

func (b *bench) tell(u worker.Update) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if u.Cause != nil {
		b.lines = append(b.lines, u.Cause.Code)
	}
	return nil
}

// loseLink takes the gateway down, and waits until the client knows it.
func (b *bench) loseLink(t *testing.T) {
	t.Helper()
	states := b.Link.StatusEvents(8)
	defer states.Close()
	b.peer.Down()
	for b.Link.Status().State == client.StateConnected {
		select {
		case <-states.C():
		case <-t.Context().Done():
			t.Fatal("the link wasn't lost")
		}
	}
}

// start runs the job until the gateway has it.
func (b *bench) start(t *testing.T, ctx context.Context) (ended chan error) {
	t.Helper()
	ended = make(chan error, 1)
	go func() {
		job := worker.Job{TaskID: "T1", Prompt: "do it", Envelope: worker.JobEnvelope{Attempt: 1}}
		_, err := b.Run(ctx, job, b.tell)
		ended <- err
	}()
	for b.peer.Count("chat.send") == 0 {
		select {
		case err := <-ended:
			t.Fatal(err)
		case <-time.After(5 * time.Millisecond):
		}
	}
	return ended
}

func outcome(t *testing.T, ended chan error) error {
	t.Helper()
	select {
	case err := <-ended:
		return err
	case <-time.After(20 * time.Second):
		t.Fatal("the job doesn't end")
		return nil
	}
}

// A gateway that doesn't return ends the job plainly. No other attempt sends it again.
func TestWorker_AGatewayThatStaysAway(t *testing.T) {
	b := newBench(t, gatewaytest.Options{})
	ended := b.start(t, t.Context())
	b.peer.Down()
	err := outcome(t, ended)
	if e := errcode.From(err); !errcode.HasReason(err, worker.ReasonSent) ||
		e.Details[errcode.KeyCause] != "gateway_lost" {
		t.Errorf("%v", err)
	}
	if b.lines[0] != "gateway_waits" {
		t.Errorf("told %q", b.lines)
	}
}

// A gateway that returns without an answer ends the job, too. It was sent once.
func TestWorker_AGatewayThatReturnsWithoutAnAnswer(t *testing.T) {
	b := newBench(t, gatewaytest.Options{})
	ended := b.start(t, t.Context())
	b.peer.Restart()
	err := outcome(t, ended)
	if e := errcode.From(err); !errcode.HasReason(err, worker.ReasonSent) ||
		e.Details[errcode.KeyCause] != "gateway_no_answer" {
		t.Errorf("%v", err)
	}
	if n := b.peer.Count("chat.send"); n != 1 {
		t.Errorf("sent %d times", n)
	}
}

// The link is cut after the message arrived and before the gateway confirmed it: it isn't sent again.
func TestWorker_AMessageWhoseArrivalIsUnknown(t *testing.T) {
	b := newBench(t, gatewaytest.Options{})
	b.peer.SetFaults(gatewaytest.Faults{Mute: true, CutAfter: map[string]bool{"chat.send": true}})
	ended := b.start(t, t.Context())
	gatewaytest.Say(b.peer, gatewayagent.SessionKey("main", "T1"), "assistant", "done", nil)
	if err := outcome(t, ended); err != nil || b.peer.Count("chat.send") != 1 {
		t.Errorf("%v, sent %d times", err, b.peer.Count("chat.send"))
	}
}

// A job that is canceled while the link is lost says that the agent can still be running.
func TestWorker_CanceledWhileTheLinkIsLost(t *testing.T) {
	b := newBench(t, gatewaytest.Options{})
	b.Lost = time.Minute
	gone := errors.New("canceled")
	ctx, cancel := context.WithCancelCause(t.Context())
	ended := b.start(t, ctx)
	b.loseLink(t)
	cancel(gone)
	if err := outcome(t, ended); !errors.Is(err, gone) {
		t.Errorf("%v", err)
	}
	if last := b.lines[len(b.lines)-1]; last != "gateway_not_stopped" {
		t.Errorf("told %q", b.lines)
	}
}

// A gateway that isn't connected, or rejects the message, got nothing.
func TestWorker_NothingSent(t *testing.T) {
	b := newBench(t, gatewaytest.Options{})
	b.peer.SetFaults(gatewaytest.Faults{RawAnswer: map[string]string{}, Lacks: nil})
	_, err := b.Run(t.Context(), worker.Job{TaskID: "T1", Prompt: ""}, b.tell)
	if e := errcode.From(err); e == nil || e.Details[errcode.KeyCause] != "gateway_rejected" ||
		!strings.Contains(e.Message, "message or attachment required") {
		t.Errorf("%v", err)
	}
	b.loseLink(t)
	_, err = b.Run(t.Context(), worker.Job{TaskID: "T1", Prompt: "do it"}, b.tell)
	if !errcode.HasReason(err, worker.ReasonUnreachable) || errcode.HasReason(err, worker.ReasonSent) {
		t.Errorf("%v", err)
	}
}

// A gateway without events is read until the answer is in the session.
func TestWorker_AGatewayWithoutEvents(t *testing.T) {
	b := newBench(t, gatewaytest.Options{Dialect: client.DialectJSONRPC})
	ended := b.start(t, t.Context())
	gatewaytest.Say(b.peer, gatewayagent.SessionKey("main", "T1"), "assistant", "done", nil)
	if err := outcome(t, ended); err != nil {
		t.Error(err)
	}
}

// Every task has its own session, in lower case, that leads back to it.
func TestSessionKey_LeadsBackToTheTask(t *testing.T) {
	for _, id := range []string{"01JZ8Q2V7M5N3K9R4T6W8X0Y1Z", "my task: Ünï/1", "abc", "x-1"} {
		key := gatewayagent.SessionKey("main", id)
		if key != strings.ToLower(key) || gatewayagent.TaskOf(key) != id {
			t.Errorf("%s is %s, which is %q", id, key, gatewayagent.TaskOf(key))
		}
	}
	for _, key := range []string{
		"agent:main:main", "agent:main:task-", "main", "other:main:task-1", "agent:main:task-x-é",
	} {
		if id := gatewayagent.TaskOf(key); id != "" {
			t.Errorf("%s is the session of %q", key, id)
		}
	}
}

// Tasks name an agent of a gateway as agent@gateway.
func TestKey_NamesAgentAndGateway(t *testing.T) {
	gateway, agent, is := gatewayagent.Split(gatewayagent.Key("my studio", "main"))
	if gateway != "my studio" || agent != "main" || !is {
		t.Errorf("%q %q %v", gateway, agent, is)
	}
	for _, none := range []string{"main", "@studio", "main@"} {
		if _, _, is := gatewayagent.Split(topology.AgentID(none)); is {
			t.Errorf("%q names one", none)
		}
	}
}
