package engine

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/client"
	"agentflow/backend/gateway/gatewaytest"
	"agentflow/backend/gateway/openclaw"
)

// linkKinds is every kind of gateway that a Link adapts.
var linkKinds = map[string]gatewaytest.Options{
	"framed/newest":   {},
	"framed/february": {Generation: gatewaytest.February, RestartIn: 300 * time.Millisecond},
	"jsonrpc":         {Dialect: client.DialectJSONRPC},
}

func dialLink(t *testing.T, s *gatewaytest.Server) *Link {
	t.Helper()
	l, stop, err := DialGateway(t.Context(), DialOptions{
		URL: s.URL, Dir: t.TempDir(), Logger: slog.New(slog.DiscardHandler),
		Token: func(context.Context) (string, error) { return s.Token, nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	return l
}

// noLeaks fails the test if one of its goroutines outlives it. It must be called first.
func noLeaks(t *testing.T) {
	t.Helper()
	before := goleak.IgnoreCurrent()
	t.Cleanup(func() { goleak.VerifyNone(t, before) })
}

// renamed is the snapshot's config with another name for the agent main.
func renamed(t *testing.T, s openclaw.Snapshot, name string) string {
	t.Helper()
	if !strings.Contains(string(s.Config), `"Main"`) {
		t.Fatalf("no agent Main in %s", s.Config)
	}
	return strings.Replace(string(s.Config), `"Main"`, `"`+name+`"`, 1)
}

// APP-3, GW-2, GW-3, GW-10: read, apply once, wait, read back, on every kind of gateway.
// February answers first and drops the link afterwards: WaitReady outlasts that.
func TestAPP3_LinkReadsAppliesAndWaits(t *testing.T) {
	noLeaks(t)
	for name, o := range linkKinds {
		t.Run(name, func(t *testing.T) {
			s := gatewaytest.Start(t, o)
			l := dialLink(t, s)
			snap, err := l.Read(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if snap.Hash != s.Hash() {
				t.Fatalf("read hash %q, the gateway has %q", snap.Hash, s.Hash())
			}
			out, err := l.Apply(t.Context(), renamed(t, snap, "Renamed"), snap.Hash, "a test")
			if err != nil {
				t.Fatal(err)
			}
			february := o.Generation == gatewaytest.February
			if out.Restarts != february {
				t.Fatalf("Restarts = %v", out.Restarts)
			}
			if err := l.WaitReady(t.Context()); err != nil {
				t.Fatal(err)
			}
			if february && s.Restarts() != 1 {
				t.Fatal("WaitReady returned before the gateway had restarted")
			}
			again, err := l.Read(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if again.Hash != s.Hash() || again.Hash == snap.Hash || !strings.Contains(string(again.Config), "Renamed") {
				t.Fatalf("read back %q %s", again.Hash, again.Config)
			}
			if _, err := l.Apply(t.Context(), renamed(t, snap, "Other"), snap.Hash, ""); !errcode.HasReason(err, errcode.ReasonStaleBase) {
				t.Fatalf("a stale base gave %v", err)
			}
			if n := s.Count("config.apply"); n != 2 {
				t.Fatalf("config.apply was called %d times", n)
			}
		})
	}
}

func TestGW10_LinkCapabilities(t *testing.T) {
	noLeaks(t)
	want := map[string]openclaw.Capabilities{
		"framed/newest":   {Limits: openclaw.Limits{Roster: openclaw.ShapeEntries, ApplyFormat: "json", RosterGuard: true}, DeleteAgents: true, HotApply: true},
		"framed/february": {Limits: openclaw.Limits{Roster: openclaw.ShapeList, ApplyFormat: "json"}, DeleteAgents: true},
		"jsonrpc":         {Limits: openclaw.Limits{Roster: openclaw.ShapeMap, ApplyFormat: "yaml"}},
	}
	for name, o := range linkKinds {
		t.Run(name, func(t *testing.T) {
			s := gatewaytest.Start(t, o)
			l := dialLink(t, s)
			got, w := l.Capabilities(), want[name]
			if got.Roster != w.Roster || got.ApplyFormat != w.ApplyFormat || got.RosterGuard != w.RosterGuard ||
				got.DeleteAgents != w.DeleteAgents || got.HotApply != w.HotApply {
				t.Fatalf("capabilities %+v, want %+v", got, w)
			}
			s.Down()
			waitUntil(t, func() bool { return l.Client().Status().State != client.StateConnected })
			if down := l.Capabilities(); down.Roster != w.Roster || down.HotApply != w.HotApply {
				t.Fatalf("capabilities changed when the link went down: %+v", down)
			}
		})
	}
}

func waitUntil(t *testing.T, true func() bool) {
	t.Helper()
	limit := time.After(10 * time.Second)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !true() {
		select {
		case <-tick.C:
		case <-limit:
			t.Fatal("it did not come about")
		}
	}
}

func TestGW7_LinkKnowsTheGatewaysHome(t *testing.T) {
	noLeaks(t)
	s := gatewaytest.Start(t, gatewaytest.Options{})
	l := dialLink(t, s)
	if _, err := l.Read(t.Context()); err != nil {
		t.Fatal(err)
	}
	if l.known.Home != "/home/user" {
		t.Fatalf("home %q", l.known.Home)
	}
	for path, want := range map[string]string{"": "", "/etc/openclaw.json": "", `C:\Users\ann\.openclaw\openclaw.json`: "C:/Users/ann"} {
		if got := homeOf(path); got != want {
			t.Errorf("homeOf(%q) = %q, want %q", path, got, want)
		}
	}
}

func TestLinkDeletesAnAgent(t *testing.T) {
	noLeaks(t)
	s := gatewaytest.Start(t, gatewaytest.Options{Config: map[string]any{"agents": map[string]any{
		"ownership": "explicit", "entries": map[string]any{"main": map[string]any{}, "dev": map[string]any{}},
	}}})
	l := dialLink(t, s)
	if err := l.DeleteAgent(t.Context(), "dev"); err != nil {
		t.Fatal(err)
	}
	var params struct {
		AgentID     string `json:"agentId"`
		DeleteFiles bool   `json:"deleteFiles"`
	}
	calls := s.Calls()
	if err := json.Unmarshal(calls[len(calls)-1].Params, &params); err != nil || params.AgentID != "dev" || params.DeleteFiles {
		t.Fatalf("called with %+v, %v", params, err)
	}
	if err := l.DeleteAgent(t.Context(), "nobody"); err == nil {
		t.Fatal("an agent that is not there was deleted")
	}
}

// Only a gateway that guards its roster deletes the jobs of an agent with it. Others aren't asked for them.
func TestLinkListsJobsThatGoWithAgents(t *testing.T) {
	noLeaks(t)
	for generation, want := range map[gatewaytest.Generation]int{gatewaytest.Newest: 1, gatewaytest.February: 0} {
		s := gatewaytest.Start(t, gatewaytest.Options{Generation: generation})
		s.Cron.Add(map[string]any{"id": "a", "name": "News", "agentId": "main", "state": map[string]any{}})
		s.Cron.Add(map[string]any{"id": "b", "declarationKey": "k", "agentId": "main", "state": map[string]any{}})
		jobs, err := dialLink(t, s).Jobs(t.Context())
		if err != nil || len(jobs) != want || s.Count("cron.list") != want || want > 0 && jobs[0].Name != "News" {
			t.Errorf("%v: %+v %v, asked %d times", generation, jobs, err, s.Count("cron.list"))
		}
	}
}

// GW-6: a link that cannot be made says which way it failed, and soon.
func TestGW6_FaultDial(t *testing.T) {
	noLeaks(t)
	dial := func(t *testing.T, s *gatewaytest.Server, token string) error {
		t.Helper()
		began := time.Now()
		_, _, err := DialGateway(t.Context(), DialOptions{
			URL: s.URL, Dir: t.TempDir(), Wait: 8 * time.Second,
			Token: func(context.Context) (string, error) { return token, nil },
		})
		if err == nil {
			t.Fatal("connected")
		}
		if took := time.Since(began); took > 6*time.Second {
			t.Fatalf("it took %v", took)
		}
		return err
	}
	t.Run("wrong token", func(t *testing.T) {
		if err := dial(t, gatewaytest.Start(t, gatewaytest.Options{}), "wrong"); !errcode.HasReason(err, errcode.ReasonBadToken) {
			t.Fatal(err)
		}
	})
	t.Run("pairing", func(t *testing.T) {
		s := gatewaytest.Start(t, gatewaytest.Options{})
		s.SetFaults(gatewaytest.Faults{PairingRequest: "req-1"})
		if err := dial(t, s, s.Token); !errcode.HasReason(err, errcode.ReasonPairing) {
			t.Fatal(err)
		}
	})
	t.Run("away", func(t *testing.T) {
		s := gatewaytest.Start(t, gatewaytest.Options{})
		s.Down()
		if err := dial(t, s, s.Token); !errcode.HasReason(err, errcode.ReasonLinkDown) {
			t.Fatal(err)
		}
	})
	t.Run("not a gateway", func(t *testing.T) {
		s := gatewaytest.Start(t, gatewaytest.Options{})
		s.SetFaults(gatewaytest.Faults{Status: 404})
		if err := dial(t, s, s.Token); !errcode.HasReason(err, errcode.ReasonLinkDown) {
			t.Fatal(err)
		}
	})
	t.Run("stopped", func(t *testing.T) {
		s := gatewaytest.Start(t, gatewaytest.Options{})
		s.SetFaults(gatewaytest.Faults{Unavailable: true})
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, _, err := DialGateway(ctx, DialOptions{URL: s.URL, Dir: t.TempDir()}); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	})
}

// GW-10: a gateway that is too busy gives a deletion up with an error; it is asked again,
// but not forever.
func TestGW10_ADeletionThatAGatewayGaveUpIsAskedForAgain(t *testing.T) {
	noLeaks(t)
	s := gatewaytest.Start(t, gatewaytest.Options{})
	l := dialLink(t, s)
	l.deleteWait = time.Millisecond
	add := func(id string) {
		t.Helper()
		snap, err := l.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		raw := strings.Replace(string(snap.Config), `"entries":{`, `"entries":{"`+id+`":{},`, 1)
		if raw == string(snap.Config) {
			t.Fatalf("no entries in %s", raw)
		}
		if _, err := l.Apply(t.Context(), raw, snap.Hash, ""); err != nil {
			t.Fatal(err)
		}
		if err := l.WaitReady(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	add("busy")
	s.SetFaults(gatewaytest.Faults{LeasesLost: deleteTries - 1})
	if err := l.DeleteAgent(t.Context(), "busy"); err != nil {
		t.Error(err)
	}
	add("lost")
	s.SetFaults(gatewaytest.Faults{LeasesLost: deleteTries})
	if err := l.DeleteAgent(t.Context(), "lost"); !errcode.HasReason(err, errcode.ReasonLeaseLost) {
		t.Errorf("%v", err)
	}
	if err := l.DeleteAgent(t.Context(), "lost"); err != nil {
		t.Error(err)
	}
	// It deletes an agent that it doesn't know yet, because its changed config isn't loaded.
	add("new")
	s.SetFaults(gatewaytest.Faults{NotLoaded: deleteTries - 1})
	if err := l.DeleteAgent(t.Context(), "new"); err != nil {
		t.Error(err)
	}
	if err := l.DeleteAgent(t.Context(), "new"); err == nil || !strings.Contains(err.Error(), "not found") {
		t.Errorf("an agent that isn't there: %v", err)
	}
}
