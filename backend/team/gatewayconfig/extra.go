package gatewayconfig

import (
	"encoding/json"
	"strings"

	"gopkg.in/yaml.v3"

	"agentflow/backend/base/docedit"
	"agentflow/backend/team/topology"
)

// containers are the maps of an agent of which only some keys are known. In Extra
// they stand for the rest of their keys.
var containers = map[string][]string{
	keySubagents: {keyAllowAgents},
	keyTools:     {keyProfile, keyAllow, keyDeny},
	keyModel:     {keyPrimary, keyFallbacks},
}

// extra writes the unknown keys that the team changed since base: those that came
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
	na, errA := docedit.FromRaw(OrNull(a))
	nb, errB := docedit.FromRaw(OrNull(b))
	return errA == nil && errB == nil && docedit.Equal(na, nb)
}

func (x *agentWriter) setExtra(f topology.Field) error {
	v, err := docedit.FromRaw(OrNull(f.Value))
	if err != nil {
		return err
	}
	old := docedit.Get(x.node, f.Key)
	v = x.strip(x.want.ID, f.Key, v, old)
	if v == nil {
		return nil
	}
	if made := x.made[f.Key]; made != nil {
		old = made // its known part is new, too
	}
	known := containers[f.Key]
	if known == nil || !docedit.IsMap(v) || !docedit.IsMap(old) {
		if known != nil && old != nil && !docedit.IsNull(old) {
			return nil // the known part of it is in the way; it wins
		}
		x.ed.Set(x.node, f.Key, v)
		return nil
	}
	want := map[string]bool{}
	for _, e := range docedit.Entries(v) {
		want[e.Key.Value] = true
		if now := docedit.Get(old, e.Key.Value); now == nil || !docedit.Same(now, e.Value) {
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
	had, err := docedit.FromRaw(OrNull(raw))
	if err != nil {
		return
	}
	for _, e := range docedit.Entries(had) {
		if !want[e.Key.Value] && docedit.Get(old, e.Key.Value) != nil {
			x.ed.Remove(old, e.Key.Value)
		}
	}
}

func (x *agentWriter) dropExtra(key string) {
	old := docedit.Get(x.node, key)
	if containers[key] != nil && docedit.IsMap(old) && !x.emptied(key, old) {
		x.dropParts(key, old, nil)
		return
	}
	x.ed.Remove(x.node, key)
}

// emptied reports whether nothing of a container is left once the keys that base had are gone. An empty one isn't the
// same as none: read back, an empty map of tools is the agent's own rule.
func (x *agentWriter) emptied(key string, old *yaml.Node) bool {
	if x.base == nil || x.made[key] != nil {
		return false
	}
	gone := partsOf(x.base.Extra, key)
	switch {
	case key == keyTools && x.want.Tools != nil, key == keySubagents && len(Targets(x.want)) > 0,
		key == keyModel && (x.want.Model != "" || len(x.want.Fallbacks) > 0):
		return false
	case key == keyTools && x.base.Tools != nil:
		gone = append(gone, containers[key]...)
	}
	return !hasOther(old, gone...)
}

// partsOf returns the keys of one map among the unknown keys.
func partsOf(extra topology.Extra, key string) []string {
	raw, _ := extra.Get(key)
	var parts topology.Extra
	if json.Unmarshal(raw, &parts) != nil {
		return nil
	}
	return parts.Keys()
}

// strip takes out what stands for a stored secret wherever old does not hold the same
// at the same place: written there it would be refused, or be taken for the secret.
func (w *writer) strip(id topology.AgentID, path string, v, old *yaml.Node) *yaml.Node {
	if s, ok := docedit.Text(v); ok {
		if o, _ := docedit.Text(old); !strings.Contains(s, Redacted) || o == s {
			return v
		}
		w.secret(id, path)
		return nil
	}
	if docedit.IsMap(v) {
		out := docedit.Map()
		for _, e := range docedit.Entries(v) {
			if kept := w.strip(id, path+"."+e.Key.Value, e.Value, docedit.Get(old, e.Key.Value)); kept != nil {
				out.Content = append(out.Content, e.Key, kept)
			}
		}
		return out
	}
	if docedit.IsList(v) {
		out := docedit.List(false)
		for i, item := range docedit.Items(v) {
			var before *yaml.Node
			if items := docedit.Items(old); i < len(items) {
				before = items[i]
			}
			if kept := w.strip(id, path, item, before); kept != nil {
				out.Content = append(out.Content, kept)
			}
		}
		if len(out.Content) == 0 && len(docedit.Items(v)) > 0 {
			return nil
		}
		return out
	}
	return v
}

// agentNode writes a whole new agent.
func (w *writer) agentNode(a *topology.Agent) (*yaml.Node, error) {
	m := docedit.Map()
	add := func(key string, v *yaml.Node) {
		m.Content = append(m.Content, docedit.String(key), v)
	}
	if w.shape == List {
		add(keyID, docedit.String(string(a.ID)))
	}
	w.addTexts(a, add)
	if ids := Targets(a); len(ids) > 0 {
		add(keySubagents, docedit.Map(docedit.KV(keyAllowAgents, docedit.Strings(ids))))
	}
	if a.Tools != nil && w.limits.Holds(w.shape, keyTools) {
		add(keyTools, toolsNode(a.Tools))
	} else if a.Tools != nil {
		w.noPlace(a.ID, keyTools)
	}
	for _, f := range NumberFields {
		w.addNumber(a.ID, f.Key, f.Of(a), add)
	}
	w.files(a)
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
			add(f.Key, docedit.String(s))
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

func (w *writer) addNumber(id topology.AgentID, key string, n *float64, add func(string, *yaml.Node)) {
	if n != nil && w.limits.Holds(w.shape, key) {
		add(key, docedit.Number(*n))
	} else if n != nil {
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
		v, err := docedit.FromRaw(OrNull(f.Value))
		if err != nil {
			return err
		}
		if w.unmarked(a.ID, f.Key) {
			continue
		}
		if f.Key == KeyDefault && w.shape == List && w.hasDefault() {
			w.lose(Loss{
				Agent:   a.ID,
				Field:   f.Key,
				Reason:  LossSingle,
				Message: "another agent is the default already; " + string(a.ID) + " is not made one",
			})
			continue
		}
		if v = w.strip(a.ID, f.Key, v, nil); v == nil {
			continue
		}
		at := docedit.Get(m, f.Key)
		switch {
		case at == nil:
			m.Content = append(m.Content, docedit.String(f.Key), v)
		case f.Key == keyModel && docedit.IsMap(v) && !docedit.IsMap(at):
			at.Kind, at.Tag, at.Value, at.Content = yaml.MappingNode, "!!map", "", append(
				[]*yaml.Node{docedit.String(keyPrimary), docedit.String(a.Model)}, v.Content...)
		case containers[f.Key] != nil && docedit.IsMap(at) && docedit.IsMap(v):
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
		if docedit.Get(p.node, KeyDefault) != nil {
			return true
		}
	}
	return false
}
