package hostile

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"agentflow/backend/base/hubclient"
)

// sink is an attacker's server. It counts who connects, and writes down what it is sent.
type sink struct {
	*httptest.Server
	connections atomic.Int64
	mu          sync.Mutex
	seen        []string
}

// counted is a listener that counts the connections: a byte can't be sent without one.
type counted struct {
	net.Listener
	n *atomic.Int64
}

// Accept implements net.Listener.
func (c counted) Accept() (net.Conn, error) {
	conn, err := c.Listener.Accept()
	if err == nil {
		c.n.Add(1)
	}
	return conn, err
}

func newSink(t *testing.T) *sink { return startSink(t, (*httptest.Server).Start) }

func startSink(t *testing.T, run func(*httptest.Server)) *sink {
	s := &sink{}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		s.mu.Lock()
		s.seen = append(s.seen, r.Method+" "+r.URL.Path+" "+r.Header.Get("Authorization")+" "+string(body))
		s.mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"status":"accepted"}`)
	}))
	s.Listener = counted{s.Listener, &s.connections}
	run(s.Server)
	t.Cleanup(s.Close)
	return s
}

func (s *sink) heard() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.seen, "\n")
}

// desk is where the owner of a hub sits: they ask its API for what a person does.
type desk struct {
	t *testing.T
	c *hubclient.Client
}

func (o desk) ask(method, path string, body, answer any) error {
	return o.c.Call(o.t.Context(), method, path, body, answer)
}

func (o desk) must(method, path string, body, answer any) {
	o.t.Helper()
	if err := o.ask(method, path, body, answer); err != nil {
		o.t.Fatal(method, path, err)
	}
}

// open opens a team file and applies it to the built-in gateway, as a person does who trusts the
// looks of it. It returns the saved team.
func (o desk) open(file string) string {
	o.t.Helper()
	var opened struct{ Teams []string }
	body := map[string]any{"filename": "handy.agentflow.yaml", "text": file, "gateway": "local"}
	o.must(http.MethodPost, "/api/files/open", body, &opened)
	o.apply(opened.Teams[0], nil)
	return opened.Teams[0]
}

type standing struct{ Agent, Hash, State string }

// apply applies a saved team as the review shows it, and allows what trust lists.
func (o desk) apply(team string, trust []standing) {
	o.t.Helper()
	if err := o.tryApply(team, trust); err != nil {
		o.t.Fatal("the team can't be applied:", err)
	}
}

// tryApply returns why the review doesn't let the team be applied.
func (o desk) tryApply(team string, trust []standing) error {
	o.t.Helper()
	choices := map[string]string{}
	var p struct {
		BaseHash  string
		Deletions []struct{ Agent string }
	}
	at := "/api/teams/" + team
	o.must(http.MethodPost, at+"/preview", map[string]any{"choices": choices}, &p)
	shown := []map[string]string{}
	for _, s := range trust {
		shown = append(shown, map[string]string{"agent": s.Agent, "hash": s.Hash})
	}
	var got struct{ Apply struct{ ID, State string } }
	body := map[string]any{"choices": choices, "hash": p.BaseHash, "deleteAgents": true, "trust": shown}
	if err := o.ask(http.MethodPost, at+"/apply", body, &got); err != nil {
		return err
	}
	o.until("the apply to end", func() bool {
		o.must(http.MethodGet, "/api/applies/"+got.Apply.ID, nil, &got)
		return got.Apply.State != "running"
	})
	if got.Apply.State != "done" {
		o.t.Fatalf("the apply is %+v", got)
	}
	return nil
}

// config gives the built-in gateway a config, past the review.
func (o desk) config(raw string) {
	o.t.Helper()
	var now struct{ BaseHash string }
	o.must(http.MethodPost, "/api/gateway/config/get", map[string]any{}, &now)
	change := map[string]any{"baseHash": now.BaseHash, "reason": "test", "raw": raw}
	o.must(http.MethodPost, "/api/gateway/config/apply", change, nil)
}

// patience is how long something may take on a busy computer before a test fails.
const patience = 30 * time.Second

func (o desk) until(what string, is func() bool) {
	o.t.Helper()
	ctx, cancel := context.WithTimeout(o.t.Context(), patience)
	defer cancel()
	for tick := time.NewTicker(20 * time.Millisecond); !is(); {
		select {
		case <-ctx.Done():
			tick.Stop()
			o.t.Fatal("waited in vain for " + what)
		case <-tick.C:
		}
	}
}

// wait is why a task waits, and why the agent can't have it.
type wait struct{ Reason, Cause string }

// told returns why a task waits, once the hub has looked at it. A task that is at work or over is
// a failure: somebody works on it.
func (o desk) told(id string) (why wait) {
	o.t.Helper()
	o.until("the task to wait", func() bool {
		var got struct {
			Status, ErrorMessage string
			Waits                *struct {
				Reason string
				Agents []struct{ Cause *struct{ Code string } }
			}
		}
		o.must(http.MethodGet, "/tasks/"+id, nil, &got)
		if got.Status != "pending" {
			o.t.Fatalf("the task is %s: %s", got.Status, got.ErrorMessage)
		}
		if got.Waits == nil || got.Waits.Reason == "next" {
			return false
		}
		why = wait{Reason: got.Waits.Reason}
		if a := got.Waits.Agents; len(a) > 0 && a[0].Cause != nil {
			why.Cause = a[0].Cause.Code
		}
		return true
	})
	return why
}

// waits returns why a task waits, once it does.
func (o desk) waits(id string) string {
	o.t.Helper()
	return o.told(id).Reason
}

func (o desk) submit(agent, typ, prompt string) string {
	o.t.Helper()
	var sent struct{ TaskID, Status, Message string }
	with := map[string]any{"agent": agent}
	body := map[string]any{"sessionId": "s", "userPrompt": prompt, "taskType": typ, "context": with}
	o.must(http.MethodPost, "/submit_task", body, &sent)
	if sent.Status == "rejected" {
		o.t.Fatal(sent)
	}
	return sent.TaskID
}

func (o desk) asked(team string) []standing {
	o.t.Helper()
	var got struct{ Agents []standing }
	o.must(http.MethodGet, "/api/trust/"+team, nil, &got)
	return got.Agents
}
