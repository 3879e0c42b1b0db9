package shape

import (
	"strings"

	"gopkg.in/yaml.v3"

	"agentflow/backend/topology"
	"agentflow/backend/yamldoc"
)

// containers are the maps of an agent of which only some keys are known. In Extra
// they stand for the rest of their keys.
var containers = map[string][]string{
	keySubagents: {keyAllowAgents},
	keyTools:     {keyProfile, keyAllow, keyDeny},
	keyModel:     {keyPrimary, keyFallbacks},
}

// extra writes the unknown keys that the drawing changed since base: those that came
// or changed, and those that went. Without a base nothing goes.
func (x *agentWriter) extra() error {
	var had topology.Extra
	if x.base != nil {
		had = x.base.Extra
	}
	for _, f := range x.want.Extra {
		if before, ok := had.Get(f.Key); ok && sameJSON(before, f.Value) {
			continue
		}
		if now, ok := x.now.Extra.Get(f.Key); ok && sameJSON(now, f.Value) {
			continue
		}
		if x.unmarked(x.want.ID, f.Key) {
			continue
		}
		if err := x.setExtra(f); err != nil {
			return err
		}
	}
	for _, f := range had {
		if _, stays := x.want.Extra.Get(f.Key); stays {
			continue
		}
		if _, there := x.now.Extra.Get(f.Key); there {
			x.dropExtra(f.Key)
		}
	}
	return nil
}

func sameJSON(a, b []byte) bool {
	na, errA := yamldoc.FromRaw(OrNull(a))
	nb, errB := yamldoc.FromRaw(OrNull(b))
	return errA == nil && errB == nil && yamldoc.Equal(na, nb)
}

func (x *agentWriter) setExtra(f topology.Field) error {
	v, err := yamldoc.FromRaw(OrNull(f.Value))
	if err != nil {
		return err
	}
	old := yamldoc.Get(x.node, f.Key)
	v = x.strip(x.want.ID, f.Key, v, old)
	if v == nil {
		return nil
	}
	known := containers[f.Key]
	if known == nil || !yamldoc.IsMap(v) || !yamldoc.IsMap(old) {
		if known != nil && old != nil && !yamldoc.IsNull(old) {
			return nil // the known part of it is in the way; it wins
		}
		x.ed.Set(x.node, f.Key, v)
		return nil
	}
	want := map[string]bool{}
	for _, e := range yamldoc.Entries(v) {
		want[e.Key.Value] = true
		if now := yamldoc.Get(old, e.Key.Value); now == nil || !yamldoc.Same(now, e.Value) {
			x.ed.Set(old, e.Key.Value, e.Value)
		}
	}
	x.dropParts(f.Key, old, want)
	return nil
}

// dropParts removes from a container what base had and the draft has not.
func (x *agentWriter) dropParts(key string, old *yaml.Node, want map[string]bool) {
	if x.base == nil {
		return
	}
	raw, _ := x.base.Extra.Get(key)
	had, err := yamldoc.FromRaw(OrNull(raw))
	if err != nil {
		return
	}
	for _, e := range yamldoc.Entries(had) {
		if !want[e.Key.Value] && yamldoc.Get(old, e.Key.Value) != nil {
			x.ed.Remove(old, e.Key.Value)
		}
	}
}

func (x *agentWriter) dropExtra(key string) {
	old := yamldoc.Get(x.node, key)
	if containers[key] != nil && yamldoc.IsMap(old) {
		x.dropParts(key, old, nil)
		return
	}
	x.ed.Remove(x.node, key)
}

// strip takes out what stands for a stored secret wherever old does not hold the same
// at the same place: written there it would be refused, or be taken for the secret.
func (w *writer) strip(id topology.AgentID, path string, v, old *yaml.Node) *yaml.Node {
	if s, ok := yamldoc.Text(v); ok {
		if o, _ := yamldoc.Text(old); !strings.Contains(s, Redacted) || o == s {
			return v
		}
		w.secret(id, path)
		return nil
	}
	if yamldoc.IsMap(v) {
		out := yamldoc.Map()
		for _, e := range yamldoc.Entries(v) {
			if kept := w.strip(id, path+"."+e.Key.Value, e.Value, yamldoc.Get(old, e.Key.Value)); kept != nil {
				out.Content = append(out.Content, e.Key, kept)
			}
		}
		return out
	}
	if yamldoc.IsList(v) {
		out := yamldoc.List(false)
		for i, item := range yamldoc.Items(v) {
			var before *yaml.Node
			if items := yamldoc.Items(old); i < len(items) {
				before = items[i]
			}
			if kept := w.strip(id, path, item, before); kept != nil {
				out.Content = append(out.Content, kept)
			}
		}
		if len(out.Content) == 0 && len(yamldoc.Items(v)) > 0 {
			return nil
		}
		return out
	}
	return v
}

// agentNode writes a whole new agent.
func (w *writer) agentNode(a *topology.Agent) (*yaml.Node, error) {
	m := yamldoc.Map()
	add := func(key string, v *yaml.Node) {
		m.Content = append(m.Content, yamldoc.String(key), v)
	}
	if w.shape == List {
		add(keyID, yamldoc.String(string(a.ID)))
	}
	w.addTexts(a, add)
	if ids := Targets(a); len(ids) > 0 {
		add(keySubagents, yamldoc.Map(yamldoc.KV(keyAllowAgents, yamldoc.Strings(ids))))
	}
	if a.Tools != nil && w.limits.Holds(w.shape, keyTools) {
		add(keyTools, toolsNode(a.Tools))
	} else if a.Tools != nil {
		w.noPlace(a.ID, keyTools)
	}
	w.addNumber(a.ID, keyTemperature, a.Temperature != nil, func() float64 { return *a.Temperature }, add)
	w.addNumber(a.ID, keyMaxTokens, a.MaxTokens != nil, func() float64 { return float64(*a.MaxTokens) }, add)
	if err := w.addLinks(a, add); err != nil {
		return nil, err
	}
	return m, w.addExtra(a, m)
}

// addTexts adds name, model, workspace and the other texts, in the order people
// write them.
func (w *writer) addTexts(a *topology.Agent, add func(string, *yaml.Node)) {
	lists := w.limits.Holds(w.shape, keyFallbacks)
	for _, f := range TextFields {
		s := f.Of(a)
		if f.Key == keyWorkspace && s == "" && w.shape == Map && w.limits.Home != "" {
			s = strings.TrimRight(w.limits.Home, "/") + "/.openclaw/workspace-" + string(a.ID)
		}
		switch {
		case s == "":
		case !w.limits.Holds(w.shape, f.Key):
			w.noPlace(a.ID, f.Key)
		case strings.Contains(s, Redacted):
			w.secret(a.ID, f.Key)
		default:
			add(f.Key, yamldoc.String(s))
		}
		if f.Key == keyName {
			if v := modelNode(a, lists); v != nil {
				add(keyModel, v)
			}
			if len(a.Fallbacks) > 0 && !lists {
				w.noPlace(a.ID, keyFallbacks)
			}
		}
	}
}

func (w *writer) addNumber(id topology.AgentID, key string, is bool, value func() float64, add func(string, *yaml.Node)) {
	if is && w.limits.Holds(w.shape, key) {
		add(key, yamldoc.Number(value()))
	} else if is {
		w.noPlace(id, key)
	}
}

func (w *writer) addLinks(a *topology.Agent, add func(string, *yaml.Node)) error {
	if !w.limits.Holds(w.shape, keyConnections) {
		w.lostLinks(a)
		return nil
	}
	var full []topology.Connection
	for _, c := range a.Connections {
		if Told(c) {
			full = append(full, c)
		}
	}
	if len(full) == 0 {
		return nil
	}
	list, err := linkNodes(full)
	if err == nil {
		add(keyConnections, list)
	}
	return err
}

// addExtra adds the unknown keys; those of a container go into it.
func (w *writer) addExtra(a *topology.Agent, m *yaml.Node) error {
	for _, f := range a.Extra {
		v, err := yamldoc.FromRaw(OrNull(f.Value))
		if err != nil {
			return err
		}
		if w.unmarked(a.ID, f.Key) {
			continue
		}
		if f.Key == KeyDefault && w.shape == List && w.hasDefault() {
			w.lose(Loss{Agent: a.ID, Field: f.Key, Reason: LossSingle, Message: "another agent is the default already; " + string(a.ID) + " is not made one"})
			continue
		}
		if v = w.strip(a.ID, f.Key, v, nil); v == nil {
			continue
		}
		at := yamldoc.Get(m, f.Key)
		switch {
		case at == nil:
			m.Content = append(m.Content, yamldoc.String(f.Key), v)
		case f.Key == keyModel && yamldoc.IsMap(v) && !yamldoc.IsMap(at):
			at.Kind, at.Tag, at.Value, at.Content = yaml.MappingNode, "!!map", "", append(
				[]*yaml.Node{yamldoc.String(keyPrimary), yamldoc.String(a.Model)}, v.Content...)
		case containers[f.Key] != nil && yamldoc.IsMap(at) && yamldoc.IsMap(v):
			at.Content = append(at.Content, v.Content...)
		}
	}
	return nil
}

// unmarked reports, and tells, that an agent cannot be marked as the default: this config
// names that agent elsewhere, and the gateway would refuse the whole of it.
func (w *writer) unmarked(id topology.AgentID, key string) bool {
	if key != KeyDefault || w.shape != Entries || !Explicit(w.agents) {
		return false
	}
	w.lose(Loss{Agent: id, Field: key, Reason: LossNoPlace,
		Message: "this gateway names its default agent in agents.defaults; the mark of " + string(id) + " is left out"})
	return true
}

func (w *writer) hasDefault() bool {
	for _, p := range w.places {
		if yamldoc.Get(p.node, KeyDefault) != nil {
			return true
		}
	}
	return false
}
