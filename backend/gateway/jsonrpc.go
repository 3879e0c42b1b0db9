package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"
	"github.com/sourcegraph/jsonrpc2"
)

// rpcLink is a link that speaks JSON-RPC 2.0.
type rpcLink struct {
	sock    *socket
	stream  *rpcStream
	conn    *jsonrpc2.Conn
	tick    time.Duration
	sending chan struct{} // held while a request is written
	single  chan struct{} // held during a call, when the peer answers without ids
	lastID  atomic.Uint64
	events  atomic.Bool
}

type silentLogger struct{}

func (silentLogger) Printf(string, ...any) {}

type noMethods struct{}

func (noMethods) Handle(context.Context, *jsonrpc2.Conn, *jsonrpc2.Request) {}

// openJSONRPC puts the dialect on a socket and makes its first call, config.get.
// Any JSON-RPC answer shows that the peer speaks it; a framed peer is errFramedPeer.
func (c *Client) openJSONRPC(ctx context.Context, sock *socket) (*rpcLink, error) {
	l := &rpcLink{
		sock: sock, tick: c.timing.Tick,
		sending: make(chan struct{}, 1), single: make(chan struct{}, 1),
	}
	l.stream = &rpcStream{
		sock: sock, log: c.log, expired: make(chan uint64), waiting: map[uint64]string{},
		publish: func(name string, params json.RawMessage) { c.notification(l, name, params) },
	}
	// The library's goroutines end with the stream, which ends with the socket.
	l.conn = jsonrpc2.NewConn(context.WithoutCancel(ctx), l.stream, noMethods{}, jsonrpc2.SetLogger(silentLogger{}))
	ctx, cancel := context.WithTimeout(ctx, c.timing.Handshake)
	defer cancel()
	_, err := l.call(ctx, request{method: methodConfigGet, params: struct{}{}})
	var refused *wireError
	switch {
	case err == nil:
	case errors.As(err, &refused) && refused.Code != codeBadFrame:
		// A gateway that says no speaks JSON-RPC; only a refused login ends it here.
		if e := refused.translate(DialectJSONRPC, methodConfigGet); isLoginRefusal(e) {
			l.close()
			return nil, e
		}
	case errors.Is(err, context.DeadlineExceeded):
		l.close()
		return nil, fmt.Errorf("%s accepts connections but answers nothing; is it an OpenClaw gateway?", c.url)
	default:
		l.close()
		return nil, wrongGuess(err)
	}
	sock.setSilence(2 * l.tick)
	return l, nil
}

func (l *rpcLink) about() about {
	return about{dialect: DialectJSONRPC, features: Features{ApplyFormat: "yaml", Events: l.events.Load()}}
}

func (l *rpcLink) call(ctx context.Context, r request) (json.RawMessage, error) {
	if l.stream.answersWithoutIDs() {
		select {
		case l.single <- struct{}{}:
			defer func() { <-l.single }()
		case <-ctx.Done():
			return nil, fmt.Errorf("%w: %w", errNotSent, context.Cause(ctx))
		case <-l.conn.DisconnectNotify():
			return nil, fmt.Errorf("%w: %w", errNotSent, l.lost())
		}
	}
	id := l.lastID.Add(1)
	waiter, err := l.send(ctx, id, r)
	if err != nil {
		l.stream.forget(id)
		return nil, err
	}
	var result json.RawMessage
	err = waiter.Wait(ctx, &result)
	if err == nil {
		return result, nil
	}
	if ctx.Err() != nil {
		l.abandon(id)
		return nil, context.Cause(ctx)
	}
	return nil, l.refusal(err)
}

// send writes the request; an error that is errNotSent says that nothing has left.
func (l *rpcLink) send(ctx context.Context, id uint64, r request) (jsonrpc2.Waiter, error) {
	select {
	case l.sending <- struct{}{}:
		defer func() { <-l.sending }()
	case <-ctx.Done():
		return jsonrpc2.Waiter{}, fmt.Errorf("%w: %w", errNotSent, context.Cause(ctx))
	case <-l.conn.DisconnectNotify():
	}
	select {
	case <-l.conn.DisconnectNotify():
		return jsonrpc2.Waiter{}, fmt.Errorf("%w: %w", errNotSent, l.lost())
	default:
	}
	l.stream.expect(id, r.method)
	l.stream.writeCtx = ctx
	waiter, err := l.conn.DispatchCall(ctx, r.method, r.params, jsonrpc2.PickID(jsonrpc2.ID{Num: id}))
	if errors.Is(err, jsonrpc2.ErrClosed) {
		err = l.lost() // it may have left before the link ended
	}
	return waiter, err
}

// abandon takes a call that nobody waits for any more out of the tables. Where
// answers carry no ids, the late one could pass for the next call's: the link ends.
func (l *rpcLink) abandon(id uint64) {
	if l.stream.answersWithoutIDs() {
		l.sock.shut(websocket.CloseNormalClosure, "")
		return
	}
	select {
	case l.stream.expired <- id:
	case <-l.conn.DisconnectNotify():
	}
}

// refusal brings the library's error back into our own form.
func (l *rpcLink) refusal(err error) error {
	var e *jsonrpc2.Error
	if !errors.As(err, &e) {
		return l.lost()
	}
	w := &wireError{Code: "ERROR", Message: e.Message}
	if e.Data != nil {
		_ = json.Unmarshal(*e.Data, w) // written by answerError
	}
	return w
}

// lost tells why the link ended.
func (l *rpcLink) lost() error {
	if err := l.stream.reason(); err != nil {
		return err
	}
	return errors.New("the link was closed")
}

func (l *rpcLink) serve(ctx context.Context, reconnect <-chan struct{}) error {
	defer l.close()
	ticker := time.NewTicker(l.tick)
	defer ticker.Stop()
	l.sock.ping()
	for {
		select {
		case <-l.conn.DisconnectNotify():
			return l.lost()
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-reconnect:
			return errReconnect
		case <-ticker.C:
			l.sock.ping()
		}
	}
}

func (l *rpcLink) close() {
	_ = l.conn.Close() // ErrClosed when the peer was first
	l.sock.close()
}

// notification is a fact of a JSON-RPC gateway: its method is the event's name.
func (c *Client) notification(l *rpcLink, name string, params json.RawMessage) {
	if !l.events.Swap(true) {
		c.mu.Lock()
		current := c.link == link(l)
		c.mu.Unlock()
		if current {
			c.setStatus(func(s *Status) { s.Features.Events = true })
		}
	}
	c.eventTopic.Publish(Event{Name: name, Payload: params})
}
