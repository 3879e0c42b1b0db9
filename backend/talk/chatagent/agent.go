// Package chatagent is one agent in a room: it reads the messages, thinks when it has a
// turn, and answers. It is the same in the hub and on another computer; only its Link to
// the room differs.
package chatagent

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/safego"
	"agentflow/backend/model/llm"
	"agentflow/backend/model/tool"
	"agentflow/backend/model/tool/mcp"
	"agentflow/backend/talk/room"
	"agentflow/backend/talk/turns"
)

// Bounds of what an agent keeps and waits for.
const (
	DefaultHistory = 50
	MaxHistory     = room.MaxLimit
	MaxDelay       = time.Minute
	pieceEvery     = 40 * time.Millisecond // between two pieces of an answer
	patience       = 3 * time.Second       // for messages that its turn is about
)

// Config is who an agent is.
type Config struct {
	Name        string
	AgentID     string // in the team that it is of
	Model       llm.Model
	Role        string
	Persona     string
	Tools       []string    // names of tools that it may use
	Workspace   string      // the folder that they are for
	Servers     []mcp.Entry // the tools of which it may use as well
	Policies    tool.Policies
	Temperature *float64
	MaxTokens   int                        // of an answer; 0 leaves it to the model
	Options     map[string]json.RawMessage // of the model, passed on as they are
	History     int                        // how many messages the model gets; 0 is DefaultHistory
	Delay       time.Duration              // before it answers, so that people can follow
	Peers       []string                   // agents that a communication connection joins it with
}

func (c Config) seat() turns.Seat {
	return turns.Seat{Name: c.Name, AgentID: c.AgentID, Model: string(c.Model), Peers: c.Peers}
}

// Link is the way into a hub's rooms.
type Link interface {
	// Join keeps an agent in its room until ctx ends, or it cannot be there any more, which
	// the error says. A link that is lost is made again. The last history messages are heard
	// first, then all that follow: once, in order.
	Join(ctx context.Context, seat turns.Seat, history int, ear turns.Listener) error
}

// Responder thinks for an agent: it answers a request as a stream, and may use tools meanwhile.
type Responder interface {
	Respond(ctx context.Context, r llm.Request, tell func(Update) error) (llm.Answer, error)
}

// Keeper is a Responder that has something to keep running while its agent is there.
type Keeper interface {
	// Keep returns when ctx ends, and nothing is left of it.
	Keep(ctx context.Context)
}

// Update is what comes while a Responder thinks.
type Update struct {
	Text   string         // one more piece of the answer
	Anew   bool           // what came so far is not part of the answer
	State  room.State     // what it does now
	Notice string         // for the room: what a tool did, or why it failed
	Cause  *errcode.Cause // of Notice
}

// Options configure an Agent.
type Options struct {
	Config    Config
	Room      string
	Instance  string // see turns.Seat
	Link      Link
	Responder Responder
	Logger    *slog.Logger // nil is slog's default
	// Elsewhere says that the agent does not run in the hub.
	Elsewhere bool
	// Joined is called whenever the agent has taken its seat; it may be nil.
	Joined func()
}

// Agent is one agent in one room. Make it with New.
type Agent struct {
	o    Options
	wake chan struct{}

	mu      sync.Mutex
	history []room.Message
	voice   turns.Reporter // nil: not connected
	turn    *turns.Turn
	since   time.Time // of turn
	reply   *reply    // the one that runs
	done    string    // the turn that was answered last
}

// New returns an agent.
func New(o Options) *Agent {
	if o.Config.History <= 0 {
		o.Config.History = DefaultHistory
	}
	return &Agent{o: o, wake: make(chan struct{}, 1)}
}

// Run keeps the agent in its room until ctx ends, or it cannot be there any more.
func (a *Agent) Run(ctx context.Context) error {
	var keeping sync.WaitGroup
	defer keeping.Wait()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if k, is := a.o.Responder.(Keeper); is {
		keeping.Go(func() {
			_ = safego.Call(
				ctx,
				a.o.Logger,
				"the tools of an agent in a room",
				func() error { // its turns go on without them
					k.Keep(ctx)
					return nil
				},
			)
		})
	}
	c := a.o.Config
	seat := c.seat()
	seat.Room, seat.Instance, seat.Elsewhere = a.o.Room, a.o.Instance, a.o.Elsewhere
	left := make(chan error, 1)
	go func() {
		left <- safego.Call(ctx, a.o.Logger, "an agent's link to its room", func() error { return a.o.Link.Join(ctx, seat, c.History, a) })
	}()
	err := a.attend(ctx, left)
	if err == nil || ctx.Err() != nil && errors.Is(err, context.Cause(ctx)) {
		return nil
	}
	return err
}

// attend begins and ends replies, as turns come and go.
func (a *Agent) attend(ctx context.Context, left <-chan error) error {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	var ended chan struct{} // of the reply that runs
	for {
		timer.Reset(a.look(ctx, &ended))
		select {
		case <-a.wake:
		case <-timer.C:
		case <-ended:
			ended = nil
			a.mu.Lock()
			a.reply = nil
			a.mu.Unlock()
		case err := <-left:
			a.mu.Lock()
			r := a.reply
			a.mu.Unlock()
			if r != nil {
				r.cancel(errLeft)
				<-ended
			}
			return err
		}
	}
}

var (
	errLeft = errors.New("chatagent: the agent has left the room")
	errOver = errors.New("chatagent: the turn is over")
)

// look compares the turn that the agent has with what it does, and says when to look again.
func (a *Agent) look(ctx context.Context, ended *chan struct{}) time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.reply != nil {
		if a.turn == nil || a.turn.ID != a.reply.turn.ID {
			a.reply.cancel(errOver)
		}
		return time.Hour
	}
	if a.turn == nil || a.turn.ID == a.done {
		return time.Hour
	}
	heard := len(a.history) > 0 && a.history[len(a.history)-1].ID >= a.turn.UpTo
	if left := patience - time.Since(a.since); !heard && left > 0 {
		return left
	}
	r := a.newReply(ctx, *a.turn)
	a.reply, *ended = r, make(chan struct{})
	over := *ended
	go func() {
		defer close(over)
		r.run()
	}()
	return time.Hour
}

func (a *Agent) rouse() {
	select {
	case a.wake <- struct{}{}:
	default:
	}
}

// Joined implements turns.Listener.
func (a *Agent) Joined(v turns.Reporter) {
	a.mu.Lock()
	a.voice = v
	r := a.reply
	a.mu.Unlock()
	if r != nil {
		r.rejoined()
	}
	if v != nil && a.o.Joined != nil {
		a.o.Joined()
	}
	a.rouse()
}

// Heard implements turns.Listener.
func (a *Agent) Heard(m room.Message) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.history = append(a.history, m)
	if keep := 2 * a.o.Config.History; len(a.history) > 2*keep {
		a.history = slices.Clone(a.history[len(a.history)-keep:])
	}
	if a.turn != nil && m.ID >= a.turn.UpTo {
		a.rouse()
	}
}

// Turned implements turns.Listener.
func (a *Agent) Turned(t *turns.Turn) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if t == nil || a.turn == nil || a.turn.ID != t.ID {
		a.since = time.Now()
	}
	a.turn = t
	if t == nil || t.ID != a.done {
		a.done = ""
	}
	if a.reply != nil && (t == nil || t.ID != a.reply.turn.ID) {
		a.reply.cancel(errOver) // at once, not when the loop comes to it
	}
	a.rouse()
}

// tell tells the room news of a turn; it fails while there is no link.
func (a *Agent) tell(ctx context.Context, n turns.Update) error {
	a.mu.Lock()
	v := a.voice
	a.mu.Unlock()
	if v == nil {
		return errcode.New(errcode.Unavailable, "the room is not connected")
	}
	return v.Report(ctx, n)
}
