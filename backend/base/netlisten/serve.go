package netlisten

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync"
	"time"
)

// DrainTimeout limits how long open requests can take during a stop.
const DrainTimeout = 5 * time.Second

// Serve answers requests on l until ctx ends, then lets open requests end, for DrainTimeout at most.
// It returns nil after such a stop, and closes l.
func Serve(ctx context.Context, server *http.Server, l net.Listener) error {
	var unused unusedConns
	server.ConnState = unused.changed
	server.RegisterOnShutdown(unused.close)
	drained := make(chan error, 1)
	forget := context.AfterFunc(ctx, func() {
		drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), DrainTimeout)
		defer cancel()
		drained <- server.Shutdown(drain)
	})
	err := server.Serve(l)
	if !errors.Is(err, http.ErrServerClosed) {
		forget()
		return err
	}
	if err = <-drained; errors.Is(err, context.DeadlineExceeded) {
		return server.Close()
	}
	return err
}

// unusedConns are connections on which nobody has asked for anything. Browsers open some ahead of
// time. Shutdown waits five seconds for a request on each of them (golang.org/issue/22682).
type unusedConns struct {
	mu  sync.Mutex
	all map[net.Conn]struct{}
}

func (u *unusedConns) changed(c net.Conn, state http.ConnState) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if state != http.StateNew {
		delete(u.all, c)
		return
	}
	if u.all == nil {
		u.all = make(map[net.Conn]struct{})
	}
	u.all[c] = struct{}{}
}

func (u *unusedConns) close() {
	u.mu.Lock()
	defer u.mu.Unlock()
	for c := range u.all {
		_ = c.Close() // the server itself sees that it is closed
	}
}
