package openclaw

import (
	"encoding/json"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"agentflow/backend/base/docedit"
	"agentflow/backend/team/gatewayconfig"
	"agentflow/backend/team/topology"
)

// compare says where got is not want. What only got has is listed apart: gateways
// fill in fields by themselves.
func compare(want, got *topology.Topology) (diffs, added []Difference) {
	c := comparison{}
	there := gatewayconfig.ByID(got.Agents)
	for i := range want.Agents {
		w := &want.Agents[i]
		g := there[w.ID]
		if g == nil {
			c.diffs = append(c.diffs, Difference{Agent: w.ID, Want: "there", Got: "gone"})
			continue
		}
		delete(there, w.ID)
		c.agent(w, g)
	}
	for _, a := range got.Agents {
		if there[a.ID] != nil {
			c.diffs = append(c.diffs, Difference{Agent: a.ID, Want: "gone", Got: "there"})
		}
	}
	c.bindings(want.Bindings, got.Bindings)
	c.extras("broadcast.", want.Broadcast, got.Broadcast)
	c.extras("defaults.", want.Defaults, got.Defaults)
	c.extras("messages.", want.Messages, got.Messages)
	return c.diffs, c.added
}

// bindings compares the rules for messages. A gateway can add rules, and fill in fields of one.
func (c *comparison) bindings(want, got topology.Bindings) {
	c.id = ""
	there, used := got.Keys(), make([]bool, len(got))
	find := func(key string, raw json.RawMessage) int {
		if i := slices.Index(there, key); i >= 0 && !used[i] {
			return i
		}
		for i := range got {
			w, errW := docedit.FromRaw(gatewayconfig.OrNull(raw))
			g, errG := docedit.FromRaw(gatewayconfig.OrNull(got[i]))
			if !used[i] && errW == nil && errG == nil && covers(g, w) {
				return i
			}
		}
		return -1
	}
	for i, key := range want.Keys() {
		at := find(key, want[i])
		if at < 0 {
			c.diffs = append(c.diffs, Difference{Field: "bindings", Want: shorten(want[i]), Got: "gone"})
			continue
		}
		used[at] = true
		c.extra("bindings", want[i], got[at])
	}
	for i, raw := range got {
		if !used[i] {
			c.added = append(c.added, Difference{Field: "bindings", Got: shorten(raw)})
		}
	}
}

// moved is the team without the marks of a default agent that the gateway replaced. Since
// 2026.8 a gateway takes "default" out of an entry with the first config that is written,
// and names the agent in agents.defaults instead. A mark that it names nowhere stays, and
// so is a difference.
func moved(team *topology.Topology, now state) *topology.Topology {
	agents := docedit.Get(now.doc.Root(), "agents")
	if now.reading.Shape != ShapeEntries || !gatewayconfig.Explicit(agents) {
		return team
	}
	named := map[string]bool{}
	for _, e := range docedit.Entries(docedit.Get(agents, "defaults")) {
		if id, ok := docedit.Scalar(docedit.Get(e.Value, "agentId")); ok {
			named[id] = true
		}
	}
	out := team.Clone()
	for i := range out.Agents {
		a := &out.Agents[i]
		a.Extra = slices.DeleteFunc(a.Extra, func(f topology.Field) bool {
			return f.Key == gatewayconfig.KeyDefault && (string(f.Value) != "true" || named[string(a.ID)])
		})
	}
	return out
}

type comparison struct {
	id           topology.AgentID
	diffs, added []Difference
}

func (c *comparison) agent(want, got *topology.Agent) {
	c.id = want.ID
	for _, f := range gatewayconfig.TextFields {
		c.value(f.Key, f.Of(want), f.Of(got))
	}
	c.value("model", want.Model, got.Model)
	c.value("fallbacks", strings.Join(want.Fallbacks, ", "), strings.Join(got.Fallbacks, ", "))
	wt, gt := orNone(want.Tools), orNone(got.Tools)
	c.value("tools.profile", wt.Profile, gt.Profile)
	c.value("tools.allow", set(wt.Allow), set(gt.Allow))
	c.value("tools.deny", set(wt.Deny), set(gt.Deny))
	for _, f := range gatewayconfig.NumberFields {
		c.value(f.Key, asText(f.Of(want)), asText(f.Of(got)))
	}
	c.exactly("subagents.allowAgents", set(gatewayconfig.Targets(want)), set(gatewayconfig.Targets(got)))
	c.exactly("connections", links(want), links(got))
	c.extras("extra.", want.Extra, got.Extra)
}

// extras compares unknown keys; at is what the names of their fields begin with.
func (c *comparison) extras(at string, want, got topology.Extra) {
	for _, f := range want {
		g, ok := got.Get(f.Key)
		if !ok {
			g = nil
		}
		c.extra(at+f.Key, f.Value, g)
	}
	for _, f := range got {
		if _, ok := want.Get(f.Key); !ok {
			c.added = append(c.added, Difference{Agent: c.id, Field: at + f.Key, Got: shorten(f.Value)})
		}
	}
}

// value takes what only the gateway has for its own addition.
func (c *comparison) value(field, want, got string) {
	switch {
	case want == got || got == Redacted:
	case want == "":
		c.added = append(c.added, Difference{Agent: c.id, Field: field, Got: got})
	default:
		c.diffs = append(c.diffs, Difference{Agent: c.id, Field: field, Want: want, Got: got})
	}
}

// exactly allows no additions: they would be rights that nobody gave.
func (c *comparison) exactly(field, want, got string) {
	if want != got {
		c.diffs = append(c.diffs, Difference{Agent: c.id, Field: field, Want: want, Got: got})
	}
}

func (c *comparison) extra(field string, want, got json.RawMessage) {
	w, errW := docedit.FromRaw(gatewayconfig.OrNull(want))
	g, errG := docedit.FromRaw(gatewayconfig.OrNull(got))
	switch {
	case errW == nil && errG == nil && docedit.Equal(w, g):
	case errW == nil && errG == nil && covers(g, w):
		c.added = append(c.added, Difference{Agent: c.id, Field: field, Got: shorten(got)})
	default:
		c.diffs = append(c.diffs, Difference{Agent: c.id, Field: field, Want: shorten(want), Got: shorten(got)})
	}
}

// covers reports whether g says everything that w says, and perhaps more. A secret
// that is masked when read back counts as said.
func covers(g, w *yaml.Node) bool {
	if s, ok := docedit.Text(g); ok && s == Redacted {
		return true
	}
	if !docedit.IsMap(w) {
		return docedit.Equal(w, g)
	}
	for _, e := range docedit.Entries(w) {
		v := docedit.Get(g, e.Key.Value)
		if v == nil || !covers(v, e.Value) {
			return false
		}
	}
	return docedit.IsMap(g)
}

func set(items []string) string {
	s := slices.Clone(items)
	slices.Sort(s)
	return strings.Join(slices.Compact(s), ", ")
}

func links(a *topology.Agent) string {
	var out []string
	for _, c := range a.Connections {
		if gatewayconfig.Told(c) {
			raw, err := json.Marshal(c)
			if err != nil {
				continue // its extra keys are not JSON, which reading never yields
			}
			out = append(out, string(raw))
		}
	}
	return set(out)
}

func asText[T any](p *T) string {
	if p == nil {
		return ""
	}
	raw, err := json.Marshal(*p)
	if err != nil {
		return ""
	}
	return string(raw)
}

func shorten(raw json.RawMessage) string {
	const most = 200
	s := string(raw)
	n, err := docedit.FromRaw(gatewayconfig.OrNull(raw))
	if err == nil {
		secrets(n, "", func(x *yaml.Node) { x.Value = Redacted })
		s = string(docedit.AppendJSON(nil, n, ""))
	}
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}

func orNone(t *topology.Tools) topology.Tools {
	if t == nil {
		return topology.Tools{}
	}
	return *t
}
