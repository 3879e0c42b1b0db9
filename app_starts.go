//go:build desktop

package main

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"os"
	"path/filepath"
	"time"

	"agentflow/backend/base/safego"
)

// A window listens on a socket in its data folder, which is its owner's alone. A second
// start on the folder gives what it was asked for to that window, and ends.
const (
	socketName    = "window.sock"
	handOverLimit = 10 * time.Second
)

// asked is what a start was asked for.
type asked struct {
	File string `json:"file,omitempty"` // an absolute path
}

type answered struct {
	Error string `json:"error,omitempty"`
}

// handOver gives a start to the window that has the data folder; false says that there is
// none, or that it was killed and only its socket is left.
func handOver(ctx context.Context, dir string, start asked) (bool, error) {
	dialer := net.Dialer{Timeout: handOverLimit}
	conn, err := dialer.DialContext(ctx, "unix", filepath.Join(dir, socketName))
	if err != nil {
		return false, ctx.Err() // nobody is there, unless it was stopped: this start is the first
	}
	defer func() { _ = conn.Close() }() // all has been said
	_ = conn.SetDeadline(time.Now().Add(handOverLimit))
	var got answered
	if json.NewEncoder(conn).Encode(start) != nil || json.NewDecoder(conn).Decode(&got) != nil {
		return true, errors.New("the window that has this data folder does not answer; close it and start again")
	}
	if got.Error != "" {
		return true, errors.New(got.Error)
	}
	return true, nil
}

// starts takes the later starts on a data folder, one after the other.
type starts struct {
	listener net.Listener
	done     chan struct{}
}

// takeStarts begins to listen; do shows what a start was asked for. It must be called only
// by the one window that has the folder, because it takes the place of a socket that is
// left there.
func takeStarts(dir string, do func(asked) error) (*starts, error) {
	path := filepath.Join(dir, socketName)
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	s := &starts{l, make(chan struct{})}
	go s.run(do)
	return s, nil
}

func (s *starts) run(do func(asked) error) {
	defer close(s.done)
	for {
		conn, err := s.listener.Accept()
		if err != nil {
			return // closed
		}
		_ = conn.SetDeadline(time.Now().Add(handOverLimit))
		var start asked
		if json.NewDecoder(conn).Decode(&start) == nil {
			var said answered
			err := safego.Call(context.Background(), nil, "a later start", func() error { return do(start) })
			if err != nil {
				said.Error = err.Error()
			}
			_ = json.NewEncoder(conn).Encode(said) // a start that does not wait needs no answer
		}
		_ = conn.Close()
	}
}

// close ends it and removes the socket.
func (s *starts) close() {
	_ = s.listener.Close()
	<-s.done
}
