package gatewayconfig

import (
	"encoding/json"
	"strings"
	"testing"

	"agentflow/backend/base/docedit"
	"agentflow/backend/team/topology"
)

const castConfig = `{
  "agents": {"entries": {"a": {}, "b": {}}, "ownership": "explicit"},
  "broadcast": {"strategy":"parallel",  "telegram:-7": {"agents":["a",  "b"], "maxRounds":2, "later":[1,  2]},
    "1@g.us": ["a"]}
}
`

func cast(key, value string) func(*topology.Topology) {
	return func(t *topology.Topology) {
		var raw json.RawMessage
		if value != "" {
			raw = json.RawMessage(value)
		}
		t.Broadcast = t.Broadcast.With(key, raw)
	}
}

// OC-3: an edit of one broadcast group leaves every byte of the others. A team that says nothing changes none.
func TestOC3_BroadcastGroupsAreWrittenOneByOne(t *testing.T) {
	const bare = `{"agents":{"entries":{"a":{}}}}`
	const only = `{"agents":{"entries":{"a":{}}},"broadcast":{"x:1":["a"]}}`
	none := func(t *topology.Topology) { t.Broadcast = nil }
	nothing := func(*topology.Topology) {}
	for name, c := range map[string]struct {
		config      string
		base, draft func(*topology.Topology)
		has, lacks  []string
	}{
		"nothing":       {config: castConfig, draft: nothing, has: []string{castConfig}},
		"nothing said":  {config: castConfig, base: none, draft: none, has: []string{castConfig}},
		"nothing there": {config: bare, draft: nothing, has: []string{bare}},
		"one is added": {config: castConfig, draft: cast("slack:C1", `["b"]`), has: []string{
			`"telegram:-7": {"agents":["a",  "b"], "maxRounds":2, "later":[1,  2]}`, `"slack:C1"`, `"parallel",  "tele`,
		}},
		"other agents": {config: castConfig,
			draft: cast("telegram:-7", `{"agents":["b"],"maxRounds":2,"later":[1,2]}`),
			has:   []string{`"maxRounds":2, "later":[1,  2]}`, `"1@g.us": ["a"]`}, lacks: []string{`["a",  "b"]`}},
		"the strategy": {config: castConfig, draft: cast("strategy", `"sequential"`),
			has: []string{`{"strategy":"sequential",  "telegram:-7": {"agents":["a",  "b"]`}},
		"one is removed": {config: castConfig, draft: cast("1@g.us", ""), has: []string{`["a",  "b"]`},
			lacks: []string{"1@g.us"}},
		"the gateway has more since": {config: castConfig, base: none, draft: cast("slack:C1", `["b"]`),
			has: []string{`"slack:C1"`, `["a",  "b"]`, `"parallel"`}},
		"one that the gateway took away since": {config: castConfig, base: cast("x:1", `["a"]`), draft: nothing,
			has: []string{castConfig}},
		"the first":       {config: bare, draft: cast("x:1", `["a"]`), has: []string{`"broadcast"`, `"x:1"`}},
		"an empty config": {config: `null`, draft: cast("x:1", `["a"]`), has: []string{`"x:1"`}},
		"the last goes":   {config: only, draft: none, has: []string{bare[:len(bare)-1]}, lacks: []string{"broadcast"}},
		"no map": {config: `{"agents":{"entries":{"a":{}}},"broadcast":[1]}`, draft: nothing,
			has: []string{`"broadcast":[1]`}},
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

// OC-3: groups that the config can't hold stay in the team, and are named.
func TestOC3_BroadcastGroupsWithoutAPlace(t *testing.T) {
	config := `{"agents":{"entries":{"a":{}}},"broadcast":[1]}`
	got, losses := written(t, config, nil, cast("x:1", `["a"]`))
	if len(losses) != 1 || losses[0].Field != keyBroadcast || losses[0].Reason != LossShape || got != config {
		t.Errorf("%+v\n%s", losses, got)
	}
	doc, err := docedit.FromJSON([]byte(config), "")
	if err != nil {
		t.Fatal(err)
	}
	if r, err := Read(doc); err != nil || len(r.Warnings) != 1 || len(r.Topology.Broadcast) > 0 {
		t.Errorf("%v %+v", err, r)
	}
	if doc, err = docedit.FromJSON([]byte(`{"agents":{"a":{}}}`), ""); err != nil {
		t.Fatal(err)
	}
	draft := &topology.Topology{Agents: []topology.Agent{{ID: "a"}}}
	cast("x:1", `["a"]`)(draft)
	limits := CapabilitiesFor(Features{Local: true}).Limits
	out, losses, err := Write(doc, nil, draft, limits)
	if err != nil || len(losses) != 1 || losses[0].Reason != LossNoPlace ||
		strings.Contains(string(out.Bytes()), keyBroadcast) {
		t.Errorf("the built-in gateway: %v %+v\n%s", err, losses, out.Bytes())
	}
	if limits.Sends(topology.Change{Subject: topology.SubjectBroadcast}) {
		t.Error("the built-in gateway is sent broadcast groups")
	}
}
