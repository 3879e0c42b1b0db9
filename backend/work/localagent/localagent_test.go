package localagent

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/proc"
	"agentflow/backend/team/roster"
	"agentflow/backend/team/topology"
)

const asAgent = "AGENTFLOW_TEST_AS_AGENT"

// TestMain acts as an agent process if a test started it as one. The output of a real one is tested in agentcmd.
func TestMain(m *testing.M) {
	if how := os.Getenv(asAgent); how != "" {
		standIn(how)
		return
	}
	goleak.VerifyTestMain(m)
}

func standIn(how string) {
	out := json.NewEncoder(os.Stdout)
	if how == "refuses" {
		_ = out.Encode(
			map[string]any{
				"error": errcode.New(errcode.Validation, "the model is not there: %s", os.Getenv(ownSecret)),
			},
		)
		os.Exit(2) //nolint:forbidigo // this is the main function of the program under test
	}
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGTERM)
	fmt.Fprintln(os.Stderr, "my secret is", os.Getenv(ownSecret), "and", os.Getenv("PLAIN"), "not", os.Getenv("AGENTFLOW_TOKEN"), os.Getenv("OTHER_SECRET"))
	_ = out.Encode(map[string]string{"url": "http://127.0.0.1:1", "agent": "a"})
	_ = out.Encode(map[string]any{"task": "t-1", "status": "completed", "spent": map[string]any{"tokensIn": 7, "tokensOut": 3, "usd": 0.5}})
	if how == "dies" {
		os.Exit(1) //nolint:forbidigo // see above
	}
	<-asked
}

type secrets struct {
	mu  sync.Mutex
	all map[string]string

	asked, answer chan struct{} // unless nil: the keyring is locked and waits for the person to open it
}

func (s *secrets) Get(key string) (string, error) {
	if s.asked != nil {
		s.asked <- struct{}{}
		<-s.answer
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all[key], nil
}

func (s *secrets) Set(key, secret string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all == nil {
		s.all = map[string]string{}
	}
	if s.all[key] = secret; secret == "" {
		delete(s.all, key)
	}
	return nil
}

// bench is a running Machine with stand-ins for processes.
type bench struct {
	*Machine
	t    *testing.T
	team *roster.Roster
	kept *secrets
	dir  string
	stop func()
}

func start(t *testing.T, dir, how string) *bench {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{t: t, team: new(roster.Roster), kept: new(secrets), dir: dir}
	b.team.Apply("h", &topology.Topology{Agents: []topology.Agent{
		{
			ID:        "dev-1",
			Name:      "Dev",
			Model:     "demo/echo",
			Workspace: "/srv/w",
			Tools:     &topology.Tools{Allow: []string{"file_read"}},
		},
		{ID: "far", URL: "http://192.0.2.1:1", SecretEnv: "OTHER_SECRET"},
	}})
	b.Machine, err = New(Options{
		Path: filepath.Join(dir, "agents.json"), Configs: filepath.Join(dir, "agents"), Roster: b.team, Secrets: b.kept, Records: proc.Records(dir),
		Environ: func() []string {
			return append(os.Environ(), asAgent+"="+how, "AGENTFLOW_TOKEN=the-owners", "OTHER_SECRET=another's", "PLAIN=plain")
		},
		Command: func(string, string) (string, []string) { return self, nil },
		Hub:     func() (string, string) { return "http://127.0.0.1:2", "" },
		Backoff: time.Millisecond,
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- b.Run(ctx) }()
	b.stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(b.stop)
	return b
}

// until waits for a state; each change is published.
func (b *bench) until(id topology.AgentID, what string, ok func(Agent) bool) Agent {
	b.t.Helper()
	told := b.Subscribe(1)
	defer func() { told.Close() }()
	for {
		a, err := b.Agent(id)
		if err != nil {
			b.t.Fatal(err)
		}
		if ok(a) {
			return a
		}
		select {
		case _, open := <-told.C():
			if !open {
				told = b.Subscribe(1)
			}
		case <-b.t.Context().Done():
			b.t.Fatalf("never %s: %+v", what, a)
		}
	}
}

// begun starts an agent.
func (b *bench) begun(id topology.AgentID) {
	b.t.Helper()
	for { // Run may not have started yet
		_, err := b.Start(id)
		if err == nil {
			return
		}
		if !errcode.Is(err, errcode.Unavailable) || b.t.Context().Err() != nil {
			b.t.Fatal(err)
		}
	}
}

func (b *bench) started(id topology.AgentID) Agent {
	b.t.Helper()
	b.begun(id)
	return b.until(id, "running", func(a Agent) bool { return a.State == Running && a.Use.Tasks > 0 })
}

func (b *bench) text(id topology.AgentID) string {
	b.t.Helper()
	part, err := b.Log(b.t.Context(), id, 0, MaxLines)
	if err != nil {
		b.t.Fatal(err)
	}
	var lines []string
	for _, l := range part.Lines {
		lines = append(lines, l.From+": "+l.Text)
	}
	return strings.Join(lines, "\n")
}

// said waits until the log contains the line: output is published only to readers of the log.
func (b *bench) said(id topology.AgentID, what string) {
	b.t.Helper()
	for last := int64(0); !strings.Contains(b.text(id), what); {
		part, err := b.Log(b.t.Context(), id, last, MaxLines)
		if err != nil {
			b.t.Fatal(err)
		}
		last = part.Last
	}
}

// TestAG3_AnAgentOfTheTeamRunsHere checks that the hub finds the process at its address, with an exclusive secret.
// Its log contains no secret and its use is counted; once stopped, the agent runs in the hub again.
func TestAG3_AnAgentOfTheTeamRunsHere(t *testing.T) {
	b := start(t, t.TempDir(), "works")
	if got := b.Candidates(); len(got) != 1 || got[0].ID != "dev-1" {
		t.Errorf("candidates %+v", got)
	}
	if _, err := b.Add("dev-1", "", false); err != nil {
		t.Fatal(err)
	}
	a := b.started("dev-1")
	placed, _ := b.team.Agent("dev-1")
	secret, here := b.Secret(placed.SecretEnv)
	if placed.URL != a.URL || !here || len(secret) < 40 || !a.InTeam || a.Use.Spent.Tokens() != 10 || a.Use.Spent.USD != 0.5 {
		t.Errorf("%+v %+v", a, placed)
	}
	b.said("dev-1", "my secret is … and plain not")
	if text := b.text("dev-1"); strings.Contains(text, secret) || strings.Contains(text, "the-owners") || strings.Contains(text, "another's") {
		t.Errorf("the log shows a secret: %s", text)
	}
	b.team.Apply("h2", &topology.Topology{Agents: []topology.Agent{{ID: "dev-1", Name: "Dev", Model: "demo/other"}}})
	b.until("dev-1", "changed", func(a Agent) bool { return a.Changed && a.State == Running })
	if placed, _ := b.team.Agent("dev-1"); placed.URL != a.URL {
		t.Errorf("another team has lost its address: %+v", placed)
	}
	if a, err := b.Stop(t.Context(), "dev-1"); err != nil || a.State != Stopped || a.URL != "" {
		t.Errorf("%+v %v", a, err)
	}
	if placed, _ := b.team.Agent("dev-1"); placed.URL != "" {
		t.Errorf("it is stopped, but the team has %+v", placed)
	}
	if again, _ := b.Agent("dev-1"); again.Use.Tasks != 1 {
		t.Errorf("%+v", again)
	}
}

// TestFault_AnAgentThatDiesIsStartedAgain, up to a limit.
func TestFault_AnAgentThatDiesIsStartedAgain(t *testing.T) {
	b := start(t, t.TempDir(), "dies")
	if _, err := b.Add("dev-1", "", false); err != nil {
		t.Fatal(err)
	}
	b.begun("dev-1")
	a := b.until("dev-1", "failed", func(a Agent) bool { return a.State == Failed })
	if a.Restarts != mostDied || a.Problem == nil || !strings.Contains(a.Problem.Message, "exit code 1") || a.Use.Tasks != mostDied {
		t.Errorf("%+v", a)
	}
	if placed, _ := b.team.Agent("dev-1"); placed.URL != "" {
		t.Errorf("it is gone, but the team has %+v", placed)
	}
}

// TestFault_AnAgentThatCannotRunSaysWhy, without retries.
func TestFault_AnAgentThatCannotRunSaysWhy(t *testing.T) {
	b := start(t, t.TempDir(), "refuses")
	if _, err := b.Add("dev-1", "", false); err != nil {
		t.Fatal(err)
	}
	b.begun("dev-1")
	a := b.until("dev-1", "failed", func(a Agent) bool { return a.State == Failed })
	if a.Restarts != 1 || a.Problem == nil || a.Problem.Message != "the model is not there: …" {
		t.Errorf("%+v", a)
	}
}

// TestAG3_ThoseThatStartWithTheHub checks that autostart agents run again after a restart, with their use so far. No
// process outlives the hub.
func TestAG3_ThoseThatStartWithTheHub(t *testing.T) {
	dir := t.TempDir()
	b := start(t, dir, "works")
	if _, err := b.Add("dev-1", "", true); err != nil {
		t.Fatal(err)
	}
	b.started("dev-1")
	b.stop()
	if left, _ := os.ReadDir(proc.Records(dir)); len(left) != 0 {
		t.Errorf("processes are still running: %v", left)
	}
	if _, err := b.Start("dev-1"); !errcode.Is(err, errcode.Unavailable) {
		t.Errorf("an agent of a hub that has ended: %v", err)
	}
	again := start(t, dir, "works")
	again.until("dev-1", "running", func(a Agent) bool { return a.State == Running && a.Use.Tasks == 2 })
}

const fileConfig = `agent: {name: lone, role: Developer, model: demo/echo, mcpServers: [{name: x, url: "http://127.0.0.1:9/mcp", tokenEnv: X_TOKEN}]}
callers:
  - {name: hub, role: Coordinator, secretEnv: HUB_SECRET}
  - {name: peer, role: Reviewer, secretEnv: PEER_SECRET}
`

// TestAG4_SecretsOfAConfigComeFromTheKeyring checks that a config's variables are listed, saved if missing, passed in
// the process's environment, and deleted with the agent.
func TestAG4_SecretsOfAConfigComeFromTheKeyring(t *testing.T) {
	b := start(t, t.TempDir(), "works")
	a, err := b.Add("", fileConfig, false)
	if err != nil || a.ID != "lone" || a.Source != File || a.InTeam {
		t.Fatal(a, err)
	}
	if want := []Variable{{"HUB_SECRET", "hub"}, {"PEER_SECRET", "missing"}, {"X_TOKEN", "missing"}}; !slices.Equal(a.Variables, want) {
		t.Errorf("%+v", a.Variables)
	}
	if _, err := b.Keep("lone", "PATH", "x"); !errcode.Is(err, errcode.NotFound) {
		t.Errorf("a variable that the config doesn't name was saved: %v", err)
	}
	if a, err = b.Keep("lone", "PEER_SECRET", "peers-secret"); err != nil || a.Variables[1].From != "kept" {
		t.Fatal(a.Variables, err)
	}
	_, c, err := b.config(b.all["lone"].record)
	env, secret := b.environment("lone", c, "", b.records())
	if err != nil || !slices.Contains(env, "PEER_SECRET=peers-secret") || !slices.Contains(env, "HUB_SECRET="+secret) || !slices.Contains(env, ownSecret+"="+secret) {
		t.Error(err, env)
	}
	if err := b.Remove(t.Context(), "lone"); err != nil || len(b.kept.all) != 0 || len(b.Agents()) != 0 {
		t.Errorf("%v, kept %v", err, b.kept.all)
	}
	for config, want := range map[string]errcode.Code{"agent: {name: a, secret: s}": errcode.Validation, "agent: {name: far}": errcode.Conflict, "nonsense": errcode.Validation} {
		if _, err := b.Add("", config, false); !errcode.Is(err, want) {
			t.Errorf("%s: %v", config, err)
		}
	}
	if _, err := b.Add("nobody", "", false); !errcode.Is(err, errcode.NotFound) {
		t.Errorf("an unknown agent: %v", err)
	}
}

// TestALogThatIsFullIsNotCopiedForEachLine: a flood of lines must not keep the hub busy with copying.
func TestALogThatIsFullIsNotCopiedForEachLine(t *testing.T) {
	l := newLog()
	for range MaxLines {
		l.add("output", "line")
	}
	if n := testing.AllocsPerRun(MaxLines, func() { l.add("output", "line") }); n > 1 { // the one that wakes readers
		t.Errorf("%v allocations per line", n)
	}
}

// TestALogKeepsItsEnd checks the limits in lines and bytes, and that a follower misses no stored line.
func TestALogKeepsItsEnd(t *testing.T) {
	l := newLog()
	for i := range MaxLines + 10 {
		l.add("output", fmt.Sprint(i))
	}
	part, _, _ := l.after(0, MaxLines)
	if len(part.Lines) != MaxLines || part.First != 11 || part.Last != MaxLines+10 || part.Lines[0].Text != "10" {
		t.Errorf("%d lines from %d to %d", len(part.Lines), part.First, part.Last)
	}
	if some, _, _ := l.after(part.Last-3, 2); len(some.Lines) != 2 || some.Lines[1].Seq != part.Last {
		t.Errorf("%+v", some)
	}
	l.add("errors", strings.Repeat("x", MaxBytes-1))
	if part, _, _ := l.after(0, MaxLines); part.Lines[len(part.Lines)-1].From != "errors" || len(part.Lines) > 2 {
		t.Errorf("%d lines beside a huge one", len(part.Lines))
	}
	_, more, _ := l.after(0, 1)
	l.add("output", "\xff")
	<-more
	if part, _, _ := l.after(0, 1); part.Lines[0].Text != "\uFFFD" {
		t.Errorf("%+v", part)
	}
}

// TestDrawnConfigsAllowNoMore than the same agent has in the hub.
func TestDrawnConfigsAllowNoMore(t *testing.T) {
	text, err := drawnConfig(&topology.Agent{ID: "a", Persona: "<b>\u2028", Workspace: "/w", Tools: &topology.Tools{Allow: []string{"files"}}})
	if err != nil {
		t.Fatal(err)
	}
	c, err := readConfig(text)
	if err != nil || c.Agent.Name != "a" || c.Agent.Persona != "<b>\u2028" || !slices.Equal(c.Agent.Security.AllowedPaths, []string{"/w"}) {
		t.Fatalf("%+v %v", c, err)
	}
	if p := c.Agent.MCPPolicy; p.Of("shell_exec") != "deny" || p.Of("file_write") != "ask" {
		t.Errorf("%+v", p)
	}
	text, _ = drawnConfig(&topology.Agent{ID: "a", Workspace: "/w"})
	if c, err := readConfig(text); err != nil || len(c.Agent.Security.AllowedPaths) != 0 {
		t.Errorf("an agent without tools: %+v %v", c, err)
	}
}
