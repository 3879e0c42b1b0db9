package gatewayconfig_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"agentflow/backend/base/docedit"
	"agentflow/backend/gateway/gatewaytest"
	"agentflow/backend/team/gatewayconfig"
	"agentflow/backend/team/gatewayschema"
)

const plainAgent = `{"agents":{"entries":{"main":{"name":"Main"}}}}`

// example returns a value of a kind that the setting takes; nil for groups, whose settings have their own values.
func example(s *gatewayschema.Setting, kind gatewayschema.Kind) any {
	switch kind {
	case gatewayschema.KindChoice:
		return s.Choices[len(s.Choices)-1]
	case gatewayschema.KindBoolean:
		return false
	case gatewayschema.KindInteger:
		return 7.0
	case gatewayschema.KindNumber:
		return 0.5
	case gatewayschema.KindText:
		if s.Sensitive {
			return "${A_SECRET}"
		}
		return "a text"
	case gatewayschema.KindList:
		items := gatewayschema.Setting{Kinds: s.Items.Kinds, Choices: s.Items.Choices}
		return []any{example(&items, items.Kinds[0])}
	case gatewayschema.KindMap:
		if len(s.Settings) > 0 && s.Settings[len(s.Settings)-1].Key == gatewayschema.Any {
			each := &s.Settings[len(s.Settings)-1]
			if v := example(each, each.Kinds[0]); v != nil {
				return map[string]any{"own": v}
			}
		}
		return map[string]any{"own": map[string]any{}}
	case gatewayschema.KindAny:
		return "anything"
	}
	return nil
}

// agentWith returns a config whose agent has one more value.
func agentWith(t *testing.T, path []string, value any) string {
	t.Helper()
	var doc map[string]any
	if err := json.Unmarshal([]byte(plainAgent), &doc); err != nil {
		t.Fatal(err)
	}
	put(doc, append([]string{"agents", "entries", "main"}, path...), value)
	text, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func put(m map[string]any, path []string, value any) {
	for _, key := range path[:len(path)-1] {
		below, ok := m[named(key)].(map[string]any)
		if !ok {
			below = map[string]any{}
			m[named(key)] = below
		}
		m = below
	}
	m[named(path[len(path)-1])] = value
}

// named gives an entry of a map a name.
func named(key string) string {
	if key == gatewayschema.Any {
		return "an-entry"
	}
	return key
}

func parsed(t *testing.T, text string) *docedit.Document {
	t.Helper()
	doc, err := docedit.FromJSON([]byte(text), "")
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func reading(t *testing.T, doc *docedit.Document) gatewayconfig.Reading {
	t.Helper()
	r, err := gatewayconfig.Read(doc)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// carried checks that a team read from one config is written into another, read back unchanged, and taken out again.
func carried(t *testing.T, from, to string) {
	t.Helper()
	limits := gatewayconfig.CapabilitiesFor(gatewayconfig.Features{Framed: true, Protocol: 4}).Limits
	was := parsed(t, from)
	before, after := reading(t, was), reading(t, parsed(t, to))
	for _, way := range [][2]gatewayconfig.Reading{{before, after}, {after, before}} {
		out, lost, err := gatewayconfig.Write(was, &way[0].Topology, &way[1].Topology, limits)
		if err != nil || len(lost) > 0 {
			t.Fatalf("losses %+v, %v", lost, err)
		}
		back := reading(t, out)
		if !back.Topology.Equal(&way[1].Topology) {
			got, _ := json.Marshal(back.Topology)
			want, _ := json.Marshal(way[1].Topology)
			t.Errorf("read back\n%s\nwant\n%s\nconfig %s", got, want, out.Bytes())
		}
		was = out
	}
}

// OC-1: each setting that a real gateway offers takes a value of each of its kinds, is written and read back unchanged,
// and is gone when it's reset. The gateway's own schema refuses none of the values.
func TestOC1_EverySettingIsWrittenAndReadBack(t *testing.T) {
	schema := gatewayschema.Read(gatewaytest.AgentSchema())
	d := gatewayschema.Describe(gatewayschema.Source{Schema: gatewaytest.AgentSchema()})
	values := 0
	all := map[string]any{}
	gatewayschema.Walk(d.Settings, func(path []string, s *gatewayschema.Setting) {
		for _, kind := range s.Kinds {
			value := example(s, kind)
			if value == nil {
				continue
			}
			values++
			to := agentWith(t, path, value)
			name := strings.Join(path, ".") + " as " + string(kind)
			t.Run(name, func(t *testing.T) {
				carried(t, plainAgent, to)
				var doc struct {
					Agents struct {
						Entries map[string]map[string]json.RawMessage `json:"entries"`
					} `json:"agents"`
				}
				if err := json.Unmarshal([]byte(to), &doc); err != nil {
					t.Fatal(err)
				}
				schema.Check(path[0], doc.Agents.Entries["main"][path[0]], func(r gatewayschema.Refusal) {
					t.Errorf("the schema refuses %+v", r)
				})
			})
			if !strings.Contains(name, "default as") { // a mark that an explicit roster has elsewhere
				put(all, path, value)
			}
			break
		}
	})
	if values < 246 {
		t.Errorf("only %d settings have a value", values)
	}
	text, err := json.Marshal(map[string]any{"agents": map[string]any{"entries": map[string]any{"main": all}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Run("all at once", func(t *testing.T) { carried(t, plainAgent, string(text)) })
}

// OC-1: each setting that every agent inherits is written, read back unchanged and reset, too. What names one agent is
// the gateway's own.
func TestOC1_EverySettingOfEveryoneIsWrittenAndReadBack(t *testing.T) {
	d := gatewayschema.Describe(gatewayschema.Source{Schema: gatewaytest.DefaultsSchema()})
	values, all := 0, map[string]any{}
	config := func(t *testing.T, path []string, value any) string {
		doc := map[string]any{}
		put(doc, []string{"agents", "entries", "main"}, map[string]any{"name": "Main"})
		put(doc, append([]string{"agents", "defaults"}, path...), value)
		text, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	empty := `{"agents":{"entries":{"main":{"name":"Main"}}}}`
	gatewayschema.Walk(d.Settings, func(path []string, s *gatewayschema.Setting) {
		if gatewayconfig.NamesOwner(path...) {
			return
		}
		for i, kind := range s.Kinds {
			value := example(s, kind)
			if value == nil {
				continue
			}
			values++
			t.Run(fmt.Sprint(strings.Join(path, "."), " as ", kind), func(t *testing.T) {
				carried(t, empty, config(t, path, value))
			})
			if i == 0 {
				put(all, path, value)
			}
		}
	})
	if values < 150 {
		t.Errorf("only %d settings have a value", values)
	}
	t.Run("all at once", func(t *testing.T) {
		doc, err := json.Marshal(map[string]any{"agents": map[string]any{
			"entries": map[string]any{"main": map[string]any{"name": "Main"}}, "defaults": all,
		}})
		if err != nil {
			t.Fatal(err)
		}
		carried(t, empty, string(doc))
	})
}

// OC-1: the other kinds of a setting with several survive as well.
func TestOC1_EachKindOfASettingIsCarried(t *testing.T) {
	d := gatewayschema.Describe(gatewayschema.Source{Schema: gatewaytest.AgentSchema()})
	gatewayschema.Walk(d.Settings, func(path []string, s *gatewayschema.Setting) {
		for _, kind := range s.Kinds[1:] {
			if value := example(s, kind); value != nil {
				t.Run(fmt.Sprint(strings.Join(path, "."), " as ", kind), func(t *testing.T) {
					carried(t, plainAgent, agentWith(t, path, value))
				})
			}
		}
	})
}

// OC-1: a setting beside a field that AgentFlow has itself goes into the same map, in one apply with it.
func TestOC1_SettingsBesideOwnFieldsInOneApply(t *testing.T) {
	const to = `{"agents":{"entries":{"main":{"name":"Main",
		"subagents":{"allowAgents":["*"],"thinking":"high","requireAgentId":true},
		"tools":{"profile":"coding","deny":["exec"],"exec":{"mode":"ask"},"alsoAllow":["x"]}}}}}`
	carried(t, plainAgent, to)
	carried(t, `{"agents":{"entries":{"main":{"name":"Main",
		"tools":{"profile":"full"},"subagents":{"allowAgents":["*"]}}}}}`, to)
}

// OC-1: a setting that is reset leaves no empty map behind where the map was only there for it.
func TestOC1_ResetLeavesNothing(t *testing.T) {
	limits := gatewayconfig.CapabilitiesFor(gatewayconfig.Features{Framed: true, Protocol: 4}).Limits
	for _, path := range []string{"tools.exec.mode", "subagents.thinking", "sandbox.mode"} {
		doc := parsed(t, agentWith(t, strings.Split(path, "."), "ask"))
		base, draft := reading(t, doc), reading(t, parsed(t, plainAgent))
		out, _, err := gatewayconfig.Write(doc, &base.Topology, &draft.Topology, limits)
		if err != nil {
			t.Fatal(err)
		}
		var got, want any
		if json.Unmarshal(out.Bytes(), &got) != nil || json.Unmarshal([]byte(plainAgent), &want) != nil ||
			!reflect.DeepEqual(got, want) {
			t.Errorf("%s: %s", path, out.Bytes())
		}
	}
}

// What the examples are made of is what the schema names.
func TestExamplesAreOfTheSchema(t *testing.T) {
	var keys struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if err := json.Unmarshal(gatewaytest.AgentSchema(), &keys); err != nil {
		t.Fatal(err)
	}
	if got := slices.Collect(maps.Keys(keys.Properties)); len(got) != 36 {
		t.Errorf("%d keys of an agent, want 36: %v", len(got), got)
	}
}
