package httpapi

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"

	"agentflow/backend/base/config"
	"agentflow/backend/base/errcode"
	"agentflow/backend/base/event"
	"agentflow/backend/base/strictjson"
	"agentflow/backend/gateway/rollout"
	"agentflow/backend/plan/planner"
	"agentflow/backend/server/auth"
	"agentflow/backend/server/httpapi/internal/agentsapi"
	"agentflow/backend/server/httperr"
	"agentflow/backend/talk/readstate"
	"agentflow/backend/talk/room"
	"agentflow/backend/team/consent"
	"agentflow/backend/team/library"
	"agentflow/backend/work/coordinator/activity"
)

const (
	notifyEvery  = time.Second / 30
	pingEvery    = 20 * time.Second
	writeTimeout = 10 * time.Second
	eventBuffer  = 256
)

// LocalGateway serves the embedded gateway's JSON-RPC on a connection.
type LocalGateway interface {
	ServeConn(ctx context.Context, conn *websocket.Conn) error
}

func (s *Server) serveLocalGateway(w http.ResponseWriter, r *http.Request) {
	if s.Local == nil || !websocket.IsWebSocketUpgrade(r) {
		httperr.Write(w, errcode.New(errcode.Validation, "/gateway speaks JSON-RPC 2.0 over WebSocket"))
		return
	}
	conn, err := auth.Upgrader.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	if err := s.Local.ServeConn(r.Context(), conn); err != nil {
		s.Logger.DebugContext(r.Context(), "local gateway connection ended", slog.Any("error", err))
	}
}

// serveEvents is one window's stream. It starts with the whole picture, and gives it
// again when the window asks, or when the window was too slow for a topic.
func (s *Server) serveEvents(w http.ResponseWriter, r *http.Request) {
	if !websocket.IsWebSocketUpgrade(r) {
		httperr.Write(w, errcode.New(errcode.Validation, "/api/events is a WebSocket"))
		return
	}
	conn, err := auth.Upgrader.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	v := &viewer{server: s, conn: conn, asked: make(chan struct{}, 1)}
	read := make(chan struct{})
	go func() {
		defer close(read)
		defer cancel()
		auth.Listen(conn, 4096, 3*pingEvery, v.hear)
	}()
	if err := v.run(ctx); err != nil {
		s.Logger.DebugContext(ctx, "event stream ended", slog.Any("error", err))
	}
	cancel()
	auth.Leave(conn, websocket.CloseGoingAway, read)
}

// viewer is one window.
type viewer struct {
	server *Server
	conn   *websocket.Conn
	asked  chan struct{} // the window wants an answer
	resync atomic.Bool   // it is to be the whole picture; else any frame will do
	seq    int64
}

func (v *viewer) hear(data []byte) {
	var ask struct {
		Resync bool
		Pulse  bool // a page cannot see pings: it asks for a frame when none came for a while
	}
	if json.Unmarshal(data, &ask) != nil || !ask.Resync && !ask.Pulse {
		return
	}
	if ask.Resync {
		v.resync.Store(true)
	}
	select {
	case v.asked <- struct{}{}:
	default:
	}
}

// feeds are a viewer's subscriptions, opened before the whole picture is taken so that
// nothing falls between the two.
type feeds struct {
	teams     *event.Subscription[library.Changed]
	applies   *event.Subscription[rollout.Apply]
	gateways  *event.Subscription[struct{}]
	ui        *event.Subscription[config.UI]
	templates *event.Subscription[struct{}]
	given     *event.Subscription[struct{}]
	inbox     *event.Subscription[struct{}]
	agents    *event.Subscription[struct{}]
	plans     *event.Subscription[planner.ID]
	trust     *event.Subscription[consent.Change]
	rooms     *room.View
	desk      *readstate.View
	tasks     *activity.View
}

func (v *viewer) open() feeds {
	s := v.server
	return feeds{s.Library.Subscribe(eventBuffer), s.Rollout.Subscribe(eventBuffer), s.Fleet.Subscribe(eventBuffer),
		s.ui.Subscribe(eventBuffer), s.Archive.Subscribe(eventBuffer), s.StartupFiles.Subscribe(eventBuffer),
		s.Inbox.Subscribe(eventBuffer), s.Agents.Subscribe(eventBuffer), s.Planner.Subscribe(eventBuffer),
		s.Trust.Subscribe(eventBuffer), s.Rooms.View(), s.ReadState.View(), s.Tasks.View()}
}

func (f feeds) close() {
	for _, c := range []interface{ Close() }{f.teams, f.applies, f.gateways, f.ui, f.templates, f.given, f.inbox, f.agents, f.plans, f.trust, f.rooms, f.desk, f.tasks} {
		c.Close()
	}
}

func (v *viewer) run(ctx context.Context) error {
	for {
		again, err := v.picture(ctx)
		if err != nil || !again {
			return err
		}
	}
}

// picture sends the whole picture and then what changes; again means that the whole
// picture is due once more.
func (v *viewer) picture(ctx context.Context) (again bool, err error) {
	f := v.open()
	defer f.close()
	if err := v.sendAll(ctx); err != nil {
		return false, err
	}
	return v.stream(ctx, f)
}

//nolint:gocyclo // one case for each feed is the plain way
func (v *viewer) stream(ctx context.Context, f feeds) (again bool, err error) {
	ping := time.NewTicker(pingEvery)
	defer ping.Stop()
	pending := nothing()
	flush := soon{Timer: time.NewTimer(time.Hour)}
	defer flush.Stop()
	for open := true; open; {
		select {
		case <-ctx.Done():
			return false, nil
		case <-v.asked:
			open = !v.resync.Swap(false)
		case <-ping.C:
			if err := v.conn.WriteControl(websocket.PingMessage, nil, time.Now().Add(writeTimeout)); err != nil {
				return false, err
			}
			continue
		case <-flush.C:
			flush.armed = false
			if err := v.flush(ctx, &pending, f); err != nil {
				return false, err
			}
			continue
		case c, ok := <-f.teams.C():
			open = ok
			pending.teams[c.ID] = true
		case a, ok := <-f.applies.C():
			open = ok
			pending.applies[a.ID] = a
		case _, open = <-f.gateways.C():
			pending.gateways = true
		case ui, ok := <-f.ui.C():
			open = ok
			pending.ui = &ui
		case _, open = <-f.templates.C():
			pending.templates = true
		case _, open = <-f.given.C():
			pending.given = true
		case _, open = <-f.inbox.C():
			pending.inbox = true
		case _, open = <-f.agents.C():
			pending.agents = true
		case id, ok := <-f.plans.C():
			open = ok
			pending.plans[id] = true
		case _, open = <-f.trust.C():
			pending.trust = true
		case <-f.rooms.Ready():
		case <-f.desk.Ready():
		case <-f.tasks.Ready():
			pending.work = true
		}
		flush.arm()
	}
	return ctx.Err() == nil, nil
}

// soon is the time at which pending news is sent: what comes meanwhile doesn't delay it.
type soon struct {
	*time.Timer
	armed bool
}

func (s *soon) arm() {
	if !s.armed {
		s.Reset(notifyEvery)
		s.armed = true
	}
}

type pending struct {
	teams     map[library.ID]bool
	applies   map[rollout.ID]rollout.Apply
	gateways  bool
	ui        *config.UI
	templates bool
	given     bool
	inbox     bool
	agents    bool
	work      bool
	trust     bool
	plans     map[planner.ID]bool
}

func nothing() pending {
	return pending{
		teams:   map[library.ID]bool{},
		applies: map[rollout.ID]rollout.Apply{},
		plans:   map[planner.ID]bool{},
	}
}

func (v *viewer) sendAll(ctx context.Context) error {
	s := v.server
	all, err := s.summaries(ctx)
	if err != nil {
		return err
	}
	ui, work := s.Settings.UI(), s.Tasks.Work()
	return v.send(Notify{
		Reset:       true,
		Work:        &work,
		Teams:       all,
		Gateways:    s.Fleet.Gateways(),
		Applies:     s.Rollout.Applies(),
		Settings:    &ui,
		Rooms:       s.Rooms.Rooms(),
		Desk:        s.ReadState.Reads(),
		Given:       s.StartupFiles.Waiting(),
		Inbox:       &Inbox{s.Inbox.Waiting()},
		Plans:       s.Planner.Plans(),
		LocalAgents: agentsapi.Told(s.Agents),
	})
}

func (v *viewer) flush(ctx context.Context, p *pending, f feeds) error {
	s := v.server
	n := Notify{Settings: p.ui, Templates: p.templates, Trust: p.trust, Desk: f.desk.Take()}
	n.Rooms, n.RoomsGone = f.rooms.Take()
	if p.work {
		n.Tasks, n.TasksMany = f.tasks.Take()
		work := s.Tasks.Work()
		n.Work = &work
	}
	for id := range p.teams {
		d, _, err := s.Library.Get(ctx, id)
		if errcode.Is(err, errcode.NotFound) || err == nil && !d.DeletedAt.IsZero() {
			n.Gone = append(n.Gone, id)
			continue
		}
		if err != nil {
			return err
		}
		sum, err := s.summary(ctx, d)
		if err != nil {
			return err
		}
		n.Teams = append(n.Teams, sum)
	}
	for _, a := range p.applies {
		n.Applies = append(n.Applies, a)
	}
	for id := range p.plans {
		sum, err := s.Planner.Plan(id)
		if err != nil {
			n.PlansGone = append(n.PlansGone, id)
			continue
		}
		n.Plans = append(n.Plans, sum)
	}
	if p.given {
		n.Given = s.StartupFiles.Waiting()
	}
	if p.inbox {
		n.Inbox = &Inbox{s.Inbox.Waiting()}
	}
	if p.agents {
		n.LocalAgents = agentsapi.Told(s.Agents)
	}
	if p.gateways {
		n.Gateways = s.Fleet.Gateways()
	}
	*p = nothing()
	return v.send(n)
}

func (v *viewer) send(n Notify) error {
	v.seq++
	n.Seq = v.seq
	data, err := strictjson.Text(n)
	if err != nil {
		return err
	}
	if err := v.conn.SetWriteDeadline(time.Now().Add(writeTimeout)); err != nil {
		return err
	}
	return v.conn.WriteMessage(websocket.TextMessage, data)
}
