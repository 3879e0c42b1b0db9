//go:build linux

package codecli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"agentflow/backend/base/sandbox"
	"agentflow/backend/model/llm"
	"agentflow/backend/plan/codeclitest"
	"agentflow/backend/plan/meta"
)

const criteria = `{"type":"plan_task","acceptance_criteria":[{"id":"AC-1","description":"works"}]}`

// The real Codex as the planner: an unusable answer, and the retry.
func TestME12_RealCodexAsTheMetaAgent(t *testing.T) {
	path := codeclitest.Codex(t)
	m := codeclitest.Serve(t, codeclitest.Script(codeclitest.Reply{Text: "Let me think."}, codeclitest.Reply{Text: criteria}))
	a := Answers{Worker: Worker{Kind: Codex, Command: path, Env: map[string]string{"STUB_KEY": "k"}, ToolSpecific: m.Settings()}, Home: t.TempDir()}
	var calls []meta.Call
	got, err := meta.New(meta.Options{Models: a, Model: "codex/stub-1", Record: func(c meta.Call) { calls = append(calls, c) }}).PlanTask(t.Context(), meta.PRD{Text: "x"})
	if err != nil || len(got.AcceptanceCriteria) != 1 || len(calls) != 2 || calls[1].TokensIn != 100 || calls[0].Error == "" {
		t.Errorf("%+v, %v, %+v", got, err, calls)
	}
}

// Transient errors are retried three times, permanent ones aren't.
func TestME5_ACLIIsAskedAgainOnlyWhereThatHelps(t *testing.T) {
	for name, c := range map[string]struct {
		failure string
		fails   int
		tries   int
		good    bool
	}{
		"5xx, then well": {"unexpected status 503 Service Unavailable", 2, 3, true},
		"429 for ever":   {"exceeded retry limit, last status: 429", 9, 4, false},
		"401":            {"unexpected status 401 Unauthorized", 9, 1, false},
	} {
		count := filepath.Join(t.TempDir(), "count")
		path := program(t, `cat > /dev/null; echo x >> `+count+`; if [ $(wc -l < `+count+`) -le `+string(rune('0'+c.fails))+` ]; then echo '{"type":"turn.failed","error":{"message":"`+c.failure+`"}}'; exit 1; fi
			echo '{"type":"item.completed","item":{"type":"agent_message","text":"yes"}}'; echo '{"type":"turn.completed"}'`)
		a := Answers{Worker: Worker{Kind: Codex, Command: path, Sandbox: sandbox.Settings{Write: []string{filepath.Dir(count)}}}, Home: t.TempDir(), Pauses: []time.Duration{0, 0, 0}}
		got, err := a.Stream(t.Context(), llm.Request{Model: "codex/m", System: "S", Messages: []llm.Message{{Role: llm.RoleUser, Text: "Q"}}}, func(string) error { return nil })
		tries, _ := os.ReadFile(count)
		if (err == nil) != c.good || strings.Count(string(tries), "x") != c.tries || c.good && got.Text != "yes" {
			t.Errorf("%s: %+v, %v after %d tries", name, got, err, strings.Count(string(tries), "x"))
		}
	}
}
