package chatagent

import (
	"context"
	"crypto/rand"
	"log/slog"
	"reflect"
	"slices"
	"sync"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/event"
	"agentflow/backend/base/safego"
	"agentflow/backend/talk/turns"
	"agentflow/backend/team/library"
	"agentflow/backend/team/topology"
)

const (
	settleFor  = 300 * time.Millisecond // after a change, for the next one
	againAfter = 10 * time.Second       // an agent that could not be in its room
	maxCast    = 50
)

// RoomAgentsOptions configure a RoomAgents.
type RoomAgentsOptions struct {
	Local     Local
	Library   *library.Library
	Responder func(c Config, room string) Responder
	Fixed     map[string][]Config // agents of a file, by room

	// Trusts says why an agent of a team can't be given its tools until the owner has allowed
	// what it asks of this computer; nil: every one can. After a change, call Look.
	Trusts func(team string, t *topology.Topology, agent *topology.Agent) error

	Logger *slog.Logger
}

// RoomAgents runs in the hub the agents of teams that rooms were opened with, and those of a
// file. What is drawn is what talks: a changed agent is another one at its next turn.
type RoomAgents struct {
	o        RoomAgentsOptions
	instance string
	wake     chan struct{}
}

// NewRoomAgents returns a RoomAgents.
func NewRoomAgents(o RoomAgentsOptions) *RoomAgents {
	return &RoomAgents{o: o, instance: "hub-" + rand.Text(), wake: make(chan struct{}, 1)}
}

// Look has the RoomAgents see which agents there are to be.
func (s *RoomAgents) Look() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Check returns the cast without duplicates and its seats, or an error that names the agent that isn't
// in the team. Agents that are in the room already keep their names.
func (s *RoomAgents) Check(ctx context.Context, name string, c turns.Cast) (turns.Cast, []turns.Seat, error) {
	d, v, err := s.o.Library.Get(ctx, library.ID(c.Team))
	if err == nil && !d.DeletedAt.IsZero() {
		err = errcode.New(errcode.NotFound, "the team %s is deleted", d.Name)
	}
	if err != nil {
		return c, nil, err
	}
	out := turns.Cast{Team: c.Team, Agents: []string{}, Names: map[string]string{}}
	for _, id := range c.Agents {
		if !slices.ContainsFunc(v.Topology.Agents, func(a topology.Agent) bool { return string(a.ID) == id }) {
			return c, nil, errcode.New(errcode.Validation, "the team %s has no agent %s", d.Name, id).
				With(errcode.KeyField, "agents")
		}
		if !slices.Contains(out.Agents, id) {
			out.Agents = append(out.Agents, id)
		}
	}
	if len(out.Agents) == 0 || len(out.Agents) > maxCast {
		return c, nil, errcode.New(errcode.Validation,
			"agents has %d agents: 1 to %d can take part", len(out.Agents), maxCast).
			With(errcode.KeyField, "agents")
	}
	var seats []turns.Seat
	before := s.o.Local.Turns.Casts()[name]
	if before.Team != c.Team {
		before.Names = nil
	}
	for _, one := range Team(v.Topology, out.Agents, before.Names) {
		seats = append(seats, one.seat())
		out.Names[one.AgentID] = one.Name
	}
	return out, seats, nil
}

type place struct{ room, name string }

// act is one agent that runs.
type act struct {
	config Config
	stop   context.CancelFunc
	ended  chan struct{}
	since  time.Time // when it was found to have ended
}

func (a *act) over() bool {
	select {
	case <-a.ended:
		return true
	default:
		return false
	}
}

// rest is how long to wait before restarting an agent that ended without being stopped.
func (a *act) rest() time.Duration {
	if !a.over() {
		return 0
	}
	if a.since.IsZero() {
		a.since = time.Now()
	}
	return againAfter - time.Since(a.since)
}

// Run keeps the agents there that are to be there, until ctx ends.
func (s *RoomAgents) Run(ctx context.Context) error {
	var running sync.WaitGroup
	defer running.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	changes := s.o.Library.Subscribe(64)
	defer func() { changes.Close() }()
	acts := map[place]*act{}
	for {
		again := s.arrange(ctx, acts, &running)
		if !s.pause(ctx, again, &changes) {
			return nil
		}
	}
}

// pause waits for a change, and then for changes to settle; false: ctx has ended.
func (s *RoomAgents) pause(
	ctx context.Context,
	again time.Duration,
	changes **event.Subscription[library.Changed],
) bool {
	timer := time.NewTimer(again)
	defer timer.Stop()
	for settling := false; ; {
		select {
		case <-ctx.Done():
			return false
		case <-timer.C:
			return true
		case <-s.wake:
		case _, ok := <-(*changes).C():
			if !ok { // it lagged; what counts is how it is now
				*changes = s.o.Library.Subscribe(64)
			}
		}
		if !settling {
			settling = true
			timer.Reset(settleFor)
		}
	}
}

// arrange ends and starts agents, and says when to look again.
func (s *RoomAgents) arrange(ctx context.Context, acts map[place]*act, running *sync.WaitGroup) time.Duration {
	wanted, again := s.wanted(ctx), time.Hour
	for at, a := range acts {
		c, still := wanted[at]
		if left := a.rest(); still && left > 0 {
			again = min(again, left)
			delete(wanted, at)
			continue
		}
		if !still || a.over() || !reflect.DeepEqual(c, a.config) {
			a.stop()
			<-a.ended
			delete(acts, at)
		} else {
			delete(wanted, at)
		}
	}
	for at, c := range wanted {
		actCtx, stop := context.WithCancel(ctx)
		a := &act{config: c, stop: stop, ended: make(chan struct{})}
		acts[at] = a
		running.Go(func() {
			defer close(a.ended)
			defer stop()
			s.play(actCtx, at, c)
		})
	}
	return again
}

// play is one agent in one room.
func (s *RoomAgents) play(ctx context.Context, at place, c Config) {
	err := safego.Call(ctx, s.o.Logger, "an agent in a room", func() error {
		o := Options{
			Config:    c,
			Room:      at.room,
			Instance:  s.instance,
			Link:      s.o.Local,
			Responder: s.o.Responder(c, at.room),
			Logger:    s.o.Logger,
		}
		return New(o).Run(ctx)
	})
	if err != nil && ctx.Err() == nil {
		s.o.Logger.WarnContext(ctx, "an agent left its room", slog.String("agent", c.Name),
			slog.String("room", at.room), slog.Any("error", err))
		s.Look()
	}
}

// wanted are the agents that are to be there.
func (s *RoomAgents) wanted(ctx context.Context) map[place]Config {
	out := map[place]Config{}
	for name, list := range s.o.Fixed {
		for _, c := range list {
			out[place{name, c.Name}] = c
		}
	}
	for name, cast := range s.o.Local.Turns.Casts() {
		d, v, err := s.o.Library.Get(ctx, library.ID(cast.Team))
		if err == nil {
			s.o.Local.Turns.Keep(name, cast.Team, func(id string) bool {
				_, is := v.Topology.Agent(topology.AgentID(id))
				return is && d.DeletedAt.IsZero()
			})
		}
		if err != nil || !d.DeletedAt.IsZero() {
			if ctx.Err() == nil && !errcode.Is(err, errcode.NotFound) && err != nil {
				s.o.Logger.WarnContext(ctx, "a room's team cannot be read", slog.String("room", name),
					slog.Any("error", err))
			}
			continue
		}
		for _, c := range Team(v.Topology, cast.Agents, cast.Names) {
			if a, is := v.Topology.Agent(topology.AgentID(c.AgentID)); is && s.o.Trusts != nil && s.o.Trusts(cast.Team, v.Topology, a) != nil {
				c.Tools, c.Workspace = nil, "" // it talks, and does nothing
			}
			out[place{name, c.Name}] = c
		}
	}
	return out
}

// Team returns agents of a team as participants of a room. kept has the names of those that are in the
// room already. An agent whose name isn't possible in a room, or is taken, gets its id as name.
func Team(t *topology.Topology, ids []string, kept map[string]string) []Config {
	names := map[string]string{} // by id
	var out []Config
	taken := func(id, name string) bool {
		for other, is := range kept {
			if is == name && other != id && slices.Contains(ids, other) {
				return true
			}
		}
		return slices.ContainsFunc(out, func(o Config) bool { return o.Name == name })
	}
	for i := range t.Agents {
		a := &t.Agents[i]
		if !slices.Contains(ids, string(a.ID)) {
			continue
		}
		called := *a
		if name := kept[string(a.ID)]; name != "" {
			called.Name = name
		}
		c, err := ConfigOf(&called)
		if err != nil || taken(c.AgentID, c.Name) {
			called.Name = string(a.ID)
			if c, _ = ConfigOf(&called); c.Name == "" || taken(c.AgentID, c.Name) {
				continue
			}
		}
		names[string(a.ID)] = c.Name
		out = append(out, c)
	}
	for i := range out {
		out[i].Peers = peers(t, out[i].AgentID, names)
	}
	return out
}

// peers returns the names of the agents that hear this one: those it has a Message connection with.
func peers(t *topology.Topology, id string, names map[string]string) []string {
	var out []string
	for i := range t.Agents {
		for _, c := range t.Agents[i].Connections {
			other := ""
			switch {
			case !topology.KindOf(c.Type).Talks:
			case string(t.Agents[i].ID) == id:
				other = names[string(c.TargetID)]
			case string(c.TargetID) == id:
				other = names[string(t.Agents[i].ID)]
			}
			if other != "" && !slices.Contains(out, other) {
				out = append(out, other)
			}
		}
	}
	slices.Sort(out)
	return out
}
