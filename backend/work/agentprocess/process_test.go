package agentprocess_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"agentflow/backend/base/errcode"
	"agentflow/backend/model/llm"
	"agentflow/backend/work/agentprocess"
	"agentflow/backend/work/worker"
)

// TestMain acts as another program if a test started it as a child.
func TestMain(m *testing.M) {
	if started() {
		return
	}
	goleak.VerifyTestMain(m)
}

type models func(ctx context.Context, r llm.Request, onDelta func(string) error) (string, error)

func (m models) Stream(ctx context.Context, r llm.Request, onDelta func(string) error) (llm.Answer, error) {
	text, err := m(ctx, r, onDelta)
	return llm.Answer{Text: text, Model: r.Model, Finish: llm.FinishStop}, err
}

func says(text string) models {
	return func(_ context.Context, _ llm.Request, onDelta func(string) error) (string, error) {
		return text, onDelta(text)
	}
}

// hub is a coordinator on a real socket that records the reports.
type hub struct {
	url     string
	mu      sync.Mutex
	reports []worker.Report
	tokens  []string
	down    bool
	refuses bool // no longer wants any task
	came    chan worker.Report
	server  *http.Server
}

func startHub(t *testing.T) *hub {
	t.Helper()
	l := listen(t)
	h := &hub{url: "http://" + l.Addr().String(), came: make(chan worker.Report, 100)}
	h.server = &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var rep worker.Report
		data, _ := io.ReadAll(r.Body)
		_ = json.Unmarshal(data, &rep)
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.down {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		h.reports, h.tokens = append(h.reports, rep), append(h.tokens, r.Header.Get("Authorization"))
		_ = json.NewEncoder(w).Encode(map[string]bool{"success": !h.refuses})
		h.came <- rep
	})}
	ended := make(chan error, 1)
	go func() { ended <- h.server.Serve(l) }()
	t.Cleanup(func() {
		_ = h.server.Close()
		if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
	return h
}

func (h *hub) set(change func(*hub)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	change(h)
}

// end waits for the report that ends a task; text is the text of the earlier reports.
func (h *hub) end(t *testing.T) (last worker.Report, text string) {
	t.Helper()
	for {
		select {
		case r := <-h.came:
			if r.Status != worker.ReportInProgress {
				return r, text
			}
			var piece struct{ Text string }
			_ = json.Unmarshal(r.Result, &piece)
			text += piece.Text
		case <-time.After(time.Minute):
			t.Fatal("no report came")
		}
	}
}

func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

type process struct {
	*agentprocess.Process
	t    *testing.T
	stop func()
	log  *bytes.Buffer
}

const config = `agent:
  name: developer-1
  role: Developer
  model: m/1
  persona: You write small changes.
callers:
  - {name: coordinator-1, role: Coordinator, secretEnv: COORDINATOR_SECRET}
  - {name: reviewer-1, role: Reviewer, secretEnv: REVIEWER_SECRET}
`

func start(t *testing.T, h *hub, m models, change func(*agentprocess.Options)) *process {
	t.Helper()
	c, err := agentprocess.ReadConfig([]byte(config), "agent-config.yaml")
	if err != nil {
		t.Fatal(err)
	}
	log := new(bytes.Buffer)
	o := agentprocess.Options{
		Config:    c,
		Secret:    "own-secret",
		Models:    m,
		Listener:  listen(t),
		Logger:    slog.New(slog.NewJSONHandler(log, nil)),
		Heartbeat: 50 * time.Millisecond,
		Getenv: func(name string) string {
			return map[string]string{"COORDINATOR_SECRET": "coordinator-secret", "REVIEWER_SECRET": "reviewer-secret"}[name]
		},
	}
	if h != nil {
		o.Coordinator = h.url
	}
	if change != nil {
		change(&o)
	}
	inner, err := agentprocess.New(o)
	if err != nil {
		_ = o.Listener.Close()
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- inner.Run(ctx) }()
	p := &process{inner, t, nil, log}
	p.stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		http.DefaultClient.CloseIdleConnections()
	})
	t.Cleanup(p.stop)
	return p
}

func (p *process) call(method, path, secret, body string) (int, string) {
	p.t.Helper()
	req, err := http.NewRequestWithContext(p.t.Context(), method, p.URL()+path, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	if secret != "" {
		req.Header.Set("Authorization", "Bearer "+secret)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	data, _ := io.ReadAll(res.Body)
	return res.StatusCode, strings.TrimSpace(string(data))
}

func (p *process) give(id string) string {
	p.t.Helper()
	_, body := p.call(http.MethodPost, "/tasks", "coordinator-secret",
		`{"taskId":"`+id+`","taskType":"code_generation","prompt":"write","context":{"a":1}}`)
	return body
}

func TestAG1_AnAgentDoesATaskAndReportsIt(t *testing.T) {
	h := startHub(t)
	asked := make(chan llm.Request, 1)
	p := start(t, h, func(_ context.Context, r llm.Request, onDelta func(string) error) (string, error) {
		asked <- r
		for _, piece := range []string{"one ", "two ", "three"} {
			if err := onDelta(piece); err != nil {
				return "", err
			}
		}
		return "one two three", nil
	}, nil)
	if got := p.give("t-1"); !strings.Contains(got, `"accepted"`) {
		t.Fatal(got)
	}
	if r := <-asked; r.System != "You write small changes." || r.Messages[0].Text != "write" || r.Model != "m/1" {
		t.Errorf("asked %+v", r)
	}
	end, text := h.end(t)
	var result struct{ Text string }
	if err := json.Unmarshal(end.Result, &result); err != nil || end.Status != worker.ReportCompleted || result.Text != "one two three" || text != result.Text {
		t.Errorf("%+v after %q: %v", end, text, err)
	}
	h.set(func(h *hub) {
		if h.tokens[0] != "Bearer own-secret" {
			t.Errorf("reported with %q", h.tokens[0])
		}
	})
	p.stop()
	for _, secret := range []string{"own-secret", "coordinator-secret", "reviewer-secret", "one two"} {
		if strings.Contains(p.log.String(), secret) {
			t.Errorf("the audit log contains %q", secret)
		}
	}
	if !strings.Contains(p.log.String(), `"caller":"coordinator-1"`) {
		t.Errorf("the audit log doesn't name the caller: %s", p.log)
	}
}

func TestAG4_CallersAndTheirRoles(t *testing.T) {
	p := start(t, nil, says("x"), nil)
	job := `{"taskId":"t","taskType":"chat","prompt":"p"}`
	for _, c := range []struct {
		method, path, secret, body string
		want                       int
		says                       string
	}{
		{http.MethodPost, "/tasks", "", job, 401, "UNAUTHORIZED"},
		{http.MethodPost, "/tasks", "wrong", job, 401, "UNAUTHORIZED"},
		{http.MethodGet, "/status", "", "", 401, "UNAUTHORIZED"},
		{http.MethodPost, "/tasks", "reviewer-secret", job, 403, "only a Coordinator"},
		{http.MethodPost, "/tasks/t/result", "coordinator-secret", `{"status":"completed"}`, 403, "FORBIDDEN"},
		{http.MethodGet, "/nowhere", "coordinator-secret", "", 404, "NOT_FOUND"},
		{http.MethodPost, "/tasks", "coordinator-secret", `{"taskId":"t","taskType":"chat"}`, 400, `"field":"prompt"`},
		{http.MethodPost, "/tasks", "coordinator-secret", `{"taskId":"t","taskType":"chat","prompt":"p","extra":1}`, 400, "extra"},
		{http.MethodPost, "/tasks", "coordinator-secret", `{"taskId":"t","taskType":"chat","prompt":"p","context":[]}`, 400, `"field":"context"`},
		{http.MethodPost, "/tasks", "coordinator-secret", job + job, 400, "follows"},
		{http.MethodPost, "/tasks", "coordinator-secret", "nonsense", 400, "VALIDATION_ERROR"},
		{http.MethodPost, "/tasks", "coordinator-secret", `{"taskId":"t","taskType":"chat","prompt":"` + strings.Repeat("x", 1<<20) + `"}`, 400, "VALIDATION_ERROR"},
		{http.MethodPost, "/tasks", "coordinator-secret", `{"taskId":"t","taskType":"command_execution","prompt":"ls"}`, 200, "no shell tool"},
		{http.MethodGet, "/status", "reviewer-secret", "", 200, `"agentName":"developer-1","availableTools":[],"role":"Developer","status":"idle"`},
	} {
		if code, body := p.call(c.method, c.path, c.secret, c.body); code != c.want || !strings.Contains(body, c.says) {
			t.Errorf("%s %s as %q with %s: %d %s, want %d and %q", c.method, c.path, c.secret, c.body, code, body,
				c.want, c.says)
		}
	}
}

func TestAG5_OnlyAllowedAddressesMayCall(t *testing.T) {
	p := start(t, nil, says("x"), func(o *agentprocess.Options) {
		o.Config.Agent.Security.AllowedAddresses = []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")}
	})
	if code, body := p.call(http.MethodGet, "/status", "coordinator-secret", ""); code != 403 {
		t.Errorf("%d %s", code, body)
	}
	p = start(t, nil, says("x"), func(o *agentprocess.Options) {
		o.Config.Agent.Security.AllowedAddresses = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	})
	if code, body := p.call(http.MethodGet, "/status", "coordinator-secret", ""); code != 200 {
		t.Errorf("%d %s", code, body)
	}
}

// waits blocks until the job is canceled.
func waits(began chan<- struct{}) models {
	return func(ctx context.Context, _ llm.Request, _ func(string) error) (string, error) {
		began <- struct{}{}
		<-ctx.Done()
		return "", context.Cause(ctx)
	}
}

func TestAG3_OneTaskAtATimeAndTheStatusSaysWhich(t *testing.T) {
	h := startHub(t)
	began := make(chan struct{}, 1)
	p := start(t, h, waits(began), nil)
	p.give("t-1")
	<-began
	if _, got := p.call(http.MethodGet, "/status", "coordinator-secret", ""); !strings.Contains(got, `"currentTask":"t-1"`) || !strings.Contains(got, `"busy"`) {
		t.Error(got)
	}
	if got := p.give("t-2"); !strings.Contains(got, `"rejected"`) || !strings.Contains(got, "busy with the task t-1") {
		t.Error(got)
	}
	if got := p.give("t-1"); !strings.Contains(got, `"accepted"`) {
		t.Errorf("the same task sent again: %s", got)
	}
	select { // a keep-alive report comes automatically
	case r := <-h.came:
		if r.Status != worker.ReportInProgress {
			t.Errorf("%+v", r)
		}
	case <-time.After(time.Minute):
		t.Fatal("no keep-alive report")
	}
	h.set(func(h *hub) { h.refuses = true }) // the task has ended differently
	for {
		if _, got := p.call(http.MethodGet, "/status", "coordinator-secret", ""); strings.Contains(got, `"idle"`) {
			break
		}
	}
}

func TestCO1_AStoppedAgentHandsItsTaskBack(t *testing.T) {
	h := startHub(t)
	began := make(chan struct{}, 1)
	p := start(t, h, waits(began), nil)
	p.give("t-1")
	<-began
	p.stop()
	if end, _ := h.end(t); end.Status != worker.ReportFailed || end.ErrorMessage != agentprocess.ErrStopping.Error() {
		t.Errorf("%+v", end)
	}
}

func TestAG2_AReportWaitsForACoordinatorThatIsAway(t *testing.T) {
	h := startHub(t)
	h.down = true
	tried := make(chan struct{}, 1)
	p := start(t, h, func(_ context.Context, _ llm.Request, onDelta func(string) error) (string, error) {
		tried <- struct{}{}
		return "answer", onDelta("answer")
	}, nil)
	p.give("t-1")
	<-tried
	time.AfterFunc(300*time.Millisecond, func() { h.set(func(h *hub) { h.down = false }) })
	if end, _ := h.end(t); end.Status != worker.ReportCompleted {
		t.Errorf("%+v", end)
	}
}

func TestCO1_TheInitialPromptIsAnsweredFirst(t *testing.T) {
	answered := make(chan string, 1)
	p := start(t, nil, says("hello"), func(o *agentprocess.Options) {
		o.Prompt, o.Answered = "Introduce yourself", func(text string, err error) {
			if err != nil {
				t.Error(err)
			}
			answered <- text
		}
	})
	if got := <-answered; got != "hello" {
		t.Error(got)
	}
	p.stop()
}

func TestCO1_AStoppedAgentSaysSoOfItsInitialPrompt(t *testing.T) {
	began, why := make(chan struct{}, 1), make(chan error, 1)
	p := start(t, nil, waits(began), func(o *agentprocess.Options) {
		o.Prompt, o.Answered = "Introduce yourself", func(_ string, err error) { why <- err }
	})
	<-began
	p.stop()
	if e := errcode.From(<-why); e.Code != errcode.Unavailable || e.Message != agentprocess.ErrStopping.Error() {
		t.Errorf("%+v", e)
	}
}
