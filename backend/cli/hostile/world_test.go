package hostile

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/hubclient"
)

// What the hub of a world has in its environment.
const (
	ownersToken  = "the-owners-token-of-a-whole-world-0123456789"
	providersKey = "sk-canary-of-the-provider-0123456789"
	agentsSecret = "a-secret-of-one-agent-that-is-long-enough" //nolint:gosec // of nobody
)

// world is a computer that runs the hub as a separate process, with a home folder, a data folder, and
// a folder for marks. It can reach a foreign server.
type world struct {
	desk
	home, tmp, data, marks string
	sink                   *sink
	before                 []string // every file outside the data folder

	hub    *exec.Cmd
	errors *bytes.Buffer
	url    string
	agents []string // that run in processes of their own and may

	arguments, variables []string // further ones of the hub
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{home: t.TempDir(), tmp: t.TempDir(), data: t.TempDir(), marks: t.TempDir(), sink: newSink(t)}
	w.t = t
	t.Cleanup(w.kill)
	t.Cleanup(w.explain)
	return w
}

// fill replaces what stands for a place of this world in what a stranger wrote.
func (w *world) fill(text string) string {
	return strings.NewReplacer("{{mark}}", w.mark(), "{{marks}}", w.marks, "{{home}}", w.home,
		"{{sink}}", strings.Replace(w.sink.URL, "127.0.0.1", "localhost", 1),
		"{{host}}", w.sink.Listener.Addr().String()).Replace(text)
}

// mark is the file that is there once somebody ran something.
func (w *world) mark() string { return filepath.Join(w.marks, "PWNED") }

// run starts the program and waits until it answers.
func (w *world) run(args ...string) {
	w.t.Helper()
	program, err := os.Executable()
	if err != nil {
		w.t.Fatal(err)
	}
	w.errors = &bytes.Buffer{}
	args = append([]string{"serve", "--json", "--listen", "127.0.0.1:0", "--data", w.data}, args...)
	w.hub = exec.Command(program, args...)
	w.hub.Env = []string{
		asProgram + "=1", "PATH=" + os.Getenv("PATH"), "HOME=" + w.home, "TMPDIR=" + w.tmp, "LANG=C.UTF-8",
		"AGENTFLOW_TOKEN=" + ownersToken, "OPENAI_API_KEY=" + providersKey, "AGENTFLOW_AGENT_FAR=" + agentsSecret,
	}
	w.hub.Env = append(w.hub.Env, w.variables...)
	w.hub.Dir, w.hub.Stderr = w.home, w.errors
	out, err := w.hub.StdoutPipe()
	if err == nil {
		err = w.hub.Start()
	}
	if err != nil {
		w.t.Fatal(err)
	}
	line, _ := bufio.NewReader(out).ReadBytes('\n')
	var says struct{ URL string }
	if err := json.Unmarshal(line, &says); err != nil || says.URL == "" {
		w.t.Fatalf("the hub says %q: %s", line, w.errors)
	}
	w.url = says.URL
	if w.c, err = hubclient.New(w.url, ownersToken); err != nil {
		w.t.Fatal(err)
	}
}

// stop ends the hub as its owner does.
func (w *world) stop() {
	w.t.Helper()
	w.c.Close()
	_ = w.hub.Process.Signal(syscall.SIGTERM)
	if err := w.hub.Wait(); err != nil {
		w.t.Errorf("the hub ended with %v: %s", err, w.errors)
	}
	w.hub = nil
}

func (w *world) kill() {
	if w.hub != nil {
		w.c.Close()
		_ = w.hub.Process.Kill()
		_ = w.hub.Wait()
	}
}

// restart ends the hub and starts it again.
func (w *world) restart() {
	w.t.Helper()
	w.stop()
	w.run()
}

// look lists every file outside the data folder, with what tells whether it was changed.
func (w *world) look() (all []string) {
	for _, dir := range []string{w.home, w.tmp, w.marks} {
		_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return nil //nolint:nilerr // it has gone meanwhile
			}
			if info, err := d.Info(); err == nil && !d.IsDir() {
				all = append(all, fmt.Sprintf("%s %s %d %s", path, info.Mode(), info.Size(), info.ModTime()))
			} else if path != dir {
				all = append(all, path)
			}
			return nil
		})
	}
	return all
}

// nothing asserts that no file was written, no byte was sent and no process was started.
func (w *world) nothing(after string) {
	w.t.Helper()
	if now := w.look(); !slices.Equal(now, w.before) {
		w.t.Errorf("after %s the files outside the data folder are %q, and were %q", after, now, w.before)
	}
	if n := w.sink.connections.Load(); n > 0 {
		w.t.Errorf("after %s the foreign server was asked %d times:\n%s", after, n, w.sink.heard())
	}
	for _, p := range w.foreignProcesses() {
		w.t.Errorf("after %s there is, or was, a process: %s", after, p)
	}
	if w.t.Failed() {
		w.t.FailNow()
	}
}

// noticed asserts that nothing would have failed, as a file was written by a process.
func (w *world) noticed() {
	w.t.Helper()
	if slices.Equal(w.look(), w.before) {
		w.t.Error("a file that was written is not seen")
	}
	w.agents = nil
	if runtime.GOOS == "linux" && len(w.foreignProcesses()) == 0 {
		w.t.Error("a process that was started is not seen")
	}
}

// explain logs how the hub stood when the test failed.
func (w *world) explain() {
	if !w.t.Failed() || w.hub == nil {
		return
	}
	for _, path := range []string{"/api/local-agents", "/api/tasks", "/api/inbox"} {
		var now json.RawMessage
		err := w.c.Call(context.Background(), http.MethodGet, path, nil, &now)
		w.t.Logf("%s: %s %v", path, now, err)
	}
	var tasks struct{ Tasks []struct{ TaskID string } }
	_ = w.c.Call(context.Background(), http.MethodGet, "/api/tasks", nil, &tasks)
	for _, k := range tasks.Tasks {
		var now struct{ Result json.RawMessage }
		_ = w.c.Call(context.Background(), http.MethodGet, "/tasks/"+k.TaskID, nil, &now)
		w.t.Logf("%s: %s", k.TaskID, now.Result)
	}
	w.t.Logf("the foreign server was sent: %s\nthe hub wrote: %s\nfiles: %q", w.sink.heard(), w.errors, w.look())
}

// link makes a link at home that leads to the marks.
func (w *world) link() {
	if err := os.Symlink(w.marks, filepath.Join(w.home, "link")); err != nil {
		w.t.Fatal(err)
	}
}

// folder makes the folder that is the suspect's own, as a gateway has it.
func (w *world) folder() {
	if err := os.MkdirAll(filepath.Join(w.home, ".openclaw", "workspace-"+suspect), 0o700); err != nil {
		w.t.Fatal(err)
	}
}

// begin adds an agent as a local process that starts with the hub, if it isn't added, and starts it.
func (w *world) begin(agent string, added bool) error {
	w.t.Helper()
	if !added {
		w.must(http.MethodPost, "/api/local-agents", map[string]any{"agent": agent, "autostart": true}, nil)
	}
	return w.ask(http.MethodPost, "/api/local-agents/"+agent+"/start", map[string]any{}, nil)
}

// local returns the state of the local process, and its problem, the reason first.
func (w *world) local(agent string) (state, problem string) {
	w.t.Helper()
	var list struct {
		Agents []struct {
			ID, State string
			Problem   *errcode.Error
		}
	}
	w.must(http.MethodGet, "/api/local-agents", nil, &list)
	for _, a := range list.Agents {
		if a.ID == agent && a.Problem != nil {
			return a.State, reason(a.Problem) + ": " + a.Problem.Message
		} else if a.ID == agent {
			return a.State, ""
		}
	}
	return "", ""
}

// allow allows the applied team all that it asks for, as the owner does who was shown it.
func (w *world) allow() error {
	w.t.Helper()
	shown := []map[string]string{}
	for _, a := range w.asked("local") {
		shown = append(shown, map[string]string{"agent": a.Agent, "hash": a.Hash})
	}
	if len(shown) == 0 {
		w.t.Fatal("the team asks for nothing")
	}
	return w.ask(http.MethodPost, "/api/trust/local/allow", map[string]any{"agents": shown}, nil)
}

func (w *world) trust() {
	w.t.Helper()
	if err := w.allow(); err != nil {
		w.t.Fatal(err)
	}
}

// stands is how a task is: its status, why it waits, or that it asks the owner.
func (w *world) stands(id string) string {
	w.t.Helper()
	var got struct {
		Status string
		Waits  *struct{ Reason string }
	}
	w.must(http.MethodGet, "/tasks/"+id, nil, &got)
	var waiting struct{ Entries []struct{ Task string } }
	w.must(http.MethodGet, "/api/inbox", nil, &waiting)
	for _, q := range waiting.Entries {
		if q.Task == id {
			return "asks"
		}
	}
	if got.Waits != nil {
		return got.Waits.Reason
	}
	return got.Status
}

// over waits until a task has ended, and returns how.
func (w *world) over(id string) (status, result string) {
	w.t.Helper()
	w.until("the end of a task", func() bool {
		var got struct {
			Status, ErrorMessage string
			Result               json.RawMessage
		}
		w.must(http.MethodGet, "/tasks/"+id, nil, &got)
		status, result = got.Status, string(got.Result)+got.ErrorMessage
		return slices.Contains([]string{"completed", "failed", "canceled"}, status)
	})
	return status, result
}

// agree answers the next question, once.
func (w *world) agree() {
	w.t.Helper()
	w.until("a question", func() bool {
		var waiting struct{ Entries []struct{ ID string } }
		w.must(http.MethodGet, "/api/inbox", nil, &waiting)
		for _, q := range waiting.Entries {
			w.must(http.MethodPost, "/api/inbox/"+q.ID+"/answer", map[string]any{"choice": "once"}, nil)
			return true
		}
		return false
	})
}

// status is what the hub answers to somebody with a secret.
func (w *world) status(secret string) int {
	w.t.Helper()
	req, err := http.NewRequestWithContext(w.t.Context(), http.MethodGet, w.url+"/status", nil)
	if err != nil {
		w.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+secret)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	_ = res.Body.Close()
	return res.StatusCode
}

// reason is the reason of an error, or its code.
func reason(err error) string {
	var e *errcode.Error
	if errors.As(err, &e) {
		return cmp.Or(e.Reason(), strings.ToLower(string(e.Code)))
	}
	return fmt.Sprint(err)
}
