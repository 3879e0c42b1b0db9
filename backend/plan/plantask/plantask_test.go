//go:build linux

package plantask_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"agentflow/backend/base/hubclient"
	"agentflow/backend/base/proc"
	"agentflow/backend/engine"
	"agentflow/backend/engine/enginetest"
	"agentflow/backend/plan/codeclitest"
	"agentflow/backend/plan/planner"
	"agentflow/backend/plan/plantask"
	"agentflow/backend/plan/runnertest"
	"agentflow/backend/work/inbox"
	"agentflow/backend/work/task"
)

// TestMain is the shim of a worker if a test started it as one.
func TestMain(m *testing.M) {
	if code, is := proc.Shim(); is {
		os.Exit(code) //nolint:forbidigo // as every TestMain
	}
	os.Exit(codeclitest.Watched{M: m}.Run()) //nolint:forbidigo // as every TestMain
}

type m = map[string]any

// office is a hub with one agent, a repository, and a coding CLI for complex tasks.
type office struct {
	*hubclient.Client
	t              *testing.T
	hub            *enginetest.Hub
	dir, repo, cli string
}

// open creates an office; more is added to the settings of complex tasks.
func open(t *testing.T, more string) *office {
	t.Helper()
	t.Setenv("AGENTFLOW_META_MODEL", "")
	o := &office{t: t, dir: t.TempDir(), repo: runnertest.Repo(t), cli: t.TempDir()}
	command := runnertest.Stepping(t, o.cli)
	model := codeclitest.Serve(t, runnertest.Steps().Answer)
	settings := fmt.Sprintf(
		"providers:\n  - {name: stub, kind: openai, baseUrl: %q}\ndefaultProvider: stub\n",
		model.URL,
	) +
		"sandbox: {mode: off}\n" // the test controls the CLI by files next to it, and watches its process
	if more != "" {
		settings += fmt.Sprintf(
			"complexTasks: {worker: codex-cli, command: %q, folder: %q, test: test -s one.txt, %s}\n",
			command,
			o.repo,
			more,
		)
	}
	if err := os.WriteFile(filepath.Join(o.dir, "agentflow.yaml"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	o.start()
	o.hub.Apply("agents:\n  dev-1: {name: Dev, role: Developer, model: stub/stub-1}\n")
	return o
}

func (o *office) start() {
	o.hub = enginetest.Start(o.t, engine.Options{DataDir: o.dir})
	o.Client = o.hub.Client()
}

func (o *office) must(method, path string, in, out any) {
	o.t.Helper()
	if err := o.Call(o.t.Context(), method, path, in, out); err != nil {
		o.t.Fatalf("%s %s: %v", method, path, err)
	}
}

func (o *office) submit() string {
	o.t.Helper()
	var got struct{ TaskID, Status string }
	o.must(http.MethodPost, "/submit_task", m{"sessionId": "s", "userPrompt": "two files", "taskType": "complex_task"},
		&got)
	if got.Status != "accepted" {
		o.t.Fatalf("%+v", got)
	}
	return got.TaskID
}

// within polls a condition, with a deadline that even a slow machine meets.
func (o *office) within(what string, is func() bool) {
	o.t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	late := time.After(3 * time.Minute)
	for !is() {
		select {
		case <-tick.C:
		case <-late:
			o.t.Fatalf("not within three minutes: %s", what)
		}
	}
}

func (o *office) ended(id string) task.Task {
	o.t.Helper()
	var t task.Task
	o.within("the end of the task", func() bool {
		o.must(http.MethodGet, "/tasks/"+id, nil, &t)
		return t.Status.Ended()
	})
	return t
}

func (o *office) answer(choice inbox.Choice) {
	o.t.Helper()
	o.within("a question", func() bool {
		var in struct{ Entries []inbox.Entry }
		o.must(http.MethodGet, "/api/inbox", nil, &in)
		for _, e := range in.Entries {
			if e.Tool == "work plan" && strings.Contains(string(e.Arguments), `"two files"`) {
				o.must(http.MethodPost, "/api/inbox/"+string(e.ID)+"/answer", m{"choice": choice}, nil)
				return true
			}
		}
		return false
	})
}

func (o *office) plan(task string) planner.Summary {
	o.t.Helper()
	for _, p := range o.hub.Planner().Plans() {
		if p.For == task {
			return p
		}
	}
	o.t.Fatal("the task has no plan")
	return planner.Summary{}
}

func (o *office) merged() {
	o.t.Helper()
	if files := runnertest.Git(o.t, o.repo, "ls-files"); files != "one.txt\ntwo.txt" || runnertest.Read(filepath.Join(o.repo, "two.txt")) != "one\n" || runnertest.Git(o.t, o.repo, "branch", "--list", "agentflow/*") != "" {
		o.t.Errorf("in the repository: %s", files)
	}
}

// atIt waits until the worker waits to be killed, and returns its PID.
func (o *office) atIt() (pid int) {
	o.t.Helper()
	o.within("the worker", func() bool {
		pid, _ = strconv.Atoi(strings.TrimSpace(runnertest.Read(filepath.Join(o.cli, "pid"))))
		return pid > 0
	})
	return pid
}

func (o *office) hold() {
	o.t.Helper()
	if err := os.WriteFile(filepath.Join(o.cli, "hold"), nil, 0o600); err != nil {
		o.t.Fatal(err)
	}
}

// A complex task becomes a plan, which a person approves and coding CLIs run; its result is the task's result.
func TestCO3_AComplexTaskBecomesAPlan(t *testing.T) {
	o := open(t, "parallel: 2")
	id := o.submit()
	o.answer(inbox.Once)
	got := o.ended(id)
	var result struct {
		Text, Plan string
		Tasks      []struct{ Title, Status string }
	}
	if err := json.Unmarshal(got.Result, &result); err != nil || got.Status != task.Completed || len(result.Tasks) != 2 || result.Tasks[1].Status != "COMPLETE" || result.Plan != string(o.plan(id).ID) {
		t.Fatalf("%s: %s %s, %v", got.Status, got.ErrorMessage, got.Result, err)
	}
	if got.Spent.TokensIn < 2*1000+4*100 || got.Spent.TokensOut < 2*10 || len(got.Attempts) != 1 {
		t.Errorf("spent %+v in %d attempts", got.Spent, len(got.Attempts))
	}
	o.merged()
	log := o.log(id)
	for _, want := range []string{"waits for a person's approval", "one: RUNNING", "one: COMPLETE", "two: COMPLETE"} {
		if !strings.Contains(log, want) {
			t.Errorf("no %q in the task's log:\n%s", want, log)
		}
	}
}

// log returns the text of the task's event stream.
func (o *office) log(id string) string {
	o.t.Helper()
	req, err := http.NewRequestWithContext(o.t.Context(), http.MethodGet, o.hub.URL()+"/tasks/"+id+"/events", nil)
	if err != nil {
		o.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+o.hub.Token())
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		o.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	all, err := io.ReadAll(res.Body)
	if err != nil {
		o.t.Fatal(err)
	}
	return string(all)
}

func TestCO3_APlanThatIsRefusedFailsItsTask(t *testing.T) {
	o := open(t, "parallel: 1")
	id := o.submit()
	o.answer(inbox.Deny)
	if got := o.ended(id); got.Status != task.Failed || got.Cause == nil || got.Cause.Code != plantask.ReasonRefused || len(got.Attempts) != 1 {
		t.Errorf("%s: %s, %+v", got.Status, got.ErrorMessage, got.Cause)
	}
	if p := o.plan(id); p.Work != nil || p.Waiting != 0 || runnertest.Read(filepath.Join(o.cli, "runs")) != "" {
		t.Errorf("%+v", p)
	}
}

// Canceling the task also stops its plan's worker.
func TestCO3_CancellingTheTaskEndsItsPlan(t *testing.T) {
	o := open(t, "askPlan: false")
	o.hold()
	id := o.submit()
	pid := o.atIt()
	o.must(http.MethodPost, "/tasks/"+id+"/cancel", nil, nil)
	if err := syscall.Kill(pid, 0); err == nil {
		t.Errorf("the worker %d is still running", pid)
	}
	if got := o.ended(id); got.Status != task.Canceled || got.Cause.Code != task.CauseCancelled {
		t.Errorf("%s: %+v", got.Status, got.Cause)
	}
	if p := o.plan(id); p.Work == nil || p.Work.State != planner.Stopped {
		t.Errorf("the plan: %+v", p.Work)
	}
}

// After a restart, the hub resumes the task with the same plan.
func TestCO3_FaultAComplexTaskGoesOnAtTheNextStart(t *testing.T) {
	o := open(t, "askPlan: false")
	o.hold()
	if err := os.WriteFile(filepath.Join(o.cli, "tells"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	id := o.submit()
	o.atIt()
	before := o.plan(id).ID
	o.hub.Stop()
	for _, name := range []string{"hold", "pid"} {
		if err := os.Remove(filepath.Join(o.cli, name)); err != nil {
			t.Fatal(err)
		}
	}
	o.start()
	got := o.ended(id)
	if got.Status != task.Completed || o.plan(id).ID != before || len(o.hub.Planner().Plans()) != 1 {
		t.Errorf("%s: %s", got.Status, got.ErrorMessage)
	}
	if want := 7*100 + 3*1000; got.Spent.TokensIn != want { // including the worker that was stopped with the hub
		t.Errorf("seven questions and three runs are %d tokens read, not %d", want, got.Spent.TokensIn)
	}
	o.merged()
	if runs := runnertest.Read(filepath.Join(o.cli, "runs")); runs != "MAKE\nMAKE\nCOPY\n" {
		t.Errorf("the worker ran for %q", runs)
	}
}

// If no coding CLI is set up, one agent runs the task alone, and the log mentions that.
func TestCO3_WithoutACodingCLIOneAgentDoesIt(t *testing.T) {
	o := open(t, "")
	id := o.submit()
	if got := o.ended(id); got.Status != task.Completed || !strings.Contains(string(got.Result), "Made it.") {
		t.Errorf("%s: %s %s", got.Status, got.ErrorMessage, got.Result)
	}
	if log := o.log(id); !strings.Contains(log, "no coding CLI is set up") || len(o.hub.Planner().Plans()) != 0 {
		t.Errorf("the log doesn't say so:\n%s", log)
	}
}

// A plan that a person has paused isn't resumed by a restart, only by the person.
func TestCO3_FaultAPausedPlanStaysPausedAtTheNextStart(t *testing.T) {
	o := open(t, "askPlan: false")
	o.hold()
	id := o.submit()
	o.atIt()
	plan := "/api/plans/" + string(o.plan(id).ID)
	o.must(http.MethodPost, plan+"/pause", nil, nil)
	o.told(id, "one: PENDING")
	o.hub.Stop()
	for _, name := range []string{"hold", "pid"} {
		if err := os.Remove(filepath.Join(o.cli, name)); err != nil {
			t.Fatal(err)
		}
	}
	o.start()
	o.told(id, "one: PENDING", "one: ") // it reports the plan's statuses again after the restart
	if at := o.plan(id).Work; at.State != planner.Paused {
		t.Errorf("the plan is %s", at.State)
	}
	o.must(http.MethodPost, plan+"/resume", m{}, nil)
	if got := o.ended(id); got.Status != task.Completed {
		t.Errorf("%s: %s", got.Status, got.ErrorMessage)
	}
	o.merged()
}

// told reads the task's events until all texts have come, in this order.
func (o *office) told(id string, texts ...string) {
	o.t.Helper()
	req, err := http.NewRequestWithContext(o.t.Context(), http.MethodGet, o.hub.URL()+"/tasks/"+id+"/events", nil)
	if err != nil {
		o.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+o.hub.Token())
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		o.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	for lines := bufio.NewScanner(res.Body); len(texts) > 0; {
		if !lines.Scan() {
			o.t.Fatalf("the task doesn't report %q", texts)
		}
		if strings.Contains(lines.Text(), texts[0]) {
			texts = texts[1:]
		}
	}
}

// CO-3: an attempt without reported use counts as the cost in the settings.
func TestCO3_ATryThatTellsNothingCountsAsTheSettingsSay(t *testing.T) {
	o := open(t, "askPlan: false, tryUsd: 0.5")
	if err := os.WriteFile(filepath.Join(o.cli, "silent"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	id := o.submit()
	if got := o.ended(id); got.Status != task.Completed {
		t.Fatalf("%s: %s", got.Status, got.ErrorMessage)
	}
	if w := o.plan(id).Work; w == nil || w.TryUSD != 0.5 || w.USD != 1 || w.Untold != 0 {
		t.Errorf("two attempts at half a dollar: %+v", w)
	}
}
