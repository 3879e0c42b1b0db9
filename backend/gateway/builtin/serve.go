package builtin

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"sync"
	"time"

	"github.com/gorilla/websocket"
	"github.com/sourcegraph/jsonrpc2"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/event"
	"agentflow/backend/base/safego"
)

const (
	maxInFlight = 16  // requests of one connection at once
	eventBuffer = 256 // events that a connection may lag behind
)

type silentLogger struct{}

func (silentLogger) Printf(string, ...any) {}

// ServeConn serves one connection, whose login the caller has checked, until the peer
// goes away or ctx ends; it closes ws. It sends all events as notifications.
//
// The wire is JSON-RPC 2.0 with the codes of errors as strings. A request may leave out
// "jsonrpc". A request without an id is answered, too, after the one before it and
// without an id: with the bare result or {"error"} where it left out "jsonrpc" as well,
// as the interface description shows it. So there are no notifications to the gateway.
//
// The error tells why a connection ended that neither side meant to end.
func (g *Gateway) ServeConn(ctx context.Context, ws *websocket.Conn) error {
	facts := g.out.events.Subscribe(eventBuffer)
	defer facts.Close()
	s := newStream(ws, g.timing, g.out.log)
	h := &handler{g: g, stream: s, slots: make(chan struct{}, maxInFlight)}
	// The library's two goroutines end with the stream.
	conn := jsonrpc2.NewConn(context.WithoutCancel(ctx), s, h, jsonrpc2.SetLogger(silentLogger{}))
	leaving := make(chan struct{})
	leave := context.AfterFunc(ctx, func() { // even in the middle of a write
		defer close(leaving)
		s.shut(websocket.CloseGoingAway, "the hub is stopping")
	})
	err := s.keep(ctx, conn, facts)
	if !leave() {
		<-leaving
		err = nil
	}
	_ = conn.Close() // ErrClosed where the peer was first
	<-s.ended
	h.running.Wait()
	return err
}

// keep tells the facts until the connection ends.
func (s *stream) keep(ctx context.Context, conn *jsonrpc2.Conn, facts *event.Subscription[Event]) error {
	ping := time.NewTicker(s.timing.Ping)
	defer ping.Stop()
	for {
		select {
		case <-conn.DisconnectNotify():
			return s.reason()
		case <-ping.C:
			// What follows from silence is the reader's to find.
			_ = s.ws.WriteControl(websocket.PingMessage, nil, time.Now().Add(time.Second))
		case e, ok := <-facts.C():
			if !ok {
				s.shut(websocket.CloseTryAgainLater, "too slow: connect again and read afresh")
				return event.ErrLagged
			}
			if err := conn.Notify(ctx, e.Name, e.Payload); err != nil && !errors.Is(err, jsonrpc2.ErrClosed) {
				return err
			}
		}
	}
}

// handler serves the requests of one connection.
type handler struct {
	g       *Gateway
	stream  *stream
	slots   chan struct{}
	running sync.WaitGroup
}

// Handle implements jsonrpc2.Handler. It runs in the library's one reading goroutine, so
// a full connection is read no further.
func (h *handler) Handle(ctx context.Context, conn *jsonrpc2.Conn, req *jsonrpc2.Request) {
	x := h.stream.at(req.ID.Num)
	if x.id == nil { // what has no id must be answered in order
		h.respond(ctx, conn, req, x)
		return
	}
	select {
	case h.slots <- struct{}{}:
	case <-ctx.Done():
		return
	}
	h.running.Go(func() {
		defer func() { <-h.slots }()
		h.respond(ctx, conn, req, x)
	})
}

func (h *handler) respond(ctx context.Context, conn *jsonrpc2.Conn, req *jsonrpc2.Request, x *exchange) {
	result, err := safego.Value(ctx, h.g.out.log, "a call of the built-in gateway",
		func() (any, error) { return h.g.call(ctx, req.Method, x.params) })
	if err == nil {
		x.result, err = json.Marshal(result)
	}
	if err != nil {
		if x.failure = errcode.From(err); x.failure.Code == errcode.Internal {
			h.g.out.log.Error("localgateway: a call failed", "method", req.Method, "error", err)
		}
	}
	done := &jsonrpc2.Response{ID: req.ID, Result: &noResult}
	if err := conn.SendResponse(ctx, done); err != nil && !errors.Is(err, jsonrpc2.ErrClosed) && !errors.Is(err, net.ErrClosed) {
		h.g.out.log.Debug("localgateway: an answer was not sent", "method", req.Method, "error", err)
	}
}

var noResult = json.RawMessage("null") // the stream has the true one
