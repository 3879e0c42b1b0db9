package lint

import "testing"

// A variable that no team can name is refused. The advice to allow it for a trusted host would be untrue.
func TestTR1_NoAdviceToAllowAVariableThatIsRefused(t *testing.T) {
	for variable, want := range map[string][]string{
		"AGENTFLOW_TOKEN":         {RefusedVariable},
		"AGENTFLOW_AGENT_FILES":   {SendsToken},
		"OPENAI_API_KEY":          {RefusedVariable},
		"AGENTFLOW_AGENT_OTHER_2": {SendsToken},
	} {
		a := agent("a", "A", "m")
		a.Extra = extra(`{"mcpServers":[{"name":"files","url":"https://mcp.example/mcp","tokenEnv":"` + variable + `"}]}`)
		var got []string
		for _, p := range Check(team(a), Rules{}) {
			if p.Code == RefusedVariable || p.Code == SendsToken {
				got = append(got, p.Code)
			}
		}
		if len(got) != len(want) || got[0] != want[0] {
			t.Errorf("%s: %v, want %v", variable, got, want)
		}
	}
}
