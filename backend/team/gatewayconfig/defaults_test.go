package gatewayconfig

import (
	"encoding/json"
	"strings"
	"testing"

	"agentflow/backend/base/docedit"
	"agentflow/backend/team/topology"
)

const inheritedConfig = `{
  "agents": {
    "defaults": {"thinkingDefault":"low",  "sandbox": {"mode":"all",  "docker":{"cpus":1}}, "big":12345678901234567890},
    "entries": {"a": {}}
  }
}
`

func inherit(key, value string) func(*topology.Topology) {
	return func(t *topology.Topology) {
		var raw json.RawMessage
		if value != "" {
			raw = json.RawMessage(value)
		}
		t.Defaults = t.Defaults.With(key, raw)
	}
}

// OC-1: an edit of one inherited value leaves every byte of the others, and what came to the gateway since.
func TestOC1_DefaultsAreWrittenValueByValue(t *testing.T) {
	none := func(t *topology.Topology) { t.Defaults = nil }
	for name, c := range map[string]struct {
		config      string
		base, draft func(*topology.Topology)
		has, lacks  []string
	}{
		"nothing": {config: inheritedConfig, draft: func(*topology.Topology) {}, has: []string{inheritedConfig}},
		"one value": {
			config: inheritedConfig, draft: inherit("sandbox", `{"mode":"off","docker":{"cpus":1}}`),
			has: []string{`{"mode":"off",  "docker":{"cpus":1}}`, `"thinkingDefault":"low",  "sandbox"`,
				"12345678901234567890"},
		},
		"a reset": {
			config: inheritedConfig, draft: inherit("thinkingDefault", ""), lacks: []string{"thinkingDefault"},
			has: []string{`{"mode":"all",  "docker":{"cpus":1}}`},
		},
		"a reset inside": {
			config: inheritedConfig, draft: inherit("sandbox", `{"docker":{"cpus":1}}`),
			has: []string{`"cpus":1`}, lacks: []string{`"mode"`},
		},
		"the gateway has more since": {
			config: inheritedConfig, base: none, draft: inherit("sandbox", `{"scope":"agent"}`),
			has: []string{`"mode":"all"`, `"scope":`, "thinkingDefault"},
		},
		"what names an agent stays": {
			config: `{"agents":{"entries":{"a":{}},"defaults":{` +
				`"systemAgent":{"agentId":"a"},"heartbeat":{"agentId":"a","every":"1h"}}}}`,
			draft: func(t *topology.Topology) { t.Defaults = nil },
			has:   []string{`"systemAgent":{"agentId":"a"}`, `"heartbeat":{"agentId":"a"}`},
		},
		"the first": {
			config: `{"agents":{"entries":{"a":{}}}}`, draft: inherit("thinkingDefault", `"high"`),
			has: []string{`"thinkingDefault":"high"`},
		},
		"of an empty config": {config: `{}`, draft: inherit("thinkingDefault", `"high"`), has: []string{"high"}},
		"a stored secret isn't written elsewhere": {
			config: `{"agents":{"entries":{"a":{}}}}`, draft: inherit("params", `{"key":"`+Redacted+`"}`),
			lacks: []string{Redacted},
		},
	} {
		got, _ := written(t, c.config, c.base, c.draft)
		for _, part := range c.has {
			if !strings.Contains(got, part) {
				t.Errorf("%s: lacks %s:\n%s", name, part, got)
			}
		}
		for _, part := range c.lacks {
			if strings.Contains(got, part) {
				t.Errorf("%s: still has %s:\n%s", name, part, got)
			}
		}
	}
}

// OC-1: defaults that the config can't hold stay in the team, and are named.
func TestOC1_DefaultsWithoutAPlace(t *testing.T) {
	for name, config := range map[string]string{
		"another form":  `{"agents":{"defaults":["odd"],"entries":{"a":{}}}}`,
		"an agent's ID": `{"agents":{"a":{},"defaults":{"name":"Defaults"}}}`,
	} {
		got, losses := written(t, config, nil, inherit("thinkingDefault", `"high"`))
		if len(losses) != 1 || losses[0].Field != keyDefaults || strings.Contains(got, "high") {
			t.Errorf("%s: %+v\n%s", name, losses, got)
		}
	}
	doc, err := docedit.FromJSON([]byte(`{"agents":{"defaults":"odd","entries":{"a":{}}}}`), "")
	if err != nil {
		t.Fatal(err)
	}
	r, err := Read(doc)
	if err != nil || len(r.Topology.Defaults) > 0 || len(r.Warnings) != 1 {
		t.Errorf("%v %+v", err, r)
	}
}
