package roomclient

import (
	"context"
	"encoding/json"
	"net/url"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"agentflow/backend/base/errcode"
	"agentflow/backend/talk/room"
	"agentflow/backend/talk/turns"
)

const tellWithin = 10 * time.Second

// Join keeps an agent in its room until ctx ends, or the hub says that it cannot be there.
// The last history messages are heard first, then all that follow. A connection that is lost
// is made again.
func (r *Rooms) Join(ctx context.Context, seat turns.Seat, history int, ear turns.Listener) error {
	f := Following{Room: seat.Room, Sender: seat.Name, agent: &agent{seat: seat, ear: ear}}
	list, err := r.history(ctx, seat.Room, history)
	if err != nil {
		return err
	}
	for _, m := range list {
		ear.Heard(m)
		f.After = m.ID
	}
	return r.Follow(ctx, f, func(m room.Message) error {
		ear.Heard(m)
		return nil
	})
}

// history are the last messages; a hub that is not there yet is waited for.
func (r *Rooms) history(ctx context.Context, name string, limit int) ([]room.Message, error) {
	wait := retry()
	for {
		list, err := r.List(ctx, room.Range{Room: name, Limit: limit})
		if err == nil || !passes(err) {
			return list, err
		}
		if err := r.pause(ctx, err, wait.NextBackOff()); err != nil {
			return nil, err
		}
	}
}

// agent is one that has its seat by a connection.
type agent struct {
	seat turns.Seat
	ear  turns.Listener

	mu   sync.Mutex
	conn *websocket.Conn // nil: not seated
}

func (a *agent) ask(query url.Values) {
	query.Set("agent", a.seat.Instance)
	if a.seat.Model != "" {
		query.Set("model", a.seat.Model)
	}
}

// take handles news for the agent other than messages. If the hub refused news as outdated,
// it sends the agent's current turn as well.
func (a *agent) take(conn *websocket.Conn, live *turns.Live, refused *errcode.Error) bool {
	if live == nil {
		return refused != nil && refused.Details["turnId"] != nil
	}
	if live.Type != turns.KindTurn {
		return true
	}
	a.ear.Turned(live.Turn)
	a.mu.Lock()
	fresh := a.conn != conn
	a.conn = conn
	a.mu.Unlock()
	if fresh {
		a.ear.Joined(a)
	}
	return true
}

// lost ends the seat at a connection.
func (a *agent) lost() {
	a.mu.Lock()
	seated := a.conn != nil
	a.conn = nil
	a.mu.Unlock()
	if seated {
		a.ear.Joined(nil)
	}
}

// Report implements turns.Reporter.
func (a *agent) Report(_ context.Context, n turns.Update) error {
	text, err := json.Marshal(struct {
		News turns.Update `json:"news"`
	}{n})
	if err != nil {
		return errcode.Wrap(errcode.Internal, err, "the news cannot be written")
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.conn == nil {
		return errcode.New(errcode.Unavailable, "the room is not connected")
	}
	_ = a.conn.SetWriteDeadline(time.Now().Add(tellWithin))
	if err := a.conn.WriteMessage(websocket.TextMessage, text); err != nil {
		_ = a.conn.Close() // the reader notices, and reconnects
		return errcode.Wrap(errcode.Unavailable, err, "the connection to the room is lost")
	}
	return nil
}
