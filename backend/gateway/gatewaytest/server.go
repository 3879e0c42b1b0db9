// Package gatewaytest is a gateway for tests: on a real socket, in both dialects,
// with the recorded behaviour of the real one and faults to switch on. It also
// starts real OpenClaw gateways (StartReal).
package gatewaytest

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"agentflow/backend/gateway/client"
)

// Generation is which real gateway a framed Server behaves like.
type Generation int

// The generations.
const (
	Newest   Generation = iota // protocol 4: agents.entries, hot apply, roster guard
	February                   // protocol 3: agents.list, a restart after every apply
)

// Options choose what a Server is. The zero value is a newest framed gateway.
type Options struct {
	Dialect    client.Dialect // framed by default
	Generation Generation
	Token      string         // "test-token" by default; "-" means that none is asked for
	Config     map[string]any // a gateway section with a secret and one agent, main, by default
	Tick       time.Duration  // policy.tickIntervalMs; 30 s by default
	RestartIn  time.Duration  // February: from an apply to the restart; 30 ms by default
	RestartFor time.Duration  // how long a restart takes; 60 ms by default
	Quiet      bool           // newest: nothing is said of a config that was applied
	NoIDs      bool           // JSON-RPC: answer without ids, as the interface description shows
	Raw        bool           // JSON-RPC: config.get also gives the text
	Notify     bool           // JSON-RPC: chat replies come as notifications, too
}

// Faults make a Server misbehave until they are changed. Method names are the keys.
type Faults struct {
	Status         int             // answer upgrades with this HTTP status
	Location       string          // with a 3xx Status
	ChallengeDelay time.Duration   // speak late
	NoChallenge    bool            // never speak first
	Unavailable    bool            // answer logins with UNAVAILABLE and close with 1013
	PairingRequest string          // answer logins with pairing required
	Scopes         []string        // grant these instead of what is asked for
	MaxPayload     int64           // policy.maxPayload
	Stall          map[string]bool // never answer; "*" is every method
	Refuse         map[string]bool // answer UNAVAILABLE, as while it restarts
	Cut            map[string]bool // drop the socket before the method is done
	CutAfter       map[string]bool // do it, then drop the socket without an answer
	Hold           map[string]int  // keep answers until so many wait, then send them last first
	RawAnswer      map[string]string
	RateLimitMs    int64    // refuse config.apply for so long
	Written        string   // take the config of config.apply, and answer UNAVAILABLE with these words
	ReadOnly       string   // as NotWritten, for deletions as well; see Managed and Unwritable
	NotWritten     string   // leave the config of config.apply, and answer UNAVAILABLE with these words
	LeasesLost     int      // give so many deletions up
	NotLoaded      int      // so many deletions find no agent, as before the changed config is loaded
	Lacks          []string // methods that it doesn't list
	IgnorePings    bool     // no pongs
	Mute           bool     // take messages, and answer none: Say and Speak do

	OnFile func(method, agent, name string) // before a call of agents.files.get or set
}

// Server is one fake gateway.
type Server struct {
	URL   string
	Token string
	Disk  Disk // the workspaces of its agents
	Asks  Asks // what it asks a person
	Cron  Cron // its cron jobs

	t    testing.TB
	opts Options
	up   websocket.Upgrader
	addr string

	mu       sync.Mutex
	http     *http.Server
	conns    map[*conn]struct{}
	faults   Faults
	headers  []http.Header
	calls    []Call
	held     []func()
	config   *store
	chats    map[string][]map[string]any
	rows     map[string]map[string]any // further fields of sessions.list
	ranKeys  map[string]bool
	devices  map[string]string // device id -> device token
	away     bool              // between Down and Up
	closed   bool
	restarts int

	work sync.WaitGroup
}

// Call is one request as it arrived.
type Call struct {
	Method string
	Params json.RawMessage
}

// Start runs a gateway until the test ends.
func Start(t testing.TB, opts Options) *Server {
	t.Helper()
	return StartAt(t, opts, "127.0.0.1:0")
}

// StartAt runs it on the address.
func StartAt(t testing.TB, opts Options, addr string) *Server {
	t.Helper()
	if opts.Dialect == client.DialectUnknown {
		opts.Dialect = client.DialectFramed
	}
	if opts.Token == "" {
		opts.Token = "test-token"
	}
	def := func(d *time.Duration, v time.Duration) {
		if *d == 0 {
			*d = v
		}
	}
	def(&opts.Tick, 30*time.Second)
	def(&opts.RestartIn, 30*time.Millisecond)
	def(&opts.RestartFor, 60*time.Millisecond)
	s := &Server{
		Token: opts.Token, t: t, opts: opts, conns: map[*conn]struct{}{},
		chats: map[string][]map[string]any{}, ranKeys: map[string]bool{}, devices: map[string]string{},
	}
	if opts.Token == "-" {
		s.Token = ""
	}
	s.config, s.Asks.s, s.Cron.s = newStore(opts), s, s
	l, err := net.Listen("tcp", addr)
	if err != nil {
		t.Fatalf("gatewaytest: %v", err)
	}
	s.addr = l.Addr().String()
	s.URL = "ws://" + s.addr + "/"
	s.serve(l)
	t.Cleanup(s.close)
	return s
}

func (s *Server) serve(l net.Listener) {
	srv := &http.Server{Handler: http.HandlerFunc(s.upgrade), ReadHeaderTimeout: 10 * time.Second}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		_ = l.Close()
		return
	}
	s.http, s.away = srv, false
	s.work.Go(func() { _ = srv.Serve(l) }) // ErrServerClosed
}

func (s *Server) close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.Down()
	s.work.Wait()
}

// Addr returns host and port.
func (s *Server) Addr() string { return s.addr }

// Down makes the gateway vanish: its port refuses connections.
func (s *Server) Down() { s.down(websocket.CloseAbnormalClosure, "") }

func (s *Server) down(code int, reason string) {
	s.mu.Lock()
	srv := s.http
	s.away = true
	s.mu.Unlock()
	_ = srv.Close()
	s.Disconnect(code, reason)
}

// Up brings it back on the same port.
func (s *Server) Up() {
	var lc net.ListenConfig
	deadline := time.Now().Add(5 * time.Second)
	for {
		l, err := lc.Listen(context.Background(), "tcp", s.addr)
		if err == nil {
			s.serve(l)
			return
		}
		if time.Now().After(deadline) {
			s.t.Errorf("gatewaytest: the port did not come back: %v", err)
			return
		}
		retry := time.NewTimer(5 * time.Millisecond)
		<-retry.C
	}
}

// Restart goes away as a real gateway does, and comes back.
func (s *Server) Restart() {
	s.Emit("shutdown",
		map[string]any{"reason": "gateway restarting", "restartExpectedMs": s.opts.RestartFor.Milliseconds()})
	s.down(websocket.CloseServiceRestart, "service restart")
	timer := time.NewTimer(s.opts.RestartFor)
	defer timer.Stop()
	<-timer.C
	s.mu.Lock()
	s.restarts++
	closed := s.closed
	s.mu.Unlock()
	if !closed {
		s.Up()
	}
}

// Restarts counts the restarts so far.
func (s *Server) Restarts() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.restarts
}

// Disconnect closes every socket with the code; 1006 cuts them without a word.
func (s *Server) Disconnect(code int, reason string) {
	s.mu.Lock()
	conns := make([]*conn, 0, len(s.conns))
	for c := range s.conns {
		conns = append(conns, c)
	}
	s.mu.Unlock()
	for _, c := range conns {
		c.close(code, reason)
	}
}

// SetFaults replaces the faults.
func (s *Server) SetFaults(f Faults) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = f
}

func (s *Server) fault() Faults {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.faults
}

// SetToken changes the token that is asked for; those who are in stay in.
func (s *Server) SetToken(token string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Token = token
}

func (s *Server) token() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Token
}

// ForgetDevices makes every device token invalid.
func (s *Server) ForgetDevices() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.devices)
}

// Upgrades returns the headers of every upgrade so far.
func (s *Server) Upgrades() []http.Header {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]http.Header(nil), s.headers...)
}

// Calls returns the requests so far, logins included.
func (s *Server) Calls() []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Call(nil), s.calls...)
}

// Count returns how often the method was called.
func (s *Server) Count(method string) int {
	n := 0
	for _, c := range s.Calls() {
		if c.Method == method {
			n++
		}
	}
	return n
}

// Connections returns how many sockets are open.
func (s *Server) Connections() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.conns)
}

func (s *Server) upgrade(w http.ResponseWriter, r *http.Request) {
	f := s.fault()
	s.mu.Lock()
	if s.away {
		s.mu.Unlock()
		return
	}
	s.headers = append(s.headers, r.Header.Clone())
	s.work.Add(1)
	s.mu.Unlock()
	defer s.work.Done()
	if s.refuseUpgrade(w, r, f) {
		return
	}
	ws, err := s.up.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	c := &conn{s: s, ws: ws, seq: 1}
	if f.IgnorePings {
		ws.SetPingHandler(func(string) error { return nil })
	}
	s.mu.Lock()
	s.conns[c] = struct{}{}
	away := s.away
	s.mu.Unlock()
	if !away {
		c.run()
	}
	c.close(websocket.CloseAbnormalClosure, "")
	s.mu.Lock()
	delete(s.conns, c)
	s.mu.Unlock()
}

func (s *Server) refuseUpgrade(w http.ResponseWriter, r *http.Request, f Faults) bool {
	if f.Status != 0 {
		if f.Location != "" {
			w.Header().Set("Location", f.Location)
		}
		w.WriteHeader(f.Status)
		return true
	}
	if s.opts.Dialect == client.DialectJSONRPC && s.token() != "" && r.Header.Get("Authorization") != "Bearer "+s.token() {
		http.Error(w, `{"error":{"code":"UNAUTHORIZED","message":"bad token"}}`, http.StatusUnauthorized)
		return true
	}
	return false
}

func randomText() string { return rand.Text() }
