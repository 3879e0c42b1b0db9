package lint

import (
	"encoding/json"
	"slices"
	"testing"

	"agentflow/backend/team/topology"
)

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

// An agent that a channel's messages are bound to is an entry point.
func TestOC3_ABoundAgentIsReached(t *testing.T) {
	bound := chain("a: b", "b:", "c:", "d:")
	bound.Bindings = topology.Bindings{json.RawMessage(`{"agentId":"c","match":{"channel":"telegram"}}`)}
	if got, want := found(bound, Rules{}), []string{"unreachable_agent d"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
