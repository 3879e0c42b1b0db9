package engine

import (
	"cmp"
	"net"
	"time"

	"agentflow/backend/base/netlisten"
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

// listening returns how the hub listens.
func (o Options) listening() netlisten.Options {
	at := netlisten.Options{Listen: o.Listen, CertFile: o.TLSCert, KeyFile: o.TLSKey, InsecureHTTP: o.InsecureHTTP}
	if o.TLSSelfSigned {
		at.SelfSigned = cmp.Or(o.DataDir, ".")
	}
	return at
}

// Check reports options with which the hub can't listen. It doesn't need the data folder, and writes nothing.
func (o Options) Check() error {
	o.Listen = cmp.Or(o.Listen, DefaultListen)
	return netlisten.Check(o.listening())
}
