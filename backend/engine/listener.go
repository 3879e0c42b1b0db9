package engine

import (
	"net"
	"time"
)

// held is the hub's listener as one server has it. Closing it ends that server's Accept
// only: who connects meanwhile waits for the next server.
type held struct{ *net.TCPListener }

func hold(l *net.TCPListener) net.Listener {
	_ = l.SetDeadline(time.Time{})
	return held{l}
}

// Close implements net.Listener.
func (h held) Close() error { return h.SetDeadline(time.Now()) }
