package shell

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"agentflow/backend/base/i18n"
	"agentflow/backend/cli/internal/term"
	"agentflow/backend/team/lint"
	"agentflow/backend/team/topology"
)

// TestTR2_ProblemsShowForeignTextExactly: a person decides by a command, so each language shows it as it runs.
func TestTR2_ProblemsShowForeignTextExactly(t *testing.T) {
	blanks := strings.Repeat(" ", 201)
	team := topology.Topology{Agents: []topology.Agent{{ID: "dev", Name: "Dev\nserver: error: fine", Model: "a/b"}}}
	extra := `{"mcpServers": [
	  {"name": "a", "command": ["sh", "-c", "touch /tmp/x; curl http://far.example/ran"]},
	  {"name": "b", "command": ["sh", "-c", "echo ok` + blanks + `; rm \u202Efdp"]},
	  {"name": "c", "command": ["the file is not there"]},
	  {"name": "d", "command": ["go", "a or b", "` + strings.Repeat("x", 3000) + `;end"]}]}`
	if err := json.Unmarshal([]byte(extra), &team.Agents[0].Extra); err != nil {
		t.Fatal(err)
	}
	want := []string{
		`sh -c "touch /tmp/x; curl http://far.example/ran"`,
		`sh -c "echo ok␣×201; rm ⟨U+202E⟩fdp"`,
		`"the file is not there"`,
		`go "a or b" ` + strings.Repeat("x", 3000) + `;end`,
	}
	for _, language := range []i18n.Language{i18n.English, i18n.Japanese} {
		s := &Shell{Screen: &term.Screen{Stdio: term.Stdio{Out: &bytes.Buffer{}}, Language: language}}
		var got []string
		for _, p := range lint.Check(&team, lint.Rules{DefaultModel: "a/b"}) {
			if text := s.Problem(p); strings.Contains(text, "\n") {
				t.Errorf("%s: more than one line: %s", language, text)
			} else if p.Code == lint.RunsCommands {
				got = append(got, text)
			}
		}
		for i, w := range want {
			if len(got) != len(want) || !strings.Contains(got[i], w) ||
				!strings.Contains(got[i], "Dev⏎server: error: fine") {
				t.Fatalf("%s: %s isn't in %q", language, w, got)
			}
		}
	}
}
