package agentcmd_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"agentflow/backend/work/task"
)

// team is a hub and three agents, each on a separate computer, with TLS between them.
type team struct {
	*lab
	*caller
	hub    *node
	agents map[string]*node
	tasks  []*given
	n      int
}

// given is a task that was given to the hub, and what must become of it.
type given struct {
	id, key, text string
	typ           task.Type
	held          bool // it goes on when it is let go
}

const (
	hubComputer = 1
	hubPort     = 18800
)

const networkAgent = `agent:
  name: %[1]s
  role: Developer
  model: demo/echo
  mcpPolicy: {default: auto}
  security: {allowedPaths: [%[2]q]}
callers:
  - {name: hub, role: Coordinator, secretEnv: HUB_SECRET}
`

func newTeam(t *testing.T) *team {
	t.Helper()
	m := &team{lab: newLab(t), agents: map[string]*node{}}
	for _, dir := range []string{"began", "go", "runs", "files"} {
		if err := os.Mkdir(filepath.Join(m.dir, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for n := hubComputer; n <= hubComputer+3; n++ {
		m.computer(n)
	}
	m.startHub()
	pin := m.hub.said(`fingerprint is (\S+)\n`)
	m.caller = m.lab.caller(fmt.Sprintf("https://%s:%d", m.address(hubComputer), hubPort), pin)
	own := m.t.TempDir() // agents' data, which their tools stay out of
	config := "agents:\n  pm-1: {name: PM, role: Coordinator, subagents: {allowAgents: [far-1, far-2, far-3]}}\n"
	for i := 1; i <= 3; i++ {
		name, secret := fmt.Sprintf("far-%d", i), fmt.Sprintf("secret-of-24-bytes-or-more-%d", i)
		file := filepath.Join(m.dir, name+".yaml")
		if err := os.WriteFile(file, fmt.Appendf(nil, networkAgent, name, m.dir), 0o600); err != nil {
			t.Fatal(err)
		}
		a := m.start(hubComputer+i, []string{"AGENTFLOW_AGENT_SECRET=" + secret, "HUB_SECRET=" + secret, "AGENTFLOW_FINGERPRINT=" + pin, "AGENTFLOW_DATA=" + filepath.Join(own, name)},
			"agent", "start", "--json", "--listen", m.address(hubComputer+i)+":8000", "--tls-self-signed", "--config", file, "--coordinator", m.url)
		m.agents[name] = a
		config += fmt.Sprintf("  %s: {name: Far, role: Developer, url: \"https://%s:8000\", secretEnv: AGENTFLOW_AGENT_%d, fingerprint: %q}\n",
			name, m.address(hubComputer+i), i, a.said(`"fingerprint": ?"([^"]+)"`))
	}
	var now, done struct{ BaseHash string }
	m.insist(http.MethodPost, "/api/gateway/config/get", "", map[string]any{}, &now)
	m.insist(http.MethodPost, "/api/gateway/config/apply", "",
		map[string]any{"baseHash": now.BaseHash, "reason": "test", "raw": config}, &done)
	m.trust()
	return m
}

// trust allows the team what it asks of the hub's computer.
func (m *team) trust() {
	m.t.Helper()
	var asked struct {
		Agents []struct{ Agent, Hash string }
	}
	m.insist(http.MethodGet, "/api/trust/local", "", nil, &asked)
	shown := []map[string]string{}
	for _, a := range asked.Agents {
		shown = append(shown, map[string]string{"agent": a.Agent, "hash": a.Hash})
	}
	m.insist(http.MethodPost, "/api/trust/local/allow", "", map[string]any{"agents": shown}, nil)
}

func (m *team) startHub() {
	m.t.Helper()
	m.hub = m.start(hubComputer, []string{"AGENTFLOW_TOKEN=" + ownersToken, "AGENTFLOW_AGENT_1=secret-of-24-bytes-or-more-1", "AGENTFLOW_AGENT_2=secret-of-24-bytes-or-more-2", "AGENTFLOW_AGENT_3=secret-of-24-bytes-or-more-3"},
		"serve", "--listen", fmt.Sprintf("%s:%d", m.address(hubComputer), hubPort), "--tls-self-signed", "--data", filepath.Join(m.dir, "hub"))
	m.hub.said(`listening on (\S+)\n`)
}

func (m *team) path(kind, key string) string { return filepath.Join(m.dir, kind, key) }

// make thinks of the next task of a type.
func (m *team) make(typ task.Type, held bool) (*given, map[string]any) {
	m.n++
	g := &given{key: fmt.Sprintf("t%d", m.n), typ: typ, held: held}
	g.text = "prompt of " + g.key
	extra := map[string]any{}
	switch {
	case typ == task.CommandExecution:
		hold := ""
		if held {
			hold = "echo $$ > began/" + g.key + "; while [ ! -e go/" + g.key + " ]; do sleep 0.1; done; "
		}
		g.text = hold + "echo done >> runs/" + g.key + "; echo did " + g.key
	case typ == task.FileOperation:
		extra = map[string]any{"operation": "write", "path": "files/" + g.key, "content": "content of " + g.key}
	}
	return g, map[string]any{"sessionId": "s", "userPrompt": g.text, "taskType": typ, "context": extra}
}

// give gives the hub a task, however often that takes: it is one all the same.
func (m *team) give(typ task.Type, held bool) *given {
	m.t.Helper()
	g, body := m.make(typ, held)
	m.submit(g, body)
	return g
}

func (m *team) submit(g *given, body map[string]any) {
	m.t.Helper()
	var sent struct{ TaskID, Status string }
	m.insist(http.MethodPost, "/submit_task", g.key, body, &sent)
	if g.id = sent.TaskID; sent.Status != "accepted" {
		m.t.Fatalf("%s: %+v", g.key, sent)
	}
	m.tasks = append(m.tasks, g)
}

// hold has every agent at work on something that goes on until it is let go.
func (m *team) hold() []*given {
	m.t.Helper()
	var held []*given
	for range 3 {
		held = append(held, m.give(task.CommandExecution, true))
	}
	for _, g := range held {
		m.until("the begin of "+g.key, func() bool { return m.pid(g) > 0 })
	}
	return held
}

// each gives one task of each type.
func (m *team) each() {
	m.t.Helper()
	for _, info := range task.Types {
		typ := info.Type
		m.give(typ, false)
	}
}

// pid is the process that works on a held task.
func (m *team) pid(g *given) int {
	text, _ := os.ReadFile(m.path("began", g.key))
	n, _ := strconv.Atoi(strings.TrimSpace(string(text)))
	return n
}

func (m *team) letGo(list ...*given) {
	m.t.Helper()
	for _, g := range list {
		if err := os.WriteFile(m.path("go", g.key), nil, 0o600); err != nil {
			m.t.Fatal(err)
		}
	}
}

// worked is how often the work of a command was done.
func (m *team) worked(g *given) int {
	text, _ := os.ReadFile(m.path("runs", g.key))
	return strings.Count(string(text), "done\n")
}

func (m *team) task(g *given) task.Task {
	m.t.Helper()
	var got task.Task
	m.insist(http.MethodGet, "/tasks/"+g.id, "", nil, &got)
	return got
}

// allEnd waits for the end of every task and demands that it ended right, once.
func (m *team) allEnd(attempts func(g *given, n int) bool) {
	m.t.Helper()
	for _, g := range m.tasks {
		var got task.Task
		m.until("the end of "+g.key, func() bool {
			got = m.task(g)
			return got.Status.Ended()
		})
		if got.Status != task.Completed || !attempts(g, len(got.Attempts)) {
			m.t.Errorf("%s (%s) ended as %s with %q after %d attempts: %+v", g.key, g.typ, got.Status, got.ErrorMessage,
				len(got.Attempts), got.Attempts)
			continue
		}
		m.right(g, got.Result)
		m.endsOnce(g)
	}
	m.tasks = nil
}

func (m *team) right(g *given, result json.RawMessage) {
	m.t.Helper()
	var r struct {
		Text, Stdout string
		ExitCode     *int
	}
	if err := json.Unmarshal(result, &r); err != nil {
		m.t.Errorf("%s: %v", g.key, err)
	}
	switch g.typ {
	case task.CommandExecution:
		if n := m.worked(g); r.Stdout != "did "+g.key+"\n" || r.ExitCode == nil || *r.ExitCode != 0 || n != 1 {
			m.t.Errorf("%s was done %d times: %s", g.key, n, result)
		}
	case task.FileOperation:
		if text, err := os.ReadFile(m.path("files", g.key)); err != nil || string(text) != "content of "+g.key {
			m.t.Errorf("%s: %v, the file holds %q: %s", g.key, err, text, result)
		}
	default:
		if !strings.Contains(r.Text, g.text+"”") {
			m.t.Errorf("%s: %s", g.key, result)
		}
	}
}

// endsOnce reads the stream of a task: no event is missing or there twice, and one of them,
// the last, is its end.
func (m *team) endsOnce(g *given) {
	m.t.Helper()
	req, err := http.NewRequestWithContext(m.t.Context(), http.MethodGet, m.url+"/tasks/"+g.id+"/events", nil)
	if err != nil {
		m.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+ownersToken)
	res, err := m.client.Do(req)
	if err != nil {
		m.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	seq, ends, last := int64(0), 0, task.Event{}
	for lines := bufio.NewScanner(res.Body); lines.Scan(); {
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			continue
		}
		last = task.Event{}
		if err := json.Unmarshal([]byte(data), &last); err != nil || last.Seq != seq+1 {
			m.t.Errorf("%s: after the event %d comes %s, %v", g.key, seq, data, err)
		}
		if seq = last.Seq; last.Type == task.EventEnd {
			ends++
		}
	}
	if ends != 1 || last.Type != task.EventEnd {
		m.t.Errorf("%s ended %d times, and last came %+v", g.key, ends, last)
	}
}

func once(_ *given, n int) bool { return n == 1 }

// TestCO4_Fault14_AHubAndThreeAgentsOnComputersOfTheirOwn has a hub and three agents, in
// separate networks, with TLS, do tasks of every type while an agent is killed, the hub is
// killed, and the wire between them is pulled: every task ends right, once.
func TestCO4_Fault14_AHubAndThreeAgentsOnComputersOfTheirOwn(t *testing.T) {
	m := newTeam(t)
	defer func() {
		if t.Failed() {
			t.Logf("the hub said:\n%s", m.hub)
		}
	}()
	m.each()
	m.each()
	m.allEnd(once)

	t.Log("the hub is killed while all agents work")
	held := m.hold()
	m.each() // these wait
	m.hub.kill()
	m.letGo(held...)
	for _, g := range held {
		m.until("the work of "+g.key+" while the hub is away", func() bool { return m.worked(g) == 1 })
	}
	m.startHub()
	m.each()
	m.allEnd(once)

	t.Log("the hub's wire is pulled while all agents work")
	held = m.hold()
	m.each()
	m.cut(hubComputer, "down")
	m.letGo(held...)
	for _, g := range held {
		m.until("the work of "+g.key+" while the wire is pulled", func() bool { return m.worked(g) == 1 })
	}
	g, body := m.make(task.Chat, false)
	var sent struct{}
	if err := m.call(http.MethodPost, "/submit_task", g.key, body, &sent); err == nil {
		t.Error("a hub without a wire answered")
	}
	m.cut(hubComputer, "up")
	m.submit(g, body)
	m.allEnd(once)

	t.Log("an agent is killed while it works")
	held = m.hold()
	m.each()
	victim := held[0]
	name := m.task(victim).Attempts[0].Agent
	worker := m.pid(victim)
	m.agents[name].kill()
	m.until("the end of what the killed agent had started", func() bool { return syscall.Kill(worker, 0) != nil })
	m.letGo(held...)
	m.allEnd(func(g *given, n int) bool { return g == victim && n == 2 || g != victim && n == 1 })
	if got := m.gone(name); !got {
		t.Errorf("the hub doesn't report that %s is away", name)
	}
}

// gone reports whether a task for the agent waits because it is not there.
func (m *team) gone(name string) (away bool) {
	m.t.Helper()
	var sent struct{ TaskID string }
	m.insist(
		http.MethodPost,
		"/submit_task",
		"",
		map[string]any{
			"sessionId":  "s",
			"userPrompt": "p",
			"taskType":   "chat",
			"context":    map[string]any{"agent": name},
		},
		&sent,
	)
	m.until("the task waits for "+name, func() bool {
		var got struct {
			Status task.Status
			Waits  *struct{ Reason string }
		}
		m.insist(http.MethodGet, "/tasks/"+sent.TaskID, "", nil, &got)
		away = got.Status == task.Pending && got.Waits != nil && got.Waits.Reason == "away"
		return away || got.Status.Ended()
	})
	return away
}
