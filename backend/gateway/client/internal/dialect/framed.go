package dialect

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// framedLink is a link that speaks the real gateway's framed protocol.
type framedLink struct {
	sock    *socket
	log     *slog.Logger
	publish func(Event)
	hello   About
	tick    time.Duration
	lastID  atomic.Uint64

	mu      sync.Mutex
	waiting map[string]chan frame // each takes one answer
	ended   error

	gone chan struct{} // closed with ended

	// Only the reading goroutine, Run's, touches these.
	bad        int
	seq        int64
	seqKnown   bool
	lastResync time.Time
	resyncDue  <-chan time.Time
}

// frame is every shape of frame of this dialect.
type frame struct {
	Type    string          `json:"type"`
	ID      string          `json:"id"`
	OK      bool            `json:"ok"`
	Payload json.RawMessage `json:"payload"`
	Error   *Error          `json:"error"`
	Event   string          `json:"event"`
	Seq     *int64          `json:"seq"`
}

// requestFrame is what we send.
type requestFrame struct {
	Type   string `json:"type"`
	ID     string `json:"id"`
	Method string `json:"method"`
	Params any    `json:"params,omitempty"`
}

func newFramedLink(o *Opener, sock *socket) *framedLink {
	return &framedLink{
		sock: sock, log: o.Log, publish: o.Publish, tick: defaultTick,
		waiting: map[string]chan frame{}, gone: make(chan struct{}),
	}
}

func (l *framedLink) About() About { return l.hello }

// Call implements Link.
func (l *framedLink) Call(ctx context.Context, method string, params any) (json.RawMessage, error) {
	id := strconv.FormatUint(l.lastID.Add(1), 10)
	data, err := json.Marshal(requestFrame{Type: "req", ID: id, Method: method, Params: params})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotSent, err)
	}
	answer, err := l.expect(id)
	if err != nil {
		return nil, err
	}
	defer l.forget(id)
	if err := l.sock.write(ctx, data); err != nil {
		return nil, err
	}
	select {
	case f := <-answer:
		return f.result()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case <-l.gone:
	}
	select { // the answer may have been the last frame
	case f := <-answer:
		return f.result()
	default:
		return nil, l.ended
	}
}

func (f frame) result() (json.RawMessage, error) {
	switch {
	case f.OK:
		return f.Payload, nil
	case f.Error != nil:
		return nil, f.Error
	}
	return nil, &Error{Code: "ERROR"}
}

func (l *framedLink) expect(id string) (chan frame, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotSent, l.ended)
	}
	answer := make(chan frame, 1)
	l.waiting[id] = answer
	return answer, nil
}

func (l *framedLink) forget(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.waiting, id)
}

// deliver hands an answer to its call; one that nobody waits for is dropped.
func (l *framedLink) deliver(f frame) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	answer, ok := l.waiting[f.ID]
	if ok {
		delete(l.waiting, f.ID)
		answer <- f
	}
	return ok
}

// Serve implements Link.
func (l *framedLink) Serve(ctx context.Context, reconnect <-chan struct{}) error {
	err := l.serve(ctx, reconnect)
	l.mu.Lock()
	l.ended = err
	l.mu.Unlock()
	close(l.gone)
	l.sock.close()
	return err
}

func (l *framedLink) serve(ctx context.Context, reconnect <-chan struct{}) error {
	ticker := time.NewTicker(l.tick)
	defer ticker.Stop()
	l.sock.ping()
	for {
		select {
		case data, ok := <-l.sock.frames:
			if !ok {
				return l.sock.err
			}
			if err := l.take(data); err != nil {
				return err
			}
		case <-l.resyncDue:
			l.resyncNow()
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-reconnect:
			return ErrReconnect
		case <-ticker.C:
			l.sock.ping()
		}
	}
}

// take handles one frame; an error ends the link.
func (l *framedLink) take(data []byte) error {
	if err := checkFrame(data); err != nil {
		return l.unreadable(data, err)
	}
	var f frame
	if err := json.Unmarshal(data, &f); err != nil {
		return l.unreadable(data, err)
	}
	switch f.Type {
	case "res":
		if !l.deliver(f) {
			l.log.Debug("gateway: an answer that nobody waits for was dropped")
		}
	case "event":
		l.count(f.Seq)
		e := Event{Name: f.Event, Payload: f.Payload}
		if f.Seq != nil {
			e.Seq = *f.Seq
		}
		l.publish(e)
	default:
		return l.strike(fmt.Errorf("a frame of type %q", Clean(f.Type)))
	}
	return nil
}

// unreadable fails the call that a bad frame answers now, and not at its timeout.
func (l *framedLink) unreadable(data []byte, err error) error {
	if id, ok := peekID(data); ok {
		l.deliver(frame{ID: id, Error: badFrame(err)})
	}
	return l.strike(err)
}

// strike counts a frame that cannot be used.
func (l *framedLink) strike(err error) error {
	l.bad++
	l.log.Debug("gateway: a frame was dropped", "error", err)
	if l.bad > maxBadFrames {
		return fmt.Errorf("%w; the last: %w", errNonsense, err)
	}
	return nil
}

// count watches the events' numbers. Anything but the next one means that events
// were lost, or came in another order.
func (l *framedLink) count(seq *int64) {
	if seq == nil {
		return
	}
	gap := l.seqKnown && *seq != l.seq+1
	l.seq, l.seqKnown = *seq, true
	if !gap || l.resyncDue != nil {
		return
	}
	if wait := resyncEvery - time.Since(l.lastResync); wait > 0 {
		l.resyncDue = time.After(wait)
		return
	}
	l.resyncNow()
}

// resyncEvery keeps a gateway that loses much from making its readers read all the time.
const resyncEvery = time.Second

func (l *framedLink) resyncNow() {
	l.lastResync, l.resyncDue = time.Now(), nil
	l.publish(Event{Resync: true, Reason: "gap"})
}
