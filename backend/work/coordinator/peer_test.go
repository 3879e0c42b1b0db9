package coordinator_test

import (
	"context"
	"errors"
	"iter"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2asrv"

	"agentflow/backend/team/topology"
	"agentflow/backend/work/coordinator"
	"agentflow/backend/work/task"
)

// farAgent is an A2A agent that echoes the request.
type farAgent struct{}

func (farAgent) Execute(_ context.Context, e *a2asrv.ExecutorContext) iter.Seq2[a2a.Event, error] {
	return func(yield func(a2a.Event, error) bool) {
		_ = yield(a2a.NewSubmittedTask(e, e.Message), nil) &&
			yield(a2a.NewArtifactEvent(e, e.Message.Parts...), nil) &&
			yield(a2a.NewStatusUpdateEvent(e, a2a.TaskStateCompleted, nil), nil)
	}
}

func (farAgent) Cancel(context.Context, *a2asrv.ExecutorContext) iter.Seq2[a2a.Event, error] {
	return func(yield func(a2a.Event, error) bool) { yield(nil, a2a.ErrTaskNotCancelable) }
}

// listenAs serves the agent at an address until the test ends.
func (f farAgent) listenAs(t *testing.T, address string) {
	t.Helper()
	mux := http.NewServeMux()
	mux.Handle("/rpc", a2asrv.NewJSONRPCHandler(a2asrv.NewHandler(f)))
	mux.Handle(a2asrv.WellKnownAgentCardPath, a2asrv.NewStaticAgentCardHandler(&a2a.AgentCard{
		Name: "far", Version: "1", Capabilities: a2a.AgentCapabilities{Streaming: true}, DefaultInputModes: []string{"text/plain"}, DefaultOutputModes: []string{"text/plain"},
		SupportedInterfaces: []*a2a.AgentInterface{{URL: "http://" + address + "/rpc", ProtocolBinding: a2a.TransportProtocolJSONRPC, ProtocolVersion: a2a.Version}},
	}))
	listener, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: mux, ReadHeaderTimeout: time.Minute}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	t.Cleanup(func() {
		_ = server.Close()
		if err := <-served; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
}

// A task of an A2A agent that isn't running waits like one of our own agents: pending, with the reason and without an
// attempt.
func TestCO3_AG1_ATaskWaitsForAnA2AAgentThatIsNotStarted(t *testing.T) {
	gone := startAgent(t)
	address := gone.Listener.Addr().String()
	gone.Close()
	b := newBench(t, topology.Agent{ID: "far-1", Role: "Developer", URL: "a2a+http://" + address})
	v := b.View()
	defer v.Close()
	sent := b.submit(task.Chat, "are you there?", "")
	sees(t, v, func() bool { return reason(b, sent).Reason == coordinator.WaitsForContact })
	if w := reason(b, sent); w.Agents[0].Agent != "far-1" || w.Agents[0].Cause == nil || w.Agents[0].Cause.Code != "agent_unreached" {
		t.Errorf("%+v", w)
	}
	got, err := b.Task(t.Context(), sent.ID)
	if err != nil || got.Status != task.Pending || len(got.Attempts) != 0 || got.Seq != 1 {
		t.Errorf("while it waits: %+v, %v", got, err)
	}
	farAgent{}.listenAs(t, address)
	if got := b.ended(sent.ID); got.Status != task.Completed || len(got.Attempts) != 1 || got.Attempts[0].Agent != "far-1" {
		t.Errorf("%+v", got)
	}
}
