package gatewayconfig

import (
	"slices"

	"gopkg.in/yaml.v3"

	"agentflow/backend/base/docedit"
	"agentflow/backend/team/topology"
)

// agentWriter edits one agent that is in the config.
type agentWriter struct {
	*writer
	node  *yaml.Node
	now   *topology.Agent
	want  *topology.Agent
	base  *topology.Agent // nil where base does not have it
	shape Shape
	made  map[string]*yaml.Node // containers that this edit adds, by their keys
}

// add adds a container. What else goes into it finds it in made.
func (x *agentWriter) add(key string, v *yaml.Node) {
	x.ed.Set(x.node, key, v)
	if x.made == nil {
		x.made = map[string]*yaml.Node{}
	}
	x.made[key] = v
}

func (x *agentWriter) write() error {
	x.texts()
	x.model()
	x.allow()
	x.tools()
	x.numbers()
	x.files(x.want)
	if err := x.connections(); err != nil {
		return err
	}
	return x.extra()
}

// was returns what base says of the agent; the config's own word where there is no base.
func (x *agentWriter) was() *topology.Agent {
	if x.base != nil {
		return x.base
	}
	return x.now
}

// TextField is a field of an agent that is one text whose key is its name.
type TextField struct {
	Key string
	Of  func(*topology.Agent) string
}

// TextFields lists them, in the order people write them. The model is not one: it can be a map.
var TextFields = textFields()

func textFields() (out []TextField) {
	for _, f := range topology.FileFields() {
		if _, ok := f.Text(&topology.Agent{}); ok && f.Name != keyModel {
			out = append(out, TextField{f.Name, func(a *topology.Agent) string {
				s, _ := f.Text(a)
				return s
			}})
		}
	}
	return out
}

// NumberField is a field of an agent that is one number whose key is its name.
type NumberField struct {
	Key string
	Of  func(*topology.Agent) *float64 // nil for none
}

// NumberFields lists them, in the order people write them.
var NumberFields = numberFields()

func numberFields() (out []NumberField) {
	for _, f := range topology.FileFields() {
		switch f.At(&topology.Agent{}).(type) {
		case **float64, **int:
			out = append(out, NumberField{f.Name, func(a *topology.Agent) *float64 {
				switch x := f.At(a).(type) {
				case **float64:
					return *x
				case **int:
					if *x != nil {
						return new(float64(**x))
					}
				}
				return nil
			}})
		}
	}
	return out
}

func (x *agentWriter) texts() {
	for _, f := range TextFields {
		now, want := f.Of(x.now), f.Of(x.want)
		switch {
		case now == want:
		case want == "" && x.base != nil && f.Of(x.base) == "": // it came to the gateway since
		case !x.limits.Holds(x.shape, f.Key) && docedit.Get(x.node, f.Key) == nil:
			x.noPlace(x.want.ID, f.Key)
		case want == "":
			x.ed.Remove(x.node, f.Key)
		case want == Redacted:
			x.secret(x.want.ID, f.Key)
		default:
			x.ed.Set(x.node, f.Key, docedit.String(want))
		}
	}
}

func (w *writer) noPlace(id topology.AgentID, field string) {
	w.lose(Loss{Agent: id, Field: field, Reason: LossNoPlace, Message: "the gateway doesn't support " + field + " of " + string(id) + ". It stays in the team"})
}

// files names an agent's workspace files as lost where the gateway doesn't serve them. No config has them.
func (w *writer) files(a *topology.Agent) {
	if len(a.Files) > 0 && !w.limits.Files {
		w.noPlace(a.ID, topology.FieldFiles)
	}
}

func (w *writer) secret(id topology.AgentID, field string) {
	w.lose(Loss{Agent: id, Field: field, Reason: LossSecret,
		Message: field + " of " + string(id) + " stands for a secret that is stored elsewhere; it is left out. Set the secret on the gateway"})
}

func (x *agentWriter) model() {
	if x.now.Model == x.want.Model && slices.Equal(x.now.Fallbacks, x.want.Fallbacks) {
		return
	}
	want, lists := *x.want, x.limits.Holds(x.shape, keyFallbacks)
	if b := x.base; b != nil { // what neither says came to the gateway since
		if want.Model == "" && b.Model == "" {
			want.Model = x.now.Model
		}
		if len(want.Fallbacks) == 0 && len(b.Fallbacks) == 0 {
			want.Fallbacks = x.now.Fallbacks
		}
	}
	n := docedit.Get(x.node, keyModel)
	if docedit.IsMap(n) {
		x.modelMap(n, &want)
		return
	}
	if len(want.Fallbacks) > 0 && !lists {
		x.noPlace(want.ID, keyFallbacks)
	}
	v := modelNode(&want, lists)
	switch {
	case v == nil:
		x.ed.Remove(x.node, keyModel)
	case n == nil || !docedit.Equal(n, v):
		x.ed.Set(x.node, keyModel, v)
	}
}

func (x *agentWriter) modelMap(n *yaml.Node, want *topology.Agent) {
	if want.Model == "" && len(want.Fallbacks) == 0 && !hasOther(n, keyPrimary, keyFallbacks) {
		x.ed.Remove(x.node, keyModel)
		return
	}
	if want.Model != x.now.Model {
		if want.Model == "" {
			x.ed.Remove(n, keyPrimary)
		} else {
			x.ed.SetBefore(n, keyPrimary, docedit.String(want.Model), keyFallbacks)
		}
	}
	x.list(n, keyFallbacks, x.now.Fallbacks, want.Fallbacks, true)
}

// hasOther reports whether a map Holds anything but the keys.
func hasOther(m *yaml.Node, keys ...string) bool {
	return slices.ContainsFunc(docedit.Entries(m),
		func(e docedit.Entry) bool { return !slices.Contains(keys, e.Key.Value) })
}

// modelNode writes a model as short as it can be; nil for none.
func modelNode(a *topology.Agent, lists bool) *yaml.Node {
	if len(a.Fallbacks) == 0 || !lists {
		if a.Model == "" {
			return nil
		}
		return docedit.String(a.Model)
	}
	m := docedit.Map()
	if a.Model != "" {
		m = docedit.Map(docedit.KV(keyPrimary, docedit.String(a.Model)))
	}
	m.Content = append(m.Content, docedit.String(keyFallbacks), docedit.Strings(a.Fallbacks))
	return m
}

// list edits a list of texts item by item. If only the order differs, and it counts, it
// rewrites the list. A list that is emptied stays, as [].
func (x *agentWriter) list(m *yaml.Node, key string, now, want []string, ordered bool) {
	if slices.Equal(now, want) {
		return
	}
	n := docedit.Get(m, key)
	if !docedit.IsList(n) {
		x.ed.Set(m, key, docedit.Strings(want))
		return
	}
	var kept []string
	for i, item := range docedit.Items(n) {
		if s, _ := docedit.Text(item); slices.Contains(want, s) {
			kept = append(kept, s)
		} else {
			x.ed.RemoveItem(n, i)
		}
	}
	var fresh []string
	for _, s := range want {
		if !slices.Contains(kept, s) {
			fresh = append(fresh, s)
		}
	}
	if ordered && !slices.Equal(append(slices.Clone(kept), fresh...), want) {
		x.ed.Replace(n, docedit.Strings(want))
		return
	}
	for _, s := range fresh {
		x.ed.Append(n, docedit.String(s))
	}
}

// Targets is what allowAgents must say: "*" first, then the commands in their order.
func Targets(a *topology.Agent) []string {
	var out []string
	seen := map[topology.AgentID]bool{}
	if a.AllowAny {
		out = append(out, anyAgent)
	}
	for _, c := range a.Connections {
		if c.Type == topology.Command && !seen[c.TargetID] {
			seen[c.TargetID] = true
			out = append(out, string(c.TargetID))
		}
	}
	return out
}

// allow edits subagents.allowAgents. Absent means "only itself", so an emptied list
// stays as [] and no list is made to be empty.
func (x *agentWriter) allow() {
	now, want := Targets(x.now), Targets(x.want)
	if x.base != nil { // a target that neither says came to the gateway since
		had := Targets(x.base)
		for _, t := range now {
			if !slices.Contains(want, t) && !slices.Contains(had, t) {
				want = append(want, t)
			}
		}
	}
	if slices.Equal(slices.Sorted(slices.Values(now)), slices.Sorted(slices.Values(want))) {
		return
	}
	sub := docedit.Get(x.node, keySubagents)
	if docedit.IsMap(sub) {
		x.list(sub, keyAllowAgents, now, want, false)
		return
	}
	x.add(keySubagents, docedit.Map(docedit.KV(keyAllowAgents, docedit.Strings(want))))
}

func (x *agentWriter) tools() {
	now, want := orNone(x.now.Tools), orNone(x.want.Tools)
	if same := now.Profile == want.Profile && slices.Equal(now.Allow, want.Allow) && slices.Equal(now.Deny, want.Deny); same &&
		(x.now.Tools == nil) == (x.want.Tools == nil) {
		return
	}
	if x.want.Tools == nil && x.base != nil && x.base.Tools == nil {
		return
	}
	n := docedit.Get(x.node, keyTools)
	switch {
	case n == nil && !x.limits.Holds(x.shape, keyTools):
		x.noPlace(x.want.ID, keyTools)
	case !docedit.IsMap(n):
		x.add(keyTools, toolsNode(&want))
	case x.want.Tools == nil && !hasOther(n, keyProfile, keyAllow, keyDeny):
		x.ed.Remove(x.node, keyTools)
	default:
		if now.Profile != want.Profile && want.Profile != "" {
			x.ed.Set(n, keyProfile, docedit.String(want.Profile))
		} else if now.Profile != want.Profile {
			x.ed.Remove(n, keyProfile)
		}
		x.toolList(n, keyAllow, now.Allow, want.Allow)
		x.toolList(n, keyDeny, now.Deny, want.Deny)
	}
}

// toolList edits a list of tools. No list and an empty one are not the same to a
// gateway, so one that is given up goes.
func (x *agentWriter) toolList(n *yaml.Node, key string, now, want []string) {
	if len(want) == 0 && len(now) > 0 {
		x.ed.Remove(n, key)
		return
	}
	x.list(n, key, now, want, false)
}

func orNone(t *topology.Tools) topology.Tools {
	if t == nil {
		return topology.Tools{}
	}
	return *t
}

func toolsNode(t *topology.Tools) *yaml.Node {
	m := docedit.Map()
	if t.Profile != "" {
		m.Content = append(m.Content, docedit.String(keyProfile), docedit.String(t.Profile))
	}
	if len(t.Allow) > 0 {
		m.Content = append(m.Content, docedit.String(keyAllow), docedit.Strings(t.Allow))
	}
	if len(t.Deny) > 0 {
		m.Content = append(m.Content, docedit.String(keyDeny), docedit.Strings(t.Deny))
	}
	return m
}

func (x *agentWriter) numbers() {
	for _, f := range NumberFields {
		x.number(f.Key, f.Of(x.now), f.Of(x.want), f.Of(x.was()))
	}
}

func (x *agentWriter) number(key string, now, want, was *float64) {
	switch {
	case now == nil && want == nil || now != nil && want != nil && *now == *want:
	case want == nil && was == nil:
	case want == nil:
		x.ed.Remove(x.node, key)
	case !x.limits.Holds(x.shape, key) && docedit.Get(x.node, key) == nil:
		x.noPlace(x.want.ID, key)
	default:
		x.ed.Set(x.node, key, docedit.Number(*want))
	}
}
