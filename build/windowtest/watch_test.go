//go:build window

package windowtest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"agentflow/backend/base/hubclient"
	"agentflow/backend/work/task"
)

// One task, watched in the window, in a browser, by `agentflow task watch` and by curl at
// once. An agent elsewhere does it, says what it does piece by piece, and lies about its
// progress; curl's connection is cut midway. All four show the same output and the same end,
// and none a progress that falls. Shows CO-5 and APP-4.
func TestCO5_OneTaskWatchedInWindowBrowserCLIAndCurlAtOnce(t *testing.T) {
	const secret = "0f2f3c3ad6c14f1c8a0b7c5f1d9e4a77" // of this test only
	agent := startAgent(t)
	w := openWindow(t, dataFolder(t), "AGENTFLOW_AGENT_WATCHED="+secret)
	h := w.hub()
	w.rest()
	h.apply(fmt.Sprintf(`agents:
  pm-1: {name: PM, role: Coordinator, subagents: {allowAgents: [dev-1]}}
  dev-1: {name: Dev, role: Developer, url: %q, secretEnv: AGENTFLOW_AGENT_WATCHED}
`, agent.url))
	h.trust()
	id := h.submit("count to four")
	eventually(t, "the agent has the task", func() (bool, error) { return agent.holds() == id, nil })

	w.eval(nil, `location.hash = "/tasks/" + arguments[0]`, id)
	b := openBrowser(t, h)
	b.eval(nil, `location.hash = "/tasks/" + arguments[0]`, id)
	pages := map[string]page{"window": w, "browser": b}
	for _, p := range pages {
		p.eval(nil, watchScript(t))
	}
	cli, curl := h.watchByCLI(id), h.watchByCurl(id, 0)
	all := func(text string, percent float64) {
		t.Helper()
		for name, p := range pages {
			eventually(t, name+" shows "+text, func() (bool, error) {
				s := shown(p)
				return strings.HasSuffix(s.Output, text) && s.Progress != nil && *s.Progress == percent, nil
			})
		}
		for name, v := range map[string]*watcher{"the CLI": cli, "curl": curl} {
			eventually(t, name+" shows "+text, func() (bool, error) {
				events := v.events()
				return strings.HasSuffix(output(events), text) && slices.Contains(progress(events), percent), nil
			})
		}
	}

	worker := h.as(secret)
	worker.report(id, `{"status":"in_progress","result":{"text":"one,","progress":10}}`)
	all("one,", 10)
	worker.report(id, `{"status":"in_progress","result":{"text":" two,","progress":60}}`)
	all("two,", 60)
	before := curl.cut()
	worker.report(id, `{"status":"in_progress","result":{"text":" three,","progress":20}}`) // less than before: that counts for nothing
	curl = h.watchByCurl(id, before[len(before)-1].Seq)
	worker.report(id, `{"status":"in_progress","result":{"text":" four.","progress":80}}`)
	all("four.", 80)
	worker.report(id, `{"status":"completed","result":{"text":"I counted to four.","count":4}}`)

	told, resumed := cli.whole(), slices.Concat(before, curl.whole())
	if !reflect.DeepEqual(told, resumed) {
		t.Errorf("the CLI was told\n%v\nand curl, which came back by its last id,\n%v", told, resumed)
	}
	if end := told[len(told)-1]; end.Type != task.EventEnd || end.Status != task.Completed || !strings.Contains(string(end.Result), "I counted to four.") {
		t.Errorf("the end is %+v", end)
	}
	const said = "one, two, three, four."
	if got := output(told); got != said {
		t.Errorf("the output of CLI and curl is %q", got)
	}
	rises(t, "CLI and curl", progress(told), 80)
	for name, p := range pages {
		eventually(t, name+" shows the end", func() (bool, error) {
			s := shown(p)
			return s.Status == "Done" && s.Result == "I counted to four.", nil
		})
		p.tab("Output")
		eventually(t, name+" shows all the output", func() (bool, error) { return shown(p).Output == said, nil })
		var steps []float64
		for _, s := range history(p) {
			if s.Progress != nil {
				steps = append(steps, *s.Progress)
			}
		}
		rises(t, name, steps, 80)
	}
	w.screenshot("watched.png")
	w.close()
}

// rises fails the test unless the numbers never fall and reach the last one.
func rises(t *testing.T, who string, steps []float64, last float64) {
	t.Helper()
	if !slices.IsSorted(steps) || !slices.Contains(steps, last) {
		t.Errorf("%s: the progress went %v", who, steps)
	}
}

// page is what shows the hub's page.
type page interface {
	eval(into any, script string, args ...any)
	tab(name string)
}

func (w *window) tab(name string) {
	w.t.Helper()
	w.press(name)
}

func watchScript(t *testing.T) string {
	t.Helper()
	script, err := os.ReadFile("testdata/watch.js")
	if err != nil {
		t.Fatal(err)
	}
	return string(script)
}

// sight is what a page showed of a task at one time.
type sight struct {
	Status, Output, Result string
	Progress               *float64
}

func history(p page) (all []sight) {
	p.eval(&all, "return window.watched")
	return all
}

func shown(p page) sight {
	if all := history(p); len(all) > 0 {
		return all[len(all)-1]
	}
	return sight{}
}

// agent is one elsewhere: it takes a task, and says what the test says for it.
type agent struct {
	url string
	mu  sync.Mutex
	job string
}

func startAgent(t *testing.T) *agent {
	t.Helper()
	a := &agent{}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /tasks", func(w http.ResponseWriter, r *http.Request) {
		var job struct{ TaskID string }
		if err := json.NewDecoder(r.Body).Decode(&job); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		a.mu.Lock()
		a.job = job.TaskID
		a.mu.Unlock()
		_, _ = io.WriteString(w, `{"status":"accepted"}`)
	})
	mux.HandleFunc("GET /status", func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).
			Encode(map[string]string{"agentName": "Dev", "role": "Developer", "status": "busy", "currentTask": a.holds()})
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	a.url = server.URL
	return a
}

func (a *agent) holds() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.job
}

// apply gives the hub's own gateway a config.
func (h hub) apply(config string) {
	h.t.Helper()
	var now struct{ BaseHash string }
	h.post("/api/gateway/config/get", map[string]any{}, &now)
	h.post("/api/gateway/config/apply", map[string]any{"baseHash": now.BaseHash, "reason": "test", "raw": config}, nil)
}

// trust allows the applied team what it asks of this computer.
func (h hub) trust() {
	h.t.Helper()
	type seen struct {
		Agent string `json:"agent"`
		Hash  string `json:"hash"`
	}
	var asked struct{ Agents []seen }
	if err := h.get("/api/trust/local", &asked); err != nil || len(asked.Agents) == 0 {
		h.t.Fatalf("the team asks for nothing: %+v, %v", asked, err)
	}
	h.post("/api/trust/local/allow", map[string]any{"agents": asked.Agents}, nil)
}

func (h hub) post(path string, body, into any) {
	h.t.Helper()
	if err := h.client.Call(h.t.Context(), http.MethodPost, path, body, into); err != nil {
		h.t.Fatalf("%s: %v", path, err)
	}
}

func (h hub) submit(prompt string) (id string) {
	h.t.Helper()
	var got struct{ TaskID, Status, Message string }
	h.post("/submit_task", map[string]any{"sessionId": "watch", "userPrompt": prompt, "taskType": "chat"}, &got)
	if got.Status != "accepted" {
		h.t.Fatalf("the task: %+v", got)
	}
	return got.TaskID
}

// as is the same hub for another caller.
func (h hub) as(secret string) hub {
	h.t.Helper()
	c, err := hubclient.New(h.client.URL(), secret)
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(c.Close)
	return hub{h.t, c}
}

func (h hub) report(id, said string) {
	h.t.Helper()
	var got struct{ Success bool }
	h.post("/tasks/"+id+"/result", json.RawMessage(said), &got)
	if !got.Success {
		h.t.Fatalf("the hub does not want to hear %s", said)
	}
}
