// Package builtin is the gateway that lives in the hub: the methods of an OpenClaw
// gateway over agents that run here. It keeps its config as YAML text, byte for byte as
// it was applied, and answers chats with the agents' models.
//
// Every method returns an *errcode.Error.
package builtin

import (
	"context"
	"encoding/json"
	"log/slog"
	"time"

	"github.com/oklog/ulid/v2"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/event"
	"agentflow/backend/gateway/openclaw"
	"agentflow/backend/model/llm"
	"agentflow/backend/team/roster"
	"agentflow/backend/team/topology"
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
	// Apart refuses folders in which no workspace file is read or written; nil permits all.
	Apart func(folders ...string) error
	// Trusts refuses agents whose folder the owner of this computer has not allowed (TR-1); nil permits all. An agent's
	// workspace files are neither read nor written before.
	Trusts func(*topology.Agent) error
	Logger *slog.Logger // nil discards
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
	configs *keeper
	lines   SessionStore
	replies *replier
	roster  *roster.Roster
	models  Asker
	timing  Timing
	out     *outlet
	folders *folders

	capabilities openclaw.Capabilities
}

// New loads the stored config, puts its team to work, and marks replies that the last
// run of the program did not finish. Run does the rest.
func New(ctx context.Context, opts Options) (*Gateway, error) {
	g := build(opts)
	if err := g.configs.load(ctx); err != nil {
		return nil, err
	}
	if err := g.replies.markInterrupted(ctx); err != nil {
		return nil, err
	}
	return g, nil
}

func build(opts Options) *Gateway {
	out := &outlet{log: opts.Logger}
	out.events.Recall = growing
	if out.log == nil {
		out.log = slog.New(slog.DiscardHandler)
	}
	timing := opts.Timing.orDefaults()
	can := capabilities(opts.Home)
	spaces := &folders{roster: opts.Roster, home: opts.Home, apart: opts.Apart, trusts: opts.Trusts, out: out}
	return &Gateway{
		folders: spaces,
		configs: &keeper{store: opts.Store, roster: opts.Roster, limits: can.Limits, out: out},
		replies: &replier{lines: opts.Store, models: opts.Models, roster: opts.Roster, folders: spaces,
			timing: timing, out: out, runs: newQueue()},
		lines: opts.Store, roster: opts.Roster, models: opts.Models, timing: timing, capabilities: can, out: out,
	}
}

// Run produces the replies until ctx ends; then it stops those under way, stores what
// had come of them, and returns nil. It can be called once.
func (g *Gateway) Run(ctx context.Context) error {
	g.replies.work(ctx)
	return nil
}

// Events subscribes to the gateway's facts, in order. A reader that lags is cut and
// reads sessions, history and config afresh. The reader closes it.
func (g *Gateway) Events(buffer int) *event.Subscription[Event] {
	return g.out.events.Subscribe(buffer)
}

// EventsLate is Events for a reader that first gets what there is of replies on their way.
func (g *Gateway) EventsLate(buffer int) *event.Subscription[Event] {
	return g.out.events.SubscribeLate(buffer)
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

// outlet is where facts and logs go.
type outlet struct {
	log    *slog.Logger
	events event.Topic[Event]
}

func (o *outlet) publish(name string, payload any) {
	raw, err := json.Marshal(payload)
	if err != nil { // the payloads are our own plain structs
		o.log.Error("localgateway: an event was lost", "event", name, "error", err)
		return
	}
	o.events.Publish(Event{Name: name, Payload: raw})
}

// announce tells that a line was stored.
func (o *outlet) announce(m Message) {
	o.publish(EventSessionsChanged, map[string]string{"sessionKey": m.SessionKey, "agentId": string(m.AgentID)})
}

// internal hides what a store said; the log has it.
func (o *outlet) internal(err error, what string) error {
	if own := errcode.From(err); own.Code != errcode.Internal {
		return own
	}
	o.log.Error("localgateway: "+what, "error", err)
	return errcode.Wrap(errcode.Internal, err, "%s", what)
}
