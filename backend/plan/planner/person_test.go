package planner_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gorilla/websocket"
	"go.uber.org/goleak"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/hubclient"
	"agentflow/backend/engine"
	"agentflow/backend/engine/enginetest"
	"agentflow/backend/plan"
	"agentflow/backend/plan/planner"
	"agentflow/backend/server/httpapi"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// model is an LLM server that gives the test's answers, one per call.
type model struct {
	*httptest.Server
	mu      sync.Mutex
	answers []func(w http.ResponseWriter, r *http.Request)
	asked   []string // the prompts
}

func startModel(t *testing.T) *model {
	t.Helper()
	m := &model{}
	m.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/models") {
			_, _ = fmt.Fprint(w, `{"data":[{"id":"thinker"}]}`)
			return
		}
		var body struct{ Messages []struct{ Content string } }
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			t.Error(err)
		}
		m.mu.Lock()
		m.asked = append(m.asked, body.Messages[len(body.Messages)-1].Content)
		var say func(w http.ResponseWriter, r *http.Request)
		if len(m.answers) > 0 {
			say, m.answers = m.answers[0], m.answers[1:]
		}
		m.mu.Unlock()
		if say == nil {
			http.Error(w, "nothing is left to say", http.StatusBadRequest)
			return
		}
		say(w, r)
	}))
	t.Cleanup(func() {
		m.CloseClientConnections()
		m.Close()
	})
	return m
}

func (m *model) says(texts ...string) {
	for _, text := range texts {
		m.does(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			quoted, _ := json.Marshal(text)
			_, _ = fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":%s}}]}\n\n", quoted)
			_, _ = fmt.Fprint(
				w,
				`data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`+"\n\n"+`data: {"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":3,"total_tokens":10}}`+"\n\ndata: [DONE]\n\n",
			)
		})
	}
}

func (m *model) does(say func(w http.ResponseWriter, r *http.Request)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.answers = append(m.answers, say)
}

func (m *model) prompts() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.asked)
}

// desk is a person at a hub.
type desk struct {
	*hubclient.Client
	t   *testing.T
	hub *enginetest.Hub
}

func (m *model) home(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	conf := "providers:\n  - {name: srv, kind: openai, baseUrl: \"" + m.URL + "/v1\"}\ndefaultProvider: srv\n"
	if err := os.WriteFile(filepath.Join(dir, "agentflow.yaml"), []byte(conf), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func sit(t *testing.T, dir string) *desk {
	t.Helper()
	hub := enginetest.Start(t, engine.Options{DataDir: dir})
	return &desk{Client: hub.Client(), t: t, hub: hub}
}

func (d *desk) must(method, path string, in, out any) {
	d.t.Helper()
	if err := d.Call(d.t.Context(), method, path, in, out); err != nil {
		d.t.Fatalf("%s %s: %+v", method, path, errcode.From(err))
	}
}

// refused sends a request that must be rejected.
func (d *desk) refused(code errcode.Code, reason, path string, in any) {
	d.t.Helper()
	_ = d.why(code, reason, path, in)
}

// why sends a request that must be rejected, and returns the error.
func (d *desk) why(code errcode.Code, reason, path string, in any) *errcode.Error {
	d.t.Helper()
	err := d.Call(d.t.Context(), http.MethodPost, path, in, nil)
	e := errcode.From(err)
	if err == nil || e.Code != code || e.Reason() != reason {
		d.t.Fatalf("%s: %+v, want %s %s", path, e, code, reason)
	}
	return e
}

func (d *desk) plan(id planner.ID) planner.Whole {
	d.t.Helper()
	var w planner.Whole
	d.must(http.MethodGet, "/api/plans/"+string(id), nil, &w)
	return w
}

type m = map[string]any

func (d *desk) edit(w planner.Whole, ops ...m) planner.Whole {
	d.t.Helper()
	var out planner.Whole
	d.must(http.MethodPost, path(w, "edit"), m{"version": w.Head, "operations": ops, "label": "by hand"}, &out)
	return out
}

func path(w planner.Whole, rest string) string { return "/api/plans/" + string(w.ID) + "/" + rest }

// events opens the window's event stream.
func (d *desk) events() *websocket.Conn {
	d.t.Helper()
	conn, res, err := websocket.DefaultDialer.DialContext(d.t.Context(),
		"ws"+strings.TrimPrefix(d.hub.URL(), "http")+"/api/events",
		http.Header{"Authorization": {"Bearer " + d.hub.Token()}})
	if err != nil {
		d.t.Fatal(err)
	}
	_ = res.Body.Close()
	d.t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// until reads the stream until a matching event of a plan.
func until(t *testing.T, conn *websocket.Conn, is func(n httpapi.Notify) bool) httpapi.Notify {
	t.Helper()
	for {
		var n httpapi.Notify
		if err := conn.ReadJSON(&n); err != nil {
			t.Fatal(err)
		}
		if is(n) {
			return n
		}
	}
}

func settled(id planner.ID) func(n httpapi.Notify) bool {
	return func(n httpapi.Notify) bool {
		return slices.ContainsFunc(n.Plans,
			func(s planner.Summary) bool { return s.ID == id && s.Asking == nil && s.Rev > 2 })
	}
}

// titles returns the titles of a plan in tree order, prefixed with their parents'.
func titles(p *plan.Plan) string {
	up := map[plan.ID]string{}
	title := map[plan.ID]string{}
	for _, t := range p.Tasks {
		title[t.ID] = t.Title
	}
	for _, n := range p.NodeIndex {
		if n.ParentID != p.RootNodeID && n.ParentID != "" {
			up[n.NodeID] = title[n.ParentID] + "/"
		}
	}
	var out []string
	for _, id := range p.Order() {
		out = append(out, up[id]+title[id])
	}
	return strings.Join(out, " ")
}

const decomposed = `{"type":"decompose","understanding":"A login page.","phases":[
 {"name":"Design","milestone":"M1","tasks":[{"id":"t1","title":"Sketch","description":"Draw it","wbs_level":2,"estimated_effort":"small","acceptance_criteria":["It is drawn"]}]},
 {"name":"Build","milestone":"M2","tasks":[{"id":"t2","title":"Form","description":"Build it","dependencies":["t1"],"wbs_level":3,"estimated_effort":"medium","acceptance_criteria":["It works"]}]}],
 "potential_conflicts":[{"file":"login.go","tasks":["t2"],"warning":"others change it"}]}`

// patchOf returns a plan_patch document with these operations.
func patchOf(ops ...m) m {
	return m{"type": "plan_patch", "version": 1, "payload": m{"understanding": "As you say.", "operations": ops}}
}

func create(title string, more ...m) m {
	op := m{"op": "create", "temp_id": "temp-" + title, "title": title}
	for _, fields := range more {
		for k, v := range fields {
			op[k] = v
		}
	}
	return op
}

func (d *desk) planOf(titles ...string) planner.Whole {
	d.t.Helper()
	var made planner.Summary
	d.must(http.MethodPost, "/api/plans", m{"name": "Work"}, &made)
	ops := make([]m, 0, len(titles))
	for _, title := range titles {
		ops = append(ops, create(title))
	}
	return d.edit(d.plan(made.ID), ops...)
}

func task(t *testing.T, w planner.Whole, title string) plan.ID {
	t.Helper()
	for _, k := range w.Plan.Tasks {
		if k.Title == title {
			return k.ID
		}
	}
	t.Fatalf("there is no task %q", title)
	return ""
}
