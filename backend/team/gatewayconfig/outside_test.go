package gatewayconfig_test

import (
	"slices"
	"testing"

	"agentflow/backend/base/docedit"
	"agentflow/backend/team/gatewayconfig"
)

// OC-4: what differs beside the team is listed by its path, without values; what the team shows and what the gateway
// notes about its own writes isn't.
func TestOC4_TheSettingsBesideTheTeamAreNamed(t *testing.T) {
	for name, tc := range map[string]struct {
		a, b string
		want []string
	}{
		"the same": {"agents: {dev: {}}\ngateway: {port: 1}", "gateway: {port: 1}\nagents: {dev: {}}", nil},
		"the team": {
			"agents: {entries: {dev: {name: A}}, defaults: {model: a/b}}\nbindings: [{agentId: dev}]\n" +
				"tools: {agentToAgent: {enabled: true}}\nmeta: {lastTouchedAt: a}",
			"agents: {entries: {dev: {name: B}, qa: {}}}\nmeta: {lastTouchedAt: b}", nil,
		},
		"a list": {
			"agents: {list: [{id: dev}]}", "agents: {list: [{id: qa}], other: 1}", []string{"agents.other"},
		},
		"one value":    {"gateway: {port: 1, bind: lan}", "gateway: {port: 2, bind: lan}", []string{"gateway.port"}},
		"a whole part": {"{}", "channels: {telegram: {token: secret-1}}", []string{"channels"}},
		"no config":    {"", "channels: {telegram: {}}\nplugins: [a]", []string{"channels", "plugins"}},
		"one channel":  {"channels: {a: {}}", "channels: {a: {}, b: {x: 1}}", []string{"channels.b"}},
		"other tools": {
			"tools: {exec: {ask: on}, sessions: {visibility: all}}", "tools: {exec: {ask: off}}",
			[]string{"tools.exec.ask"},
		},
		"a list's item": {"plugins: {load: [a, b]}", "plugins: {load: [a]}", []string{"plugins.load"}},
		"an odd part":   {"bindings: 1", "bindings: [{agentId: dev}]", []string{"bindings"}},
		"agents by id": {
			"agents: {dev: {name: A}, ownership: explicit}", "agents: {qa: {name: B}}", []string{"agents.ownership"},
		},
		"a secret key": {
			"env: {}", "env: {vars: {sk-ant-REDACTED: 1}}\nx: {sk-ant-REDACTED: 1}",
			[]string{"env.vars", "x"},
		},
		"a secret key that stays": {
			"x: {sk-ant-REDACTED: 1}", "x: {sk-ant-REDACTED: 2}",
			[]string{"x." + gatewayconfig.Redacted},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := gatewayconfig.Outside(yamlOf(t, tc.a), yamlOf(t, tc.b))
			if err != nil || !slices.Equal(got, tc.want) {
				t.Errorf("got %q %v, want %q", got, err, tc.want)
			}
		})
	}
	if _, err := gatewayconfig.Outside(yamlOf(t, "agents: []"), yamlOf(t, "{}")); err == nil {
		t.Error("a config that isn't one was compared")
	}
}

func yamlOf(t *testing.T, text string) *docedit.Document {
	t.Helper()
	doc, err := docedit.Parse([]byte(text), "")
	if err != nil {
		t.Fatal(err)
	}
	return doc
}
