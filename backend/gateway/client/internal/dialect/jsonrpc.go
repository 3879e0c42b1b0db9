package dialect

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
	said    Features
}

type silentLogger struct{}

func (silentLogger) Printf(string, ...any) {}

type noMethods struct{}

func (noMethods) Handle(context.Context, *jsonrpc2.Conn, *jsonrpc2.Request) {}

// probeMethod is the first call on a JSON-RPC link; every gateway has it.
const probeMethod = "config.get"

// openJSONRPC puts the dialect on a socket and makes its first call, config.get.
// Any JSON-RPC answer shows that the peer speaks it; a framed peer is errFramedPeer.
func (o *Opener) openJSONRPC(ctx context.Context, sock *socket) (Link, error) {
	l := &rpcLink{
		sock: sock, tick: o.Timing.Tick,
		sending: make(chan struct{}, 1), single: make(chan struct{}, 1),
	}
	l.stream = &rpcStream{
		sock: sock, log: o.Log, expired: make(chan struct{}, 1), waiting: map[uint64]string{},
		publish: func(e Event) { l.events.Store(true); o.Publish(e) },
	}
	// The library's goroutines end with the stream, which ends with the socket.
	l.conn = jsonrpc2.NewConn(context.WithoutCancel(ctx), l.stream, noMethods{}, jsonrpc2.SetLogger(silentLogger{}))
	ctx, cancel := context.WithTimeout(ctx, o.Timing.Handshake)
	defer cancel()
	config, err := l.Call(ctx, probeMethod, struct{}{})
	l.said = rpcFeatures(config)
	var refused *Error
	switch {
	case err == nil:
	case errors.As(err, &refused) && refused.Code != CodeBadFrame:
		// A gateway that says no speaks JSON-RPC; only a refused login ends it here.
		if e := refused.Translate(JSONRPC, probeMethod); isLoginRefusal(e) {
			l.close()
			return nil, e
		}
	case errors.Is(err, context.DeadlineExceeded):
		l.close()
		return nil, fmt.Errorf("%s accepts connections but answers nothing; is it an OpenClaw gateway?", o.URL)
	default:
		l.close()
		return nil, wrongGuess(err)
	}
	sock.setSilence(2 * l.tick)
	return l, nil
}

// About implements Link.
func (l *rpcLink) About() About {
	f := l.said
	f.Events = f.Events || l.events.Load()
	return About{Dialect: JSONRPC, Features: f}
}

// Call implements Link.
func (l *rpcLink) Call(ctx context.Context, method string, params any) (json.RawMessage, error) {
	if l.stream.answersWithoutIDs() {
		select {
		case l.single <- struct{}{}:
			defer func() { <-l.single }()
		case <-ctx.Done():
			return nil, fmt.Errorf("%w: %w", ErrNotSent, context.Cause(ctx))
		case <-l.conn.DisconnectNotify():
			return nil, fmt.Errorf("%w: %w", ErrNotSent, l.lost())
		}
	}
	id := l.lastID.Add(1)
	waiter, err := l.send(ctx, id, method, params)
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

// send writes the request; an error that is ErrNotSent says that nothing has left.
func (l *rpcLink) send(ctx context.Context, id uint64, method string, params any) (jsonrpc2.Waiter, error) {
	select {
	case l.sending <- struct{}{}:
		defer func() { <-l.sending }()
	case <-ctx.Done():
		return jsonrpc2.Waiter{}, fmt.Errorf("%w: %w", ErrNotSent, context.Cause(ctx))
	case <-l.conn.DisconnectNotify():
	}
	select {
	case <-l.conn.DisconnectNotify():
		return jsonrpc2.Waiter{}, fmt.Errorf("%w: %w", ErrNotSent, l.lost())
	default:
	}
	l.stream.expect(id, method)
	l.stream.writeCtx, l.stream.wrote = ctx, false
	waiter, err := l.conn.DispatchCall(ctx, method, params, jsonrpc2.PickID(jsonrpc2.ID{Num: id}))
	if errors.Is(err, jsonrpc2.ErrClosed) {
		if err = l.lost(); !l.stream.wrote {
			err = fmt.Errorf("%w: %w", ErrNotSent, err)
		}
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
	l.stream.lapse(id)
}

// refusal brings the library's error back into our own form.
func (l *rpcLink) refusal(err error) error {
	var e *jsonrpc2.Error
	if !errors.As(err, &e) {
		return l.lost()
	}
	w := &Error{Code: "ERROR", Message: e.Message}
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

// Serve implements Link.
func (l *rpcLink) Serve(ctx context.Context, reconnect <-chan struct{}) error {
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
			return ErrReconnect
		case <-ticker.C:
			l.sock.ping()
		}
	}
}

func (l *rpcLink) close() {
	_ = l.conn.Close() // ErrClosed when the peer was first
	l.sock.close()
}
