package teamfile

import (
	"encoding/json"

	"gopkg.in/yaml.v3"

	"agentflow/backend/openclaw/shape"
	"agentflow/backend/topology"
	"agentflow/backend/yamldoc"
)

// extras writes unknown keys into a map: into one that is being made, or, where it
// stands in the file, by editing. Old is what stood there before.
func (w *writer) extras(m *yaml.Node, id topology.AgentID, want, old topology.Extra) {
	for _, f := range want {
		before, had := old.Get(f.Key)
		v, err := yamldoc.FromRaw(orNull(f.Value))
		if err != nil {
			w.err = err
			return
		}
		was, err := yamldoc.FromRaw(orNull(before))
		if err != nil {
			w.err = err
			return
		}
		if had && yamldoc.Equal(v, was) {
			continue
		}
		if v = w.clean(id, f.Key, f.Key, v, was); v == nil {
			continue
		}
		at := yamldoc.Get(m, f.Key)
		switch {
		case m.Line > 0: // in the file
			w.ed.SetBefore(m, f.Key, v, "connections")
		case at == nil:
			m.Content = append(m.Content, yamldoc.String(f.Key), v)
		case yamldoc.IsMap(at) && yamldoc.IsMap(v): // the rest of tools
			at.Content = append(at.Content, v.Content...)
		}
	}
}

func orNull(raw json.RawMessage) []byte {
	if len(raw) == 0 {
		return []byte("null")
	}
	return raw
}

// agentExtra edits the unknown keys of an agent in the file. Those under tools stand
// beside keys that are known.
func (w *writer) agentExtra(n *yaml.Node, old, want *topology.Agent) {
	rest := make(topology.Extra, 0, len(want.Extra))
	for _, f := range want.Extra {
		if f.Key == "tools" {
			w.toolsExtra(n, old, want)
			continue
		}
		rest = append(rest, f)
	}
	w.extras(n, want.ID, rest, old.Extra)
	for _, f := range old.Extra {
		if _, stays := want.Extra.Get(f.Key); stays {
			continue
		}
		if f.Key == "tools" && yamldoc.IsMap(yamldoc.Get(n, "tools")) {
			w.toolsExtra(n, old, want)
			continue
		}
		w.ed.Remove(n, f.Key)
	}
}

func (w *writer) toolsExtra(n *yaml.Node, old, want *topology.Agent) {
	rawOld, _ := old.Extra.Get("tools")
	rawWant, _ := want.Extra.Get("tools")
	was, errOld := yamldoc.FromRaw(orNull(rawOld))
	next, errWant := yamldoc.FromRaw(orNull(rawWant))
	if errOld != nil || errWant != nil || yamldoc.Equal(was, next) {
		return
	}
	at := yamldoc.Get(n, "tools")
	if !yamldoc.IsMap(at) {
		if next = w.clean(want.ID, "tools", "tools", next, nil); next != nil {
			whole := toolsNode(want.Tools)
			whole.Content = append(whole.Content, next.Content...)
			w.set(n, "tools", whole, agentKeys)
		}
		return
	}
	for _, e := range yamldoc.Entries(next) {
		before := yamldoc.Get(was, e.Key.Value)
		if before != nil && yamldoc.Equal(before, e.Value) {
			continue
		}
		if v := w.clean(want.ID, "tools."+e.Key.Value, e.Key.Value, e.Value, before); v != nil {
			w.ed.Set(at, e.Key.Value, v)
		}
	}
	for _, e := range yamldoc.Entries(was) {
		if yamldoc.Get(next, e.Key.Value) == nil {
			w.ed.Remove(at, e.Key.Value)
		}
	}
}

// clean takes out secrets in clear, but for those that stood at the same place before.
func (w *writer) clean(id topology.AgentID, path, key string, v, was *yaml.Node) *yaml.Node {
	if s, ok := yamldoc.Scalar(v); ok {
		if before, _ := yamldoc.Scalar(was); before == s || v.Tag != "!!str" || !shape.LooksSecret(key, s) {
			return v
		}
		w.losses = append(w.losses, shape.Loss{Agent: id, Field: path, Reason: shape.LossSecret,
			Message: path + " looks like a secret in clear, so it is not written into the file. Put it into an environment variable and name that"})
		return nil
	}
	switch {
	case yamldoc.IsMap(v):
		out := yamldoc.Map()
		for _, e := range yamldoc.Entries(v) {
			if kept := w.clean(id, path+"."+e.Key.Value, e.Key.Value, e.Value, yamldoc.Get(was, e.Key.Value)); kept != nil {
				out.Content = append(out.Content, e.Key, kept)
			}
		}
		return out
	case yamldoc.IsList(v):
		out := yamldoc.List(flat(v))
		for i, item := range yamldoc.Items(v) {
			var before *yaml.Node
			if items := yamldoc.Items(was); i < len(items) {
				before = items[i]
			}
			if kept := w.clean(id, path, key, item, before); kept != nil {
				out.Content = append(out.Content, kept)
			}
		}
		return out
	}
	return v
}

// flat reports whether a list holds single values only, which fit in one line.
func flat(v *yaml.Node) bool {
	for _, n := range yamldoc.Items(v) {
		if n.Kind != yaml.ScalarNode {
			return false
		}
	}
	return true
}
