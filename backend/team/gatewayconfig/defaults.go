package gatewayconfig

import (
	"slices"

	"gopkg.in/yaml.v3"

	"agentflow/backend/base/docedit"
	"agentflow/backend/team/topology"
)

// defaultsAt returns the settings that every agent inherits; nil where the config has none, and where the key is the ID
// of an agent.
func (r *roster) defaultsAt() *yaml.Node {
	at := docedit.Get(r.agents, keyDefaults)
	if docedit.IsNull(at) || r.shape == Map && !reserved(keyDefaults, at) {
		return nil
	}
	return at
}

// readDefaults returns the settings that every agent inherits. What isn't a map stays in the config.
func (r *roster) readDefaults(out *Reading) {
	at := r.defaultsAt()
	if at != nil && !docedit.IsMap(at) {
		out.Warnings = append(out.Warnings, Finding{Path: keyAgents + "." + keyDefaults, Line: line(at),
			Message: "agents.defaults isn't a map; its settings are not shown and stay in the config"})
		return
	}
	for _, e := range docedit.Entries(withoutOwners(at)) {
		f := topology.Field{Key: e.Key.Value, Value: docedit.AppendJSON(nil, e.Value, "")}
		out.Topology.Defaults = append(out.Topology.Defaults, f)
	}
}

// owners are the keys of agents.defaults in which a gateway names one agent for what has no other. Every agent inherits
// none of that, and the gateway writes it down without being asked.
var owners = map[string][]string{
	"systemAgent": nil, "authInheritance": nil, "sessionStore": nil, // the whole of each
	"heartbeat": {"agentId"},
}

// NamesOwner reports whether a path within agents.defaults names one agent, and so is no setting of every agent.
func NamesOwner(path ...string) bool {
	keys, there := owners[path[0]]
	return there && (keys == nil || len(path) > 1 && slices.Contains(keys, path[1]))
}

// withoutOwners returns the map without what names one agent, and without maps that had nothing else.
func withoutOwners(at *yaml.Node) *yaml.Node {
	out := docedit.Map()
	for _, e := range docedit.Entries(at) {
		keys, there := owners[e.Key.Value]
		switch {
		case !there, keys != nil && !docedit.IsMap(e.Value):
			out.Content = append(out.Content, e.Key, e.Value)
		case keys != nil:
			rest := docedit.Map()
			for _, x := range docedit.Entries(e.Value) {
				if !slices.Contains(keys, x.Key.Value) {
					rest.Content = append(rest.Content, x.Key, x.Value)
				}
			}
			if len(rest.Content) > 0 || len(docedit.Entries(e.Value)) == 0 {
				out.Content = append(out.Content, e.Key, rest)
			}
		}
	}
	return out
}

// defaults writes into doc what the draft changed of the settings that every agent inherits, value by value. What
// neither draft nor base have came to the gateway since, and stays.
func (w *writer) defaults(doc *docedit.Document, base, draft *topology.Topology) (*docedit.Document, error) {
	var was topology.Extra
	if base != nil {
		was = base.Defaults
	}
	if draft.Defaults.Equal(was) {
		return doc, nil
	}
	r, err := findRoster(doc)
	if err != nil {
		return nil, err
	}
	at := r.defaultsAt()
	taken := at == nil && !docedit.IsNull(docedit.Get(r.agents, keyDefaults))
	if w.limits.FullAgents || taken || at != nil && !docedit.IsMap(at) {
		reason := LossShape
		if w.limits.FullAgents {
			reason = LossNoPlace
		}
		w.lose(Loss{Field: keyDefaults, Reason: reason,
			Message: "the gateway's config can't hold settings that every agent inherits. They stay in the team"})
		return doc, nil
	}
	before, err := mapOf(was)
	if err != nil {
		return nil, err
	}
	want, err := mapOf(draft.Defaults)
	if err != nil {
		return nil, err
	}
	if own := withoutOwners(want); !docedit.Equal(own, want) {
		want = own
		w.lose(Loss{Field: keyDefaults, Reason: LossNoPlace,
			Message: "the gateway itself names agents in agents.defaults; what the team says of that is left out"})
	}
	return w.writeDefaults(doc, r, at, before, want)
}

// writeDefaults puts what is wanted into the place that the config has for it, or makes one.
func (w *writer) writeDefaults(
	doc *docedit.Document, r *roster, at, before, want *yaml.Node,
) (*docedit.Document, error) {
	w.ed = doc.Edit()
	emptied := len(want.Content) == 0 && !hasOther(at, keysOf(before)...) && docedit.Equal(withoutOwners(at), at)
	if at != nil && emptied {
		w.ed.Remove(r.agents, keyDefaults)
		return w.ed.Apply()
	}
	if at != nil {
		w.inside(keyDefaults, at, before, want)
		return w.ed.Apply()
	}
	if want = w.strip("", keyDefaults, want, nil); want == nil || len(want.Content) == 0 {
		return doc, nil
	}
	switch {
	case docedit.IsMap(r.agents):
		w.ed.Set(r.agents, keyDefaults, want)
	case docedit.IsMap(doc.Root()):
		w.ed.Set(doc.Root(), keyAgents, docedit.Map(docedit.KV(keyDefaults, want)))
	default:
		w.ed.SetRoot(docedit.Map(docedit.KV(keyAgents, docedit.Map(docedit.KV(keyDefaults, want)))))
	}
	return w.ed.Apply()
}

// mapOf returns unknown keys as one map.
func mapOf(extra topology.Extra) (*yaml.Node, error) {
	m := docedit.Map()
	for _, f := range extra {
		v, err := docedit.FromRaw(OrNull(f.Value))
		if err != nil {
			return nil, err
		}
		m.Content = append(m.Content, docedit.String(f.Key), v)
	}
	return m, nil
}

// inside changes the map at to what want says, where want differs from before.
func (w *writer) inside(path string, at, before, want *yaml.Node) {
	for _, e := range docedit.Entries(want) {
		key := e.Key.Value
		was, now := docedit.Get(before, key), docedit.Get(at, key)
		switch {
		case was != nil && docedit.Equal(was, e.Value), now != nil && docedit.Equal(now, e.Value):
		case docedit.IsMap(e.Value) && docedit.IsMap(now):
			w.inside(path+"."+key, now, was, e.Value)
		default:
			if v := w.strip("", path+"."+key, e.Value, now); v != nil {
				w.ed.Set(at, key, v)
			}
		}
	}
	for _, e := range docedit.Entries(before) {
		key := e.Key.Value
		now := docedit.Get(at, key)
		switch {
		case now == nil || docedit.Get(want, key) != nil:
		case docedit.IsMap(now) && docedit.IsMap(e.Value) && hasOther(now, keysOf(e.Value)...):
			w.inside(path+"."+key, now, e.Value, docedit.Map())
		default:
			w.ed.Remove(at, key)
		}
	}
}

func keysOf(m *yaml.Node) (keys []string) {
	for _, e := range docedit.Entries(m) {
		keys = append(keys, e.Key.Value)
	}
	return keys
}
