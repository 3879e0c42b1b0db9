package hostile

import (
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// variant is one way in which a stranger's file tries to act on the computer where it is opened, and
// the exact outcome.
type variant struct {
	name  string
	agent string // keys of the only agent of a team file, as YAML
	file  string // the name of a whole file instead
	text  string

	fails   string // it isn't opened: part of the error
	asks    string // kinds of what the owner is shown
	refused string // it can be allowed by nobody: why
	lint    string // errors of the review, which keep it from being applied; then it comes past the review
	does    string // it asks for nothing: what comes of its chat, its command and its process
	then    effect // what the same does once it is allowed

	zip    func(w *world) []byte      // the bytes of a whole file instead
	before func(w *world)             // the hub starts
	setup  func(w *world)             // before the stranger comes
	bring  func(w *world) (id string) // another way to a saved team than a file
}

// effect is what an agent does with its tasks once the owner has allowed what it asks for: the
// control of a variant.
type effect func(w *world, tasks []string)

// The effects. Each task of a suspect is to touch PWNED, in its folder and among the marks.
var (
	runs effect = func(w *world, _ []string) {
		w.until("the mark", func() bool { return there(w.mark()) })
		w.noticed()
	}
	asks effect = func(w *world, _ []string) { // before each use
		w.agree()
		runs(w, nil)
	}
	asksAtHome effect = func(w *world, _ []string) {
		w.agree()
		w.until("the mark", func() bool { return there(filepath.Join(w.home, "PWNED")) })
	}
	letsIn effect = func(w *world, _ []string) {
		if got := w.status(agentsSecret); got != http.StatusOK {
			w.t.Errorf("once allowed, the secret gets %d", got)
		}
	}
)

// hears is the effect that the foreign server is asked, and told a text.
func hears(text string) effect {
	return func(w *world, _ []string) {
		w.t.Helper()
		w.until("the foreign server to be asked", func() bool { return strings.Contains(w.sink.heard(), text) })
	}
}

// fails is the effect that each command fails all the same.
func fails(text string) effect {
	return func(w *world, tasks []string) {
		w.t.Helper()
		if status, said := w.over(tasks[1]); status != "failed" || !strings.Contains(said, text) {
			w.t.Errorf("once allowed, the command is %s: %s", status, said)
		}
		w.nothing("it was allowed")
	}
}

// staysSilent is the effect that each command fails, and that the foreign server gets no secret. It speaks no TLS here,
// so all that reaches it is the beginning of a handshake.
func staysSilent(text string) effect {
	return func(w *world, tasks []string) {
		w.t.Helper()
		if status, said := w.over(tasks[1]); status != "failed" || !strings.Contains(said, text) {
			w.t.Errorf("once allowed, the command is %s: %s", status, said)
		}
		if heard := w.sink.heard(); strings.Contains(heard, agentsSecret) {
			w.t.Errorf("the foreign server was told %s", heard)
		}
	}
}

// keepsOut is the effect that its process is refused all the same.
func keepsOut(text string) effect {
	return func(w *world, _ []string) {
		w.t.Helper()
		w.agents = []string{suspect}
		w.until("its process to be refused", func() bool {
			state, why := w.local(suspect)
			return state == "failed" && strings.Contains(why, text)
		})
		w.nothing("it was allowed")
	}
}

// suspect is the id of the agent that a variant brings.
const suspect = "suspect"

// TestTR1_FilesOfStrangersDoNothing previews, opens, applies, starts, asks and restarts with the
// files of strangers, each on a separate computer. Nothing runs, nothing is sent and nothing is written.
// Once the owner has allowed it, each does what it asked for, so this test can fail.
func TestTR1_FilesOfStrangersDoNothing(t *testing.T) {
	for _, v := range slices.Concat(agentVariants, fileVariants, otherVariants) {
		t.Run(v.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			if v.before != nil {
				v.before(w)
			}
			w.run(w.arguments...)
			w.config("agents: {}\n")
			if v.setup != nil {
				v.setup(w)
			}
			w.before = w.look()
			w.nothing("the start")
			w.walk(v)
		})
	}
}

func (v variant) given(w *world) map[string]any {
	if v.zip != nil {
		return map[string]any{"filename": v.file, "data": v.zip(w)}
	}
	if v.file != "" {
		return map[string]any{"filename": v.file, "text": w.fill(v.text)}
	}
	text := "agentflow: 1\nname: Handy\nagents:\n  - {id: " + suspect + ", name: Helper, " + v.body() + "}\n"
	return map[string]any{"filename": "handy.agentflow.yaml", "text": w.fill(text)}
}

func (v variant) body() string {
	if strings.HasPrefix(v.agent, "model:") || strings.HasPrefix(v.agent, "url:") {
		return v.agent
	}
	return "model: demo/echo, " + v.agent
}

// walk is what a person does with what they were given.
func (w *world) walk(v variant) {
	w.t.Helper()
	if v.bring != nil {
		id := v.bring(w)
		w.nothing("it came")
		w.review(v, id)
		w.use(v)
		return
	}
	file := v.given(w)
	w.preview(v, file)
	file["gateway"] = "local"
	var opened struct{ Teams []string }
	err := w.ask(http.MethodPost, "/api/files/open", file, &opened)
	w.nothing("it was opened")
	if v.fails != "" {
		if err == nil || !strings.Contains(err.Error(), v.fails) {
			w.t.Errorf("opened: %v", err)
		}
		w.restart()
		w.nothing("a restart")
		return
	}
	if err != nil {
		w.t.Fatal("it can't be opened:", err)
	}
	for _, id := range opened.Teams {
		w.review(v, id)
	}
	w.use(v)
}

// preview looks at the file as the page does before it is opened.
func (w *world) preview(v variant, file map[string]any) {
	w.t.Helper()
	var seen struct {
		Teams []struct {
			Trust []struct {
				standing
				Problem *struct{ Details map[string]any }
				Asks    []struct{ Kind string }
			}
		}
	}
	err := w.ask(http.MethodPost, "/api/files/preview", file, &seen)
	w.nothing("the preview")
	if v.fails != "" {
		if err == nil || !strings.Contains(err.Error(), v.fails) {
			w.t.Errorf("the preview says %v", err)
		}
		return
	}
	if err != nil {
		w.t.Fatal("no preview:", err)
	}
	var kinds []string
	for _, team := range seen.Teams {
		for _, a := range team.Trust {
			for _, one := range a.Asks {
				kinds = append(kinds, one.Kind)
			}
			if want := map[bool]string{true: "refused", false: "asked"}[v.refused != ""]; a.State != want {
				w.t.Errorf("the preview says that %s is %s, want %s", a.Agent, a.State, want)
			}
		}
	}
	if got := strings.Join(kinds, " "); got != v.asks {
		w.t.Errorf("the preview shows what it asks for as %q, want %q", got, v.asks)
	}
}

// review applies the team as it is reviewed; where the review keeps it back, as a config that
// somebody gives to the gateway.
func (w *world) review(v variant, team string) {
	w.t.Helper()
	var p struct {
		Problems []struct{ Severity, Code string }
	}
	w.must(http.MethodPost, "/api/teams/"+team+"/preview", map[string]any{}, &p)
	var wrong []string
	for _, problem := range p.Problems {
		if problem.Severity == "error" {
			wrong = append(wrong, problem.Code)
		}
	}
	if got := strings.Join(wrong, " "); got != v.lint {
		w.t.Errorf("the review finds the errors %q, want %q", got, v.lint)
	}
	err := w.tryApply(team, nil)
	if v.lint == "" && err != nil || v.lint != "" && reason(err) != "problems" {
		w.t.Fatalf("applied: %v", err)
	}
	w.nothing("it was applied")
	if v.lint != "" {
		w.config(w.fill("agents:\n  " + suspect + ": {name: Helper, " + v.body() + "}\n"))
	}
}

// use starts the applied agent, gives it tasks, and starts the hub again. Then it allows what is asked for.
func (w *world) use(v variant) {
	w.t.Helper()
	if v.does != "" {
		w.harmless(v)
		return
	}
	cause := map[bool]string{true: v.refused, false: "waits_for_trust"}[v.refused != ""]
	if len(w.agents) > 0 { // who ran under its id until now
		w.until("its process to end", func() bool { state, _ := w.local(suspect); return state == "stopped" })
	}
	elsewhere := strings.HasPrefix(v.asks, "sends")
	if elsewhere {
		body := map[string]any{"agent": suspect, "autostart": true}
		if err := w.ask(http.MethodPost, "/api/local-agents", body, nil); reason(err) != "elsewhere" {
			w.t.Errorf("a remote agent was added as a local process: %v", err)
		}
	} else if err := w.begin(suspect, len(w.agents) > 0); reason(err) != cause {
		w.t.Errorf("start: %v, want %s", err, cause)
	}
	tasks := w.submitAll()
	stand := func(after string) {
		w.t.Helper()
		for _, id := range tasks {
			if got := w.told(id); got != (wait{"trust", cause}) {
				w.t.Errorf("after %s a task waits for %+v, want trust, %s", after, got, cause)
			}
		}
		if got := w.status(agentsSecret); got != http.StatusUnauthorized {
			w.t.Errorf("after %s an agent's secret gets %d", after, got)
		}
		w.nothing(after)
	}
	stand("tasks")
	w.restart()
	if !elsewhere {
		w.until("the start with the hub to be refused", func() bool {
			state, why := w.local(suspect)
			return state == "stopped" && strings.HasPrefix(why, cause+": ")
		})
	}
	stand("a restart")
	err := w.allow()
	if v.refused != "" {
		if reason(err) != v.refused {
			w.t.Errorf("it could be allowed: %v", err)
		}
		stand("it was not allowed")
		return
	}
	if err != nil {
		w.t.Fatal(err)
	}
	v.then(w, tasks)
}

// submitAll gives the suspect a task of each kind.
func (w *world) submitAll() (tasks []string) {
	w.t.Helper()
	for _, typ := range []string{"chat", "command_execution", "file_operation"} {
		tasks = append(tasks, w.submit(suspect, typ, "touch PWNED "+w.mark()))
	}
	return tasks
}

// harmless has an agent that asks for nothing do its work, in the hub and as a local process.
func (w *world) harmless(v variant) {
	w.t.Helper()
	does := strings.Split(v.does, ", ") // its chat, its command, its process
	tasks := w.submitAll()
	now := func() string {
		w.t.Helper()
		return w.stands(tasks[0]) + ", " + w.stands(tasks[1])
	}
	want := does[0] + ", " + does[1]
	w.until("the tasks to be "+want, func() bool { return now() == want })
	w.nothing("tasks")
	for _, id := range tasks {
		_ = w.ask(http.MethodPost, "/tasks/"+id+"/cancel", nil, nil) // its chat is over
	}
	w.agents = []string{suspect}
	w.folder() // a local process has its folder already; a task in the hub creates none before it is allowed to use it
	w.before = w.look()
	if err := w.begin(suspect, false); err != nil {
		w.t.Fatal(err)
	}
	for _, after := range []string{"its start as a local process", "a restart"} {
		w.until("its process to be "+does[2], func() bool { state, _ := w.local(suspect); return state == does[2] })
		if does[2] == "running" {
			w.over(w.submit(suspect, "chat", "hello"))
		}
		w.nothing(after)
		w.restart()
	}
}
