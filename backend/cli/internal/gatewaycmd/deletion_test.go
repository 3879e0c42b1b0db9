package gatewaycmd

import (
	"testing"

	"agentflow/backend/cli/internal/shell"
	"agentflow/backend/cli/internal/term"
	"agentflow/backend/gateway/openclaw"
)

// TestAPP3_ADeletionNamesTheJobsThatGo: the gateway deletes an agent's scheduled jobs with it.
func TestAPP3_ADeletionNamesTheJobsThatGo(t *testing.T) {
	p := program{&shell.Shell{Screen: term.NewScreen(term.Stdio{}, func(string) string { return "" })}}
	for between, d := range map[string]openclaw.Deletion{
		"": {},
		" with 1 channel binding; the gateway deletes its scheduled jobs: News, Pulse": {
			Bindings: 1, Jobs: []string{"News", "Pulse"}},
		"; it leaves 2 broadcast groups":                                                          {Broadcast: 2},
		"; the gateway deletes its scheduled jobs, which couldn't be read":                        {JobsUnread: true},
		"; the gateway deletes its sessions and their messages, which a rollback doesn't restore": {ByGateway: true},
	} {
		want := "removes agent dev" + between + "; its files stay"
		d.Agent, d.Possible = "dev", true
		if got := p.deletion(d); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}
