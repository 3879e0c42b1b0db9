package coordinator_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/team/roster"
	"agentflow/backend/team/topology"
	"agentflow/backend/work/coordinator"
	"agentflow/backend/work/task"
	"agentflow/backend/work/worker"
)

// agentServer is a remote agent on a real socket. It only does what the test tells it to.
type agentServer struct {
	*httptest.Server
	mu      sync.Mutex
	given   []map[string]any
	tokens  []string
	current string
	refuse  int // number of tasks it rejects
	came    chan string
	off     chan string // canceled tasks, with the attempt
	looked  chan string // the tasks it had at the latest status request
}

func startAgent(t *testing.T) *agentServer {
	t.Helper()
	a := &agentServer{came: make(chan string, 10), off: make(chan string, 10), looked: make(chan string, 1)}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /tasks", func(w http.ResponseWriter, r *http.Request) {
		data, _ := io.ReadAll(r.Body)
		var job map[string]any
		_ = json.Unmarshal(data, &job)
		a.mu.Lock()
		defer a.mu.Unlock()
		a.tokens = append(a.tokens, r.Header.Get("Authorization"))
		if a.refuse > 0 {
			a.refuse--
			_, _ = io.WriteString(w, `{"status":"rejected","message":"busy"}`)
			return
		}
		a.given = append(a.given, job)
		a.current, _ = job["taskId"].(string)
		_, _ = io.WriteString(w, `{"status":"accepted"}`)
		a.came <- a.current
	})
	mux.HandleFunc("POST /tasks/{taskId}/cancel", func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, `{"success":true}`)
		a.off <- r.PathValue("taskId") + " " + r.Header.Get(worker.AttemptHeader)
	})
	mux.HandleFunc("GET /status", func(w http.ResponseWriter, _ *http.Request) {
		a.mu.Lock()
		defer a.mu.Unlock()
		_ = json.NewEncoder(w).
			Encode(map[string]any{"agentName": "dev-1", "role": "Developer", "status": "busy", "currentTask": a.current})
		select {
		case a.looked <- a.current:
		default:
		}
	})
	a.Server = httptest.NewServer(mux)
	t.Cleanup(a.Close)
	return a
}

func (a *agentServer) forget() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.current = ""
}

func (a *agentServer) jobs() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.given)
}

func elsewhere(id topology.AgentID, url, env string) topology.Agent {
	return topology.Agent{ID: id, Role: "Developer", URL: url, SecretEnv: env}
}

func (b *bench) report(agent topology.AgentID, id task.ID, r worker.Report) (bool, error) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.t.Context(), time.Minute)
	defer cancel()
	return b.Report(ctx, agent, id, r)
}

func TestAG2_AnAgentElsewhereDoesTheTaskAndReports(t *testing.T) {
	a := startAgent(t)
	b := newBench(t, pm("dev-1", "rev-1"), elsewhere("dev-1", a.URL, "DEV_SECRET"),
		elsewhere("rev-1", a.URL, "REV_SECRET"))
	sent := b.submit(task.FileOperation, "write it", `{"agent":"dev-1","path":"x.go"}`)
	<-a.came
	a.mu.Lock()
	job, token := a.given[0], a.tokens[0]
	a.mu.Unlock()
	if token != "Bearer dev-secret-of-24-bytes-or-more" || job["taskId"] != string(sent.ID) || job["taskType"] != "file_operation" || job["prompt"] != "write it" || job["context"].(map[string]any)["path"] != "x.go" {
		t.Errorf("started with %q: %v", token, job)
	}
	if _, err := b.report("rev-1", sent.ID, worker.Report{Status: worker.ReportCompleted}); !errcode.Is(err, errcode.Forbidden) {
		t.Errorf("an agent that doesn't run the task: %v", err)
	}
	if _, err := b.report("dev-1", "nothing", worker.Report{Status: worker.ReportCompleted}); !errcode.Is(err, errcode.NotFound) {
		t.Errorf("an unknown task: %v", err)
	}
	if ok, err := b.report("dev-1", sent.ID, worker.Report{Status: worker.ReportInProgress, Result: json.RawMessage(`{"text":"half","progress":50}`)}); err != nil || !ok {
		t.Fatal(ok, err)
	}
	done := worker.Report{Status: worker.ReportCompleted, Result: json.RawMessage(`{"file":"x.go"}`)}
	for range 2 { // the second is the same report sent again
		if ok, err := b.report("dev-1", sent.ID, done); err != nil || !ok {
			t.Fatal(ok, err)
		}
	}
	got := b.ended(sent.ID)
	if got.Status != task.Completed || string(got.Result) != `{"file":"x.go"}` {
		t.Errorf("%+v", got)
	}
	if ok, err := b.report("dev-1", sent.ID, worker.Report{Status: worker.ReportInProgress}); err != nil || ok {
		t.Errorf("news of a task that has ended: %v %v", ok, err)
	}
	half := false
	for _, e := range b.watch(sent.ID, 0) {
		half = half || e.Text == "half" || e.Progress != nil && *e.Progress == 50
	}
	if !half {
		t.Error("the news did not reach the stream")
	}
}

func TestAG1_AnAgentThatIsBusyIsAskedLater(t *testing.T) {
	a := startAgent(t)
	a.refuse = 1
	b := newBench(t, elsewhere("dev-1", a.URL, "DEV_SECRET"))
	sent := b.submit(task.CommandExecution, "ls", "")
	<-a.came
	if ok, err := b.report("dev-1", sent.ID, worker.Report{Status: worker.ReportCompleted, Result: json.RawMessage(`{}`)}); err != nil || !ok {
		t.Fatal(ok, err)
	}
	if got := b.ended(sent.ID); got.Status != task.Completed || len(got.Attempts) != 1 {
		t.Errorf("%+v", got)
	}
}

func TestAG2_AnAgentThatForgetsItsTaskLosesIt(t *testing.T) {
	a, other := startAgent(t), startAgent(t)
	b := newBench(t, elsewhere("dev-1", a.URL, "DEV_SECRET"), elsewhere("rev-1", other.URL, "REV_SECRET"))
	b.opts.Lease = 50 * time.Millisecond
	b.stop()
	b.start()
	sent := b.submit(task.Chat, "p", "")
	<-a.came
	a.forget()
	<-other.came
	if _, err := b.report("dev-1", sent.ID, worker.Report{Status: worker.ReportCompleted, Result: json.RawMessage(`{"by":"dev-1"}`)}); !errcode.Is(err, errcode.Forbidden) {
		t.Errorf("the report of the agent that lost the task: %v", err)
	}
	if ok, err := b.report("rev-1", sent.ID, worker.Report{Status: worker.ReportCompleted, Result: json.RawMessage(`{"by":"rev-1"}`)}); err != nil || !ok {
		t.Fatal(ok, err)
	}
	if got := b.ended(sent.ID); string(got.Result) != `{"by":"rev-1"}` || len(got.Attempts) != 2 {
		t.Errorf("%+v", got)
	}
}

func TestAG2_ATaskElsewhereSurvivesTheHub(t *testing.T) {
	a := startAgent(t)
	b := newBench(t, elsewhere("dev-1", a.URL, "DEV_SECRET"))
	sent := b.submit(task.Chat, "long work", "")
	<-a.came
	b.stop()
	b.start()
	for { // the hub resumes its tasks as it starts
		ok, err := b.report("dev-1", sent.ID,
			worker.Report{Status: worker.ReportCompleted, Result: json.RawMessage(`{"n":1}`)})
		if ok && err == nil {
			break
		}
		if !errcode.Is(err, errcode.Unavailable) { // an end that can't be saved yet has to be sent again
			t.Fatal(ok, err)
		}
	}
	if got := b.ended(sent.ID); got.Status != task.Completed || a.jobs() != 1 || len(got.Attempts) != 1 {
		t.Errorf("started %d times: %+v", a.jobs(), got)
	}
}

func TestCO7_AG7_NoSecretGoesOverPlainHTTP(t *testing.T) {
	for url, ok := range map[string]bool{
		"http://127.0.0.1:8001": true, "http://localhost:8001": true, "http://[::1]:8001": true, "https://192.0.2.7:8002": true,
		"http://192.0.2.7:8002": false, "ftp://192.0.2.7": false, "https://u:p@host": false, "https://host?x=1": false, "": false,
	} {
		if err := worker.CheckURL(url); (err == nil) != ok {
			t.Errorf("%s: %v", url, err)
		}
	}
	b := newBench(t, elsewhere("dev-1", "http://192.0.2.7:8002", "DEV_SECRET"))
	if got := b.ended(b.submit(task.Chat, "p", "").ID); got.Status != task.Failed {
		t.Errorf("%+v", got)
	}
}

// Reports of an earlier attempt are fenced off, even if the same agent has the task again: a process that was cut off
// from the hub meanwhile no longer counts (fault 18).
func TestCO4_Fault18_AReportOfAnEarlierAttemptDoesNotCount(t *testing.T) {
	a := startAgent(t)
	b := newBench(t, elsewhere("dev-1", a.URL, "DEV_SECRET"))
	sent := b.submit(task.Chat, "p", "")
	<-a.came
	a.mu.Lock()
	terms := a.given[0]["context"].(map[string]any)["agentflow"].(map[string]any)
	a.mu.Unlock()
	if terms["attempt"] != 1.0 {
		t.Errorf("the agent doesn't get the attempt's number: %v", terms)
	}
	if ok, err := b.report("dev-1", sent.ID, worker.Report{Attempt: 1, Status: worker.ReportFailed, ErrorMessage: "it broke"}); err != nil || !ok {
		t.Fatal(ok, err)
	}
	<-a.came // the same agent gets it again
	for _, status := range []string{worker.ReportCompleted, worker.ReportInProgress, worker.ReportFailed} {
		ok, err := b.report("dev-1", sent.ID,
			worker.Report{Attempt: 1, Status: status, Result: json.RawMessage(`{"of":"the first"}`)})
		if ok || err != nil {
			t.Fatalf("%s of the first attempt: %v, %v", status, ok, err)
		}
	}
	if ok, err := b.report("dev-1", sent.ID, worker.Report{Attempt: 2, Status: worker.ReportCompleted, Result: json.RawMessage(`{"of":"the second"}`)}); err != nil || !ok {
		t.Fatal(ok, err)
	}
	if got := b.ended(sent.ID); string(got.Result) != `{"of":"the second"}` || len(got.Attempts) != 2 {
		t.Errorf("%+v", got)
	}
}

// The hub doesn't wait for an agent whose process has ended and no longer listens (fault 18).
func TestCO4_Fault18_AnAgentThatDiedIsFoundOut(t *testing.T) {
	a, other := startAgent(t), startAgent(t)
	b := newBench(t, elsewhere("dev-1", a.URL, "DEV_SECRET"), elsewhere("rev-1", other.URL, "REV_SECRET"))
	b.stop()
	b.opts.Lease = time.Second
	b.start()
	sent := b.submit(task.Chat, "p", "")
	<-a.came
	a.Close()
	<-other.came
	if ok, err := b.report("rev-1", sent.ID, worker.Report{Status: worker.ReportCompleted}); err != nil || !ok {
		t.Fatal(ok, err)
	}
	got := b.ended(sent.ID)
	if got.Status != task.Completed || len(got.Attempts) != 2 || got.Attempts[0].Cause == nil || got.Attempts[0].Cause.Code != "agent_silent" {
		t.Errorf("%+v", got)
	}
}

// A task whose agent isn't running yet is pending and shows what it waits for. It costs no attempt and has no events
// until the agent can be reached.
func TestCO3_ATaskWaitsForAnAgentThatIsNotStarted(t *testing.T) {
	a := startAgent(t)
	address := a.Listener.Addr().String()
	a.Close()
	b := newBench(t, elsewhere("dev-1", "http://"+address, "DEV_SECRET"))
	v := b.View()
	defer v.Close()
	sent := b.submit(task.Chat, "p", "")
	sees(t, v, func() bool { return reason(b, sent).Reason == coordinator.WaitsForContact })
	if w := reason(b, sent); w.Agents[0].Agent != "dev-1" || w.Agents[0].Cause == nil || w.Agents[0].Cause.Code != "agent_unreached" {
		t.Errorf("%+v", w)
	}
	got, err := b.Task(t.Context(), sent.ID)
	if err != nil || got.Status != task.Pending || len(got.Attempts) != 0 || got.Seq != 1 {
		t.Errorf("while it waits: %+v, %v", got, err)
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	again := startAgent(t)
	server := &http.Server{Handler: again.Config.Handler, ReadHeaderTimeout: time.Minute}
	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }()
	defer func() {
		_ = server.Close()
		if err := <-served; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	}()
	<-again.came
	if ok, err := b.report("dev-1", sent.ID, worker.Report{Status: worker.ReportCompleted}); err != nil || !ok {
		t.Fatal(ok, err)
	}
	if got := b.ended(sent.ID); got.Status != task.Completed || len(got.Attempts) != 1 {
		t.Errorf("%+v", got)
	}
}

// An agent that can't be reached holds up no task while another agent is idle.
func TestCO3_AnAgentThatIsNotThereHoldsUpNobody(t *testing.T) {
	gone, a := startAgent(t), startAgent(t)
	gone.Close()
	b := newBench(t, elsewhere("dev-1", gone.URL, "DEV_SECRET"), elsewhere("rev-1", a.URL, "REV_SECRET"))
	for range 5 {
		id := b.submit(task.Chat, "p", "").ID
		<-a.came
		if ok, err := b.report("rev-1", id, worker.Report{Status: worker.ReportCompleted}); err != nil || !ok {
			t.Fatal(ok, err)
		}
		if got := b.ended(id); got.Status != task.Completed || len(got.Attempts) != 1 || got.Attempts[0].Agent != "rev-1" {
			t.Errorf("%+v", got)
		}
	}
}

// Implausible reports are limited: progress neither falls nor passes 100, costs can't be negative, and the first end
// counts (fault 18).
func TestAG2_Fault18_AWorkerThatLies(t *testing.T) {
	a := startAgent(t)
	b := newBench(t, elsewhere("dev-1", a.URL, "DEV_SECRET"))
	sent := b.submit(task.Chat, "p", "")
	<-a.came
	for _, said := range []string{
		`{"progress":40,"spent":{"tokensIn":100,"usd":1}}`, `{"progress":20}`, `{"progress":-5,"spent":{"tokensIn":-900,"usd":-7}}`, `{"progress":9000}`,
		`{"progress":"all of it"}`, `{"spent":{"tokensIn":1}}`, `[]`, `{"text":"\u0000","log":"` + strings.Repeat("x", 5000) + `"}`,
	} {
		if ok, err := b.report("dev-1", sent.ID, worker.Report{Status: worker.ReportInProgress, Result: json.RawMessage(said)}); err != nil || !ok {
			t.Fatalf("%.40s: %v %v", said, ok, err)
		}
	}
	for i, said := range []string{`{"n":1}`, `{"n":2}`} {
		if ok, err := b.report("dev-1", sent.ID, worker.Report{Status: worker.ReportCompleted, Result: json.RawMessage(said)}); err != nil || !ok {
			t.Fatalf("end %d: %v %v", i, ok, err)
		}
	}
	if ok, err := b.report("dev-1", sent.ID, worker.Report{Status: worker.ReportFailed, ErrorMessage: "no, it failed"}); err != nil || ok {
		t.Errorf("an end after the end: %v %v", ok, err)
	}
	got := b.ended(sent.ID)
	if got.Status != task.Completed || string(got.Result) != `{"n":1}` || got.Spent.TokensIn < 100 || got.Spent.USD < 1 {
		t.Errorf("%+v", got)
	}
	last := 0.0
	for _, e := range b.watch(sent.ID, 0) {
		if e.Progress != nil && (*e.Progress < last || *e.Progress > 100) {
			t.Errorf("after %v %% came %v %%", last, *e.Progress)
		} else if e.Progress != nil {
			last = *e.Progress
		}
	}
}

// The end of a local process is noticed at once, without waiting for a lease (fault 18).
func TestAG3_Fault18_AProcessHereThatDiesLosesItsTaskAtOnce(t *testing.T) {
	a, again := startAgent(t), startAgent(t)
	b := newBench(t, topology.Agent{ID: "dev-1", Role: "Developer", Model: "m/1"})
	b.stop()
	b.opts.Lease = time.Hour
	b.roster.Put("dev-1", &roster.Place{URL: a.URL, SecretEnv: "DEV_SECRET"})
	b.start()
	v := b.View()
	defer v.Close()
	sent := b.submit(task.Chat, "p", "")
	<-a.came
	a.Close()
	b.roster.Put("dev-1", &roster.Place{URL: a.URL, SecretEnv: "DEV_SECRET", Gone: true})
	sees(t, v, func() bool { return reason(b, sent).Reason != "" })
	got, err := b.Task(t.Context(), sent.ID)
	if err != nil || got.Attempts[0].EndedAt.IsZero() || got.Attempts[0].Cause == nil || got.Attempts[0].Cause.Code != "agent_silent" {
		t.Errorf("%+v %v", got, err)
	}
	sees(t, v, func() bool { return reason(b, sent).Reason == coordinator.WaitsForContact })
	b.roster.Put("dev-1", &roster.Place{URL: again.URL, SecretEnv: "DEV_SECRET"})
	<-again.came
	if ok, err := b.report("dev-1", sent.ID, worker.Report{Attempt: 2, Status: worker.ReportCompleted}); err != nil || !ok {
		t.Fatal(ok, err)
	}
	if got := b.ended(sent.ID); got.Status != task.Completed || len(got.Attempts) != 2 {
		t.Errorf("%+v", got)
	}
}
