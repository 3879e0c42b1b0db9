package gatewayconfig

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"agentflow/backend/base/docedit"
	"agentflow/backend/team/topology"
)

const boundConfig = `{
  "agents": {"entries": {"a": {}, "b": {}}, "ownership": "explicit"},
  "bindings": [
    {"agentId":"a",  "match":{"channel":"telegram"},"comment":"kept as it is"},
    {"type":"acp","agentId":"a","match":{"channel":"x"},"acp":{"big":12345678901234567890}},
    "odd"
  ]
}
`

func written(t *testing.T, config string, base, draft func(*topology.Topology)) (string, []Loss) {
	t.Helper()
	doc, err := docedit.FromJSON([]byte(config), "")
	if err != nil {
		t.Fatal(err)
	}
	r, err := Read(doc)
	if err != nil {
		t.Fatal(err)
	}
	was := r.Topology.Clone()
	if base != nil {
		base(was)
	}
	want := was.Clone()
	draft(want)
	out, losses, err := Write(doc, was, want, CapabilitiesFor(Features{Framed: true, Protocol: 4}).Limits)
	if err != nil {
		t.Fatal(err)
	}
	return string(out.Bytes()), losses
}

func add(raw string) func(*topology.Topology) {
	return func(t *topology.Topology) { t.Bindings = append(t.Bindings, json.RawMessage(raw)) }
}

// OC-3: an edit of one binding leaves every byte of the others, also of those that AgentFlow doesn't understand.
func TestOC3_BindingsAreWrittenOneByOne(t *testing.T) {
	fresh := `{"agentId":"b","match":{"channel":"irc"}}`
	nothing := func(*topology.Topology) {}
	for name, c := range map[string]struct {
		config      string
		base, draft func(*topology.Topology)
		has, lacks  []string
	}{
		"nothing": {config: boundConfig, draft: nothing, has: []string{boundConfig}},
		"one is added": {config: boundConfig, draft: add(fresh), has: []string{
			`{"agentId":"a",  "match":{"channel":"telegram"},"comment":"kept as it is"}`,
			`12345678901234567890`, `"odd"`, `"irc"`,
		}},
		"another agent": {config: boundConfig, draft: func(t *topology.Topology) {
			t.Bindings[0] = json.RawMessage(`{"agentId":"b","match":{"channel":"telegram"},"comment":"kept as it is"}`)
		}, has: []string{`"agentId":"b",  "match":{"channel":"telegram"},"comment":"kept as it is"`, `"odd"`}},
		"one is removed": {config: boundConfig, draft: func(t *topology.Topology) {
			t.Bindings = t.Bindings[1:]
		}, has: []string{`"acp"`, `"odd"`}, lacks: []string{"telegram"}},
		"another order": {config: boundConfig, draft: func(t *topology.Topology) {
			t.Bindings[0], t.Bindings[1] = t.Bindings[1], t.Bindings[0]
		}, has: []string{`"odd"`, `12345678901234567890`, "telegram"}},
		"the team was imported before bindings were read": {config: boundConfig,
			base: func(t *topology.Topology) { t.Bindings = nil }, draft: add(fresh),
			has: []string{`"telegram"`, `"odd"`, `"irc"`}},
		"the first one": {config: `{"agents":{"entries":{"a":{}}}}`, draft: add(fresh),
			has: []string{`"bindings"`, `"irc"`}},
		"an empty config": {config: `null`, draft: add(fresh), has: []string{`"irc"`}},
		"one that the gateway took away since": {config: boundConfig, base: add(fresh), draft: nothing,
			has: []string{boundConfig}},
		"no list": {config: `{"agents":{"entries":{"a":{}}},"bindings":{"x":1}}`, draft: nothing,
			has: []string{`"bindings":{"x":1}`}},
	} {
		got, losses := written(t, c.config, c.base, c.draft)
		for _, want := range c.has {
			if !strings.Contains(got, want) {
				t.Errorf("%s: lacks %s\n%s", name, want, got)
			}
		}
		for _, not := range c.lacks {
			if strings.Contains(got, not) {
				t.Errorf("%s: has %s\n%s", name, not, got)
			}
		}
		if len(losses) > 0 {
			t.Errorf("%s: %+v", name, losses)
		}
	}
}

// OC-3: the order in the config is that of the draft, and a rule that came to the gateway since keeps its place.
func TestOC3_TheDraftOrdersTheBindings(t *testing.T) {
	config := strings.Replace(boundConfig, `"odd"`, `"odd", {"agentId":"a","match":{"channel":"new"}}`, 1)
	base := func(t *topology.Topology) { t.Bindings = t.Bindings[:3] }
	got, _ := written(t, config, base, func(t *topology.Topology) { slices.Reverse(t.Bindings) })
	doc, err := docedit.FromJSON([]byte(got), "")
	if err != nil {
		t.Fatal(err)
	}
	r, err := Read(doc)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{`"odd"`, `acp {"channel":"x"}`, `{"channel":"telegram"}`, `{"channel":"new"}`}
	if order := r.Topology.Bindings.Keys(); !slices.Equal(order, want) {
		t.Errorf("%q", order)
	}
}

// OC-3: where bindings can't be written, a change of them is named as lost.
func TestOC3_BindingsWithoutAPlaceAreNamed(t *testing.T) {
	config := `{"agents":{"entries":{"a":{}}},"bindings":{"x":1}}`
	_, losses := written(t, config, nil, add(`{"agentId":"a","match":{"channel":"y"}}`))
	if !slices.ContainsFunc(losses, func(l Loss) bool { return l.Field == "bindings" && l.Reason == LossShape }) {
		t.Errorf("%+v", losses)
	}
	doc, err := docedit.Parse([]byte("agents:\n  a: {}\n"), "")
	if err != nil {
		t.Fatal(err)
	}
	draft := &topology.Topology{Agents: []topology.Agent{{ID: "a"}}}
	add(`{"agentId":"a","match":{"channel":"y"}}`)(draft)
	out, losses, err := Write(doc, nil, draft, CapabilitiesFor(Features{Local: true}).Limits)
	if err != nil || strings.Contains(string(out.Bytes()), "bindings") ||
		!slices.ContainsFunc(losses, func(l Loss) bool { return l.Field == "bindings" && l.Reason == LossNoPlace }) {
		t.Errorf("%v %s %+v", err, out.Bytes(), losses)
	}
}
