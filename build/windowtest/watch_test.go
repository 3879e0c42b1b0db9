//go:build window

package windowtest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"agentflow/backend/hubclient"
	"agentflow/backend/task"
)

// One task, watched in the window, in a browser, by `agentflow task watch` and by curl at
// once. An agent elsewhere does it, says what it does piece by piece, and lies about its
// progress; curl's connection is cut midway. All four show the same output and the same end,
// and none a progress that falls. Shows CO-5 and APP-4.
func TestCO5_OneTaskWatchedInWindowBrowserCLIAndCurlAtOnce(t *testing.T) {
	const secret = "0f2f3c3ad6c14f1c8a0b7c5f1d9e4a77" // of this test only
	agent := startAgent(t)
	w := openWindow(t, dataFolder(t), "WATCH_TEST_SECRET="+secret)
	h := w.hub()
	w.rest()
	h.apply(fmt.Sprintf(`agents:
  pm-1: {name: PM, role: Coordinator, model: demo/echo, subagents: {allowAgents: [dev-1]}}
  dev-1: {name: Dev, role: Developer, url: %q, secretEnv: WATCH_TEST_SECRET}
`, agent.url))
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
	worker.report(id, `{"status":"in_progress","result":{"text":"one, ","progress":10}}`)
	all("one, ", 10)
	worker.report(id, `{"status":"in_progress","result":{"text":"two, ","progress":60}}`)
	all("two, ", 60)
	before := curl.cut()
	worker.report(id, `{"status":"in_progress","result":{"text":"three, ","progress":20}}`) // less than before: that counts for nothing
	curl = h.watchByCurl(id, before[len(before)-1].Seq)
	worker.report(id, `{"status":"in_progress","result":{"text":"four.","progress":80}}`)
	all("four.", 80)
	worker.report(id, `{"status":"completed","result":{"text":"I counted to four.","count":4}}`)

	told, resumed := cli.whole(), append(before, curl.whole()...)
	if !reflect.DeepEqual(told, resumed) {
		t.Errorf("the CLI was told\n%v\nand curl, which came back by its last id,\n%v", told, resumed)
	}
	end := told[len(told)-1]
	if end.Type != task.EventEnd || end.Status != task.Completed || !strings.Contains(string(end.Result), "I counted to four.") {
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
		_ = json.NewEncoder(w).Encode(map[string]string{"agentName": "Dev", "role": "Developer", "status": "busy", "currentTask": a.holds()})
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

// watcher is a process that prints a task's events.
type watcher struct {
	t     *testing.T
	out   *log
	ended chan error
	end   func()
	data  string // before the JSON of an event
}

func (h hub) watch(data string, cmd *exec.Cmd) *watcher {
	h.t.Helper()
	v := &watcher{t: h.t, out: &log{}, ended: make(chan error, 1), data: data}
	errs := &log{}
	cmd.Stdout, cmd.Stderr = v.out, errs
	if err := cmd.Start(); err != nil {
		h.t.Fatal(err)
	}
	go func() { v.ended <- cmd.Wait() }()
	v.end = sync.OnceFunc(func() {
		_ = cmd.Process.Kill() // it may have ended
		<-v.ended
		if h.t.Failed() {
			h.t.Logf("%s said:\n%s%s", cmd.Path, v.out, errs)
		}
	})
	h.t.Cleanup(func() { v.end() })
	return v
}

func (h hub) watchByCLI(id string) *watcher {
	cmd := exec.Command(program(h.t), "task", "watch", "--json", id)
	cmd.Env = append(os.Environ(), "AGENTFLOW_URL="+h.client.URL(), "AGENTFLOW_TOKEN="+h.token(), "AGENTFLOW_DATA="+h.t.TempDir())
	return h.watch("", cmd)
}

func (h hub) token() string {
	return strings.TrimPrefix(h.client.Header().Get("Authorization"), "Bearer ")
}

// watchByCurl gives curl the token on its standard input, where nobody else reads it.
func (h hub) watchByCurl(id string, after int64) *watcher {
	cmd := exec.Command("curl", "--silent", "--show-error", "--fail", "--no-buffer", "--config", "-", h.client.URL()+"/tasks/"+id+"/events")
	config := "header = \"Authorization: Bearer " + h.token() + "\"\n"
	if after > 0 {
		config += "header = \"Last-Event-ID: " + strconv.FormatInt(after, 10) + "\"\n"
	}
	cmd.Stdin = strings.NewReader(config)
	return h.watch("data: ", cmd)
}

// events are those that were printed whole.
func (v *watcher) events() (all []task.Event) {
	v.t.Helper()
	lines := strings.Split(v.out.String(), "\n")
	for _, line := range lines[:len(lines)-1] {
		text, ok := strings.CutPrefix(line, v.data)
		if !ok || text == "" {
			continue
		}
		var e task.Event
		if err := json.Unmarshal([]byte(text), &e); err != nil {
			v.t.Fatalf("%q: %v", line, err)
		}
		all = append(all, e)
	}
	return all
}

// cut ends the process, and returns what it had printed.
func (v *watcher) cut() []task.Event {
	v.t.Helper()
	v.end()
	return v.events()
}

// whole waits until the process ends by itself, which it does well, and returns what it printed.
func (v *watcher) whole() []task.Event {
	v.t.Helper()
	err := <-v.ended
	v.ended <- err
	if err != nil {
		v.t.Errorf("a watcher ended with %v", err)
	}
	return v.events()
}

func output(events []task.Event) string {
	var b strings.Builder
	for _, e := range events {
		if e.Type == task.EventDelta {
			b.WriteString(e.Text)
		}
	}
	return b.String()
}

func progress(events []task.Event) (steps []float64) {
	for _, e := range events {
		if e.Progress != nil {
			steps = append(steps, *e.Progress)
		}
	}
	return steps
}

// browser is Chromium with one page of a hub.
type browser struct {
	t   *testing.T
	in  io.Writer
	out *bufio.Reader
}

// openBrowser opens the hub's page in a browser, by a link that serves once.
func openBrowser(t *testing.T, h hub) *browser {
	t.Helper()
	cmd := exec.Command("node", "testdata/browser.mjs")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = read.Close() })
	cmd.Stdout = write
	start(t, cmd)
	_ = write.Close()
	var link struct{ Path string }
	h.post("/api/links", struct{}{}, &link)
	b := &browser{t, in, bufio.NewReader(read)}
	b.ask(nil, map[string]any{"open": h.client.URL() + link.Path})
	eventually(t, "the browser shows the canvas", func() (bool, error) {
		var painted bool
		b.eval(&painted, `return performance.getEntriesByName("agentflow:first-frame").length > 0`)
		return painted, nil
	})
	return b
}

func (b *browser) ask(into any, what map[string]any) {
	b.t.Helper()
	line, err := json.Marshal(what)
	if err == nil {
		_, err = b.in.Write(append(line, '\n'))
	}
	if err != nil {
		b.t.Fatal(err)
	}
	text, err := b.out.ReadBytes('\n')
	if err != nil {
		b.t.Fatalf("the browser has ended: %v", err)
	}
	var answer struct {
		Value json.RawMessage `json:"value"`
		Error string          `json:"error"`
	}
	if err := json.Unmarshal(bytes.TrimSpace(text), &answer); err != nil || answer.Error != "" {
		b.t.Fatalf("the browser: %s %v", answer.Error, err)
	}
	if into == nil {
		return
	}
	if err := json.Unmarshal(answer.Value, into); err != nil {
		b.t.Fatal(err)
	}
}

func (b *browser) eval(into any, script string, args ...any) {
	b.t.Helper()
	b.ask(into, map[string]any{"run": script, "args": append([]any{}, args...)})
}

func (b *browser) tab(name string) {
	b.t.Helper()
	b.ask(nil, map[string]any{"press": name})
}
