package gatewayconfig

import (
	"encoding/json"
	"strings"
	"testing"

	"agentflow/backend/base/docedit"
	"agentflow/backend/team/topology"
)

const messagesConfig = `{
  "agents": {"entries": {"a": {}, "b": {}}, "ownership": "explicit"},
  "tools": {"deny":["exec"],  "agentToAgent": {"allow":["a",  "x-*"], "enabled":false},
    "sessions": {"visibility":"tree"}}
}
`

func say(key, value string) func(*topology.Topology) {
	return func(t *topology.Topology) {
		var raw json.RawMessage
		if value != "" {
			raw = json.RawMessage(value)
		}
		t.Messages = t.Messages.With(key, raw)
	}
}

// OC-3: an edit of one setting for messages leaves every byte of the others. A team that says nothing changes none.
func TestOC3_MessageSettingsAreWrittenValueByValue(t *testing.T) {
	const bare = `{"agents":{"entries":{"a":{}}}}`
	const withTools = `{"agents":{"entries":{"a":{}}},"tools":{"deny":["exec"]}}`
	const only = `{"agents":{"entries":{"a":{}}},"tools":{"agentToAgent":{"enabled":true}}}`
	none := func(t *topology.Topology) { t.Messages = nil }
	nothing := func(*topology.Topology) {}
	for name, c := range map[string]struct {
		config      string
		base, draft func(*topology.Topology)
		has, lacks  []string
	}{
		"nothing":              {config: messagesConfig, draft: nothing, has: []string{messagesConfig}},
		"nothing said":         {config: messagesConfig, base: none, draft: none, has: []string{messagesConfig}},
		"nothing there":        {config: bare, draft: nothing, has: []string{bare}},
		"nothing among others": {config: withTools, draft: nothing, has: []string{withTools}},
		"one value": {config: messagesConfig, draft: say("enabled", "true"),
			has: []string{`{"allow":["a",  "x-*"], "enabled":true}`, `{"deny":["exec"],  "agent`}},
		"the list": {config: messagesConfig, draft: say("allow", `["a","x-*","b"]`),
			has: []string{`"b"`, `"enabled":false`, `{"visibility":"tree"}`}},
		"a reset": {config: messagesConfig, draft: say("visibility", ""), has: []string{`"deny":["exec"]`, `"x-*"`},
			lacks: []string{"visibility", "sessions"}},
		"the gateway has more since": {config: messagesConfig, base: none, draft: say("visibility", `"all"`),
			has: []string{`"all"`, `["a",  "x-*"]`}},
		"the first": {config: bare, draft: say("enabled", "true"),
			has: []string{`"agentToAgent":{"enabled":true}`}},
		"beside others": {config: withTools, draft: say("visibility", `"all"`),
			has: []string{`"deny":["exec"]`, `"all"`}},
		"of a fresh one": {config: `{}`, draft: say("enabled", "true"), has: []string{"agentToAgent"}},
		"the last goes":  {config: only, draft: none, has: []string{`"a"`}, lacks: []string{"tools"}},
		"others stay then": {config: messagesConfig, draft: none, has: []string{`"deny":["exec"]`},
			lacks: []string{"agentToAgent"}},
	} {
		got, losses := written(t, c.config, c.base, c.draft)
		if len(losses) > 0 {
			t.Errorf("%s: %+v", name, losses)
		}
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

// OC-3: the settings are read as they are, in whatever form, and come back the same.
func TestOC3_MessageSettingsAreRead(t *testing.T) {
	for config, want := range map[string]string{
		`{"agentToAgent":{"enabled":true,"allow":["a","*"]},"sessions":{"visibility":"all"}}`: "" +
			`{"enabled":true,"allow":["a","*"],"visibility":"all"}`,
		`{"agentToAgent":{"allow":[1,null]},"sessions":{"other":1}}`: `{"allow":[1,null]}`,
		`{"agentToAgent":{"enabled":null},"sessions":null}`:          `{"enabled":null}`,
		`{"agentToAgent":"odd"}`:                                     `null`,
		`[]`:                                                         `null`,
		`null`:                                                       `null`,
	} {
		doc, err := docedit.FromJSON([]byte(`{"agents":{"entries":{"a":{}}},"tools":`+config+`}`), "")
		if err != nil {
			t.Fatal(err)
		}
		r, err := Read(doc)
		got := "null"
		if len(r.Topology.Messages) > 0 {
			raw, _ := json.Marshal(r.Topology.Messages)
			got = string(raw)
		}
		odd := config == "[]" || strings.Contains(config, "odd")
		if err != nil || got != want || (len(r.Warnings) > 0) != odd {
			t.Errorf("%s: %s, %+v, %v", config, got, r.Warnings, err)
		}
	}
}

// OC-3: settings that the config can't hold stay in the team, and are named.
func TestOC3_MessageSettingsWithoutAPlace(t *testing.T) {
	for config, field := range map[string]string{
		`{"agents":{"entries":{"a":{}}},"tools":[]}`:                  keyMessages,
		`{"agents":{"entries":{"a":{}}},"tools":{"sessions":"odd"}}`:  keyMessages,
		`{"agents":{"entries":{"a":{}}},"tools":{"agentToAgent":{}}}`: keyMessages + ".later",
	} {
		key := "enabled"
		if strings.HasSuffix(field, "later") {
			key = "later"
		}
		got, losses := written(t, config, nil, say(key, "true"))
		if len(losses) != 1 || losses[0].Field != field || got != config {
			t.Errorf("%s: %+v\n%s", config, losses, got)
		}
	}
	doc, err := docedit.FromJSON([]byte(`{"agents":{"a":{}}}`), "")
	if err != nil {
		t.Fatal(err)
	}
	draft := &topology.Topology{Agents: []topology.Agent{{ID: "a"}}}
	say("enabled", "true")(draft)
	limits := CapabilitiesFor(Features{Local: true}).Limits
	out, losses, err := Write(doc, nil, draft, limits)
	if err != nil || len(losses) != 1 || losses[0].Reason != LossNoPlace ||
		strings.Contains(string(out.Bytes()), "tools") {
		t.Errorf("the built-in gateway: %v %+v\n%s", err, losses, out.Bytes())
	}
	if limits.Sends(topology.Change{Subject: topology.SubjectMessages}) {
		t.Error("the built-in gateway is sent settings for messages")
	}
}
