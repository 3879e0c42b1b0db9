// Package roomclient is a hub's rooms from another program or computer.
package roomclient

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/gorilla/websocket"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/hubclient"
	"agentflow/backend/talk/room"
	"agentflow/backend/talk/turns"
)

const (
	silence    = time.Minute // a hub pings three times as often as that
	maxFrame   = 2 << 20
	firstRetry = 200 * time.Millisecond
	lastRetry  = 30 * time.Second
	postTries  = 5
)

// Rooms are the rooms of one hub.
type Rooms struct {
	Hub *hubclient.Client
	// Silence is how long a connection may say nothing, which is longer than a hub does;
	// a minute if it is 0.
	Silence time.Duration
	// Retry receives why a connection was lost and how long until the next try; it may be nil.
	Retry func(err error, wait time.Duration)
}

// Post stores a message. If the answer is lost it asks again, so d needs a ClientID.
func (r *Rooms) Post(ctx context.Context, d room.Draft) (room.Message, error) {
	wait := retry()
	for try := 1; ; try++ {
		var m room.Message
		err := r.Hub.Call(ctx, http.MethodPost, "/api/message", d, &m)
		if err == nil || d.ClientID == "" || try == postTries || !passes(err) {
			return m, err
		}
		if err := r.pause(ctx, err, wait.NextBackOff()); err != nil {
			return room.Message{}, err
		}
	}
}

// passes reports whether it may be otherwise later.
func passes(err error) bool {
	return errcode.Is(err, errcode.Unavailable) || errcode.Is(err, errcode.RateLimited) ||
		errcode.Is(err, errcode.Timeout) || errcode.Is(err, errcode.Internal)
}

func retry() *backoff.ExponentialBackOff {
	return &backoff.ExponentialBackOff{
		InitialInterval:     firstRetry,
		RandomizationFactor: 0.5,
		Multiplier:          2,
		MaxInterval:         lastRetry,
	}
}

func (r *Rooms) pause(ctx context.Context, why error, wait time.Duration) error {
	wait = min(wait, lastRetry)
	if r.Retry != nil {
		r.Retry(why, wait)
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// List returns messages of a room, oldest first.
func (r *Rooms) List(ctx context.Context, q room.Range) ([]room.Message, error) {
	v := url.Values{"room": {q.Room}}
	if q.Oldest || q.After > 0 {
		v.Set("after", strconv.FormatInt(q.After, 10))
	}
	if q.Before > 0 {
		v.Set("before", strconv.FormatInt(q.Before, 10))
	}
	if q.Limit > 0 {
		v.Set("limit", strconv.Itoa(q.Limit))
	}
	var out struct {
		Messages []room.Message `json:"messages"`
	}
	return out.Messages, r.into(ctx, "/api/messages?"+v.Encode(), &out)
}

func (r *Rooms) into(ctx context.Context, path string, out any) error {
	return r.Hub.Call(ctx, http.MethodGet, path, nil, out)
}

// Rooms returns the rooms, by name.
func (r *Rooms) Rooms(ctx context.Context) ([]room.Summary, error) {
	var out struct {
		Rooms []room.Summary `json:"rooms"`
	}
	err := r.into(ctx, "/api/rooms", &out)
	return out.Rooms, err
}

// Export writes a room to w, for who reads the language; format is markdown or json.
func (r *Rooms) Export(ctx context.Context, name, format, language string, w io.Writer) error {
	q := url.Values{"format": {format}}
	if language != "" {
		q.Set("language", language)
	}
	return r.Hub.Download(ctx, "/api/rooms/"+url.PathEscape(name)+"/export?"+q.Encode(), w)
}

// Pruning says what may go, as the API has it.
type Pruning struct {
	Room      string `json:"room,omitempty"`
	OlderThan string `json:"olderThan,omitempty"`
	Keep      int    `json:"keep,omitempty"`
	MaxBytes  int64  `json:"maxBytes,omitempty"`
}

// Prune deletes the oldest messages and returns how many.
func (r *Rooms) Prune(ctx context.Context, p Pruning) (int, error) {
	var out struct {
		Deleted int `json:"deleted"`
	}
	err := r.Hub.Call(ctx, http.MethodPost, "/api/messages/prune", p, &out)
	return out.Deleted, err
}

// Following says what to follow.
type Following struct {
	Room   string
	Sender string // who is shown as present; "" nobody
	After  int64  // follow from this id; below 0: only what is new
	// Joined is called whenever the room has been entered; it may be nil.
	Joined func()

	agent *agent // that has its seat by this connection; nil: none
}

// Follow calls do with each message of the room, once and in order, until ctx ends, do
// returns an error, or the hub says that it makes no sense to go on. A connection that is
// lost is made again, and goes on where it was.
func (r *Rooms) Follow(ctx context.Context, f Following, do func(room.Message) error) error {
	if f.After < 0 {
		newest, err := r.newest(ctx, f.Room)
		if err != nil {
			return err
		}
		f.After = newest
	}
	wait := retry()
	for {
		began, before := time.Now(), f.After
		err := r.follow(ctx, &f, do)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		lost, ok := errors.AsType[*lostError](err)
		if !ok && !passes(err) {
			return err
		}
		if ok {
			err = lost.cause
		}
		if time.Since(began) > lastRetry || f.After > before {
			wait.Reset()
		}
		if err := r.pause(ctx, err, wait.NextBackOff()); err != nil {
			return err
		}
	}
}

// newest is the id after which everything is new.
func (r *Rooms) newest(ctx context.Context, name string) (int64, error) {
	list, err := r.List(ctx, room.Range{Room: name, Limit: 1})
	if err != nil || len(list) == 0 {
		return 0, err
	}
	return list[0].ID, nil
}

// lostError is a connection that ended.
type lostError struct{ cause error }

func (l *lostError) Error() string { return l.cause.Error() }

func (r *Rooms) follow(ctx context.Context, f *Following, do func(room.Message) error) error {
	query := url.Values{"room": {f.Room}, "after": {strconv.FormatInt(f.After, 10)}}
	if f.Sender != "" {
		query.Set("sender", f.Sender)
	}
	if f.agent != nil {
		f.agent.ask(query)
		defer f.agent.lost()
	}
	conn, res, err := r.Hub.Dialer().DialContext(ctx, r.Hub.WebSocketURL("/ws", query), r.Hub.Header())
	if res != nil {
		defer func() { _ = res.Body.Close() }() // of a refusal; a WebSocket has none
	}
	if err != nil {
		return r.Hub.Dialled(ctx, res, err)
	}
	defer func() { _ = conn.Close() }()
	stop := context.AfterFunc(ctx, func() {
		_ = conn.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(websocket.CloseNormalClosure, ""),
			time.Now().Add(time.Second))
		_ = conn.Close()
	})
	defer stop()
	conn.SetReadLimit(maxFrame)
	pong, patience := conn.PingHandler(), cmp.Or(r.Silence, silence)
	conn.SetPingHandler(func(data string) error {
		_ = conn.SetReadDeadline(time.Now().Add(patience))
		return pong(data)
	})
	if f.Joined != nil {
		f.Joined()
	}
	for {
		_ = conn.SetReadDeadline(time.Now().Add(patience))
		_, data, err := conn.ReadMessage()
		if err != nil {
			return ended(f.Room, err)
		}
		var frame struct {
			room.Message
			Error *errcode.Error `json:"error"`
			Live  *turns.Live    `json:"live"`
		}
		if err := json.Unmarshal(data, &frame); err != nil {
			return errcode.Wrap(errcode.Unavailable, err, "the hub sent what is no message")
		}
		if f.agent != nil && f.agent.take(conn, frame.Live, frame.Error) {
			continue
		}
		if frame.Error != nil {
			return frame.Error
		}
		if frame.ID <= f.After {
			continue
		}
		if err := do(frame.Message); err != nil {
			return err
		}
		f.After = frame.ID
	}
}

// ended tells a connection that was lost from one that the hub has ended for good.
func ended(name string, err error) error {
	if websocket.IsCloseError(err, websocket.CloseNormalClosure) {
		return errcode.New(errcode.NotFound, "the room %s was deleted", name)
	}
	return &lostError{err}
}
