// Package localgateway is the gateway that lives in the hub: the methods of an OpenClaw
// gateway over agents that run here. It keeps its config as YAML text, byte for byte as
// it was applied, and answers chats with the agents' models.
//
// Every method returns an *errcode.Error.
package localgateway

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"

	"agentflow/backend/errcode"
	"agentflow/backend/event"
	"agentflow/backend/llm"
	"agentflow/backend/openclaw"
	"agentflow/backend/roster"
)

// Asker asks language models; *llm.Registry is one.
type Asker interface {
	Stream(ctx context.Context, r llm.Request, onDelta func(delta string) error) (llm.Answer, error)
	Offers(ctx context.Context) []llm.Offer
}

// Options configure a Gateway.
type Options struct {
	Store  Store
	Models Asker
	Roster *roster.Roster // every applied config becomes its team
	Home   string         // for the default workspace of an agent; "" leaves it out
	Logger *slog.Logger   // nil discards
	Timing Timing
}

// Timing holds the waits of a Gateway. Zero fields take the defaults.
type Timing struct {
	Reply time.Duration // the longest a reply may take: 15 min
	Delta time.Duration // between two chat events of a reply: 33 ms
	Write time.Duration // how long one frame may take to leave: 30 s
	Ping  time.Duration // between two pings of a connection: 30 s
}

func (t Timing) orDefaults() Timing {
	for _, f := range []struct {
		field *time.Duration
		value time.Duration
	}{{&t.Reply, 15 * time.Minute}, {&t.Delta, 33 * time.Millisecond}, {&t.Write, 30 * time.Second}, {&t.Ping, 30 * time.Second}} {
		if *f.field <= 0 {
			*f.field = f.value
		}
	}
	return t
}

// Names of an Event.
const (
	EventChat            = "chat"             // Payload is a ChatEvent
	EventConfigChanged   = "config.changed"   // Payload is {hash}
	EventSessionsChanged = "sessions.changed" // Payload is {sessionKey, agentId}: a line was stored
)

// Event is one fact, as it goes to every connection: Name is the notification's method,
// Payload its params.
type Event struct {
	Name    string
	Payload json.RawMessage
}

// Gateway is the local gateway. Its methods may be called from anywhere.
type Gateway struct {
	store  Store
	models Asker
	roster *roster.Roster
	home   string
	log    *slog.Logger
	timing Timing
	events event.Topic[Event]
	runs   *queue

	applying sync.Mutex // one apply at a time
	mu       sync.Mutex
	current  config
}

// New loads the stored config, puts its team to work, and marks replies that the last
// run of the program did not finish. Run does the rest.
func New(ctx context.Context, opts Options) (*Gateway, error) {
	g := &Gateway{
		store: opts.Store, models: opts.Models, roster: opts.Roster, home: opts.Home, log: opts.Logger,
		timing: opts.Timing.orDefaults(), runs: newQueue(),
	}
	if g.log == nil {
		g.log = slog.New(slog.DiscardHandler)
	}
	if err := g.load(ctx); err != nil {
		return nil, err
	}
	return g, g.markInterrupted(ctx)
}

// Run produces the replies until ctx ends; then it stops those under way, stores what
// had come of them, and returns nil. It can be called once.
func (g *Gateway) Run(ctx context.Context) error {
	var replies sync.WaitGroup
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-g.runs.wake:
			for r := g.runs.next(); r != nil; r = g.runs.next() {
				replies.Go(func() {
					defer g.runs.done(r)
					g.reply(r)
				})
			}
		}
	}
	waiting := g.runs.close()
	replies.Wait()
	for _, r := range waiting {
		g.settle(r, outcome{err: errStopped})
	}
	return nil
}

// Events subscribes to the gateway's facts, in order. A reader that lags is cut and
// reads sessions, history and config afresh. The reader closes it.
func (g *Gateway) Events(buffer int) *event.Subscription[Event] { return g.events.Subscribe(buffer) }

func (g *Gateway) publish(name string, payload any) {
	raw, err := json.Marshal(payload)
	if err != nil { // the payloads are our own plain structs
		g.log.Error("localgateway: an event was lost", "event", name, "error", err)
		return
	}
	g.events.Publish(Event{Name: name, Payload: raw})
}

// Model is one model an agent may be given, as models.list tells it.
type Model struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Provider string `json:"provider"`
}

// Models lists the models of every provider that answers.
func (g *Gateway) Models(ctx context.Context) []Model {
	out := []Model{}
	for _, o := range g.models.Offers(ctx) {
		for _, m := range o.Models {
			_, name := m.Split()
			out = append(out, Model{ID: name, Name: name, Provider: o.Provider})
		}
	}
	return out
}

func newID() string { return ulid.Make().String() }

// internal hides what a store said; the log has it.
func (g *Gateway) internal(err error, what string) error {
	if own := errcode.From(err); own.Code != errcode.Internal {
		return own
	}
	g.log.Error("localgateway: "+what, "error", err)
	return errcode.Wrap(errcode.Internal, err, "%s", what)
}

var _ openclaw.Gateway = target{}
