//go:build window

package windowtest

import (
	"encoding/json"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"

	"agentflow/backend/work/task"
)

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
		if err := <-v.ended; h.t.Failed() {
			h.t.Logf("%s ended with %v and said:\n%s%s", cmd.Path, err, v.out, errs)
		}
	})
	h.t.Cleanup(func() { v.end() })
	return v
}

func (h hub) watchByCLI(id string) *watcher {
	cmd := exec.Command(program(h.t), "task", "watch", "--json", id)
	cmd.Env = append(os.Environ(), "AGENTFLOW_URL="+h.client.URL(), "AGENTFLOW_TOKEN="+h.token(),
		"AGENTFLOW_DATA="+h.t.TempDir())
	return h.watch("", cmd)
}

func (h hub) token() string {
	return strings.TrimPrefix(h.client.Header().Get("Authorization"), "Bearer ")
}

// watchByCurl gives curl the token on its standard input, where nobody else reads it.
func (h hub) watchByCurl(id string, after int64) *watcher {
	cmd := exec.Command("curl", "--silent", "--show-error", "--fail", "--no-buffer", "--config", "-",
		h.client.URL()+"/tasks/"+id+"/events")
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

// whole waits until the process exits, which must be without an error, and returns its events.
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
