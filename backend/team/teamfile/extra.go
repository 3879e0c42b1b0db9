package teamfile

import (
	"encoding/json"

	"gopkg.in/yaml.v3"

	"agentflow/backend/base/docedit"
	"agentflow/backend/team/gatewayconfig"
	"agentflow/backend/team/topology"
)

// extras writes unknown keys into a map: into one that is being made, or, where it
// stands in the file, by editing. Old is what stood there before.
func (w *writer) extras(m *yaml.Node, id topology.AgentID, want, old topology.Extra) {
	for _, f := range want {
		before, had := old.Get(f.Key)
		v, err := docedit.FromRaw(orNull(f.Value))
		if err != nil {
			w.err = err
			return
		}
		was, err := docedit.FromRaw(orNull(before))
		if err != nil {
			w.err = err
			return
		}
		if had && docedit.Equal(v, was) {
			continue
		}
		if v = w.clean(id, f.Key, f.Key, v, was); v == nil {
			continue
		}
		at := docedit.Get(m, f.Key)
		switch {
		case m.Line > 0: // in the file
			w.ed.SetBefore(m, f.Key, v, "connections")
		case at == nil:
			m.Content = append(m.Content, docedit.String(f.Key), v)
		case docedit.IsMap(at) && docedit.IsMap(v): // the rest of tools
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
		if f.Key == "tools" && docedit.IsMap(docedit.Get(n, "tools")) {
			w.toolsExtra(n, old, want)
			continue
		}
		w.ed.Remove(n, f.Key)
	}
}

func (w *writer) toolsExtra(n *yaml.Node, old, want *topology.Agent) {
	rawOld, _ := old.Extra.Get("tools")
	rawWant, _ := want.Extra.Get("tools")
	was, errOld := docedit.FromRaw(orNull(rawOld))
	next, errWant := docedit.FromRaw(orNull(rawWant))
	if errOld != nil || errWant != nil || docedit.Equal(was, next) {
		return
	}
	at := docedit.Get(n, "tools")
	if !docedit.IsMap(at) {
		if next = w.clean(want.ID, "tools", "tools", next, nil); next != nil {
			whole := toolsNode(want.Tools)
			whole.Content = append(whole.Content, next.Content...)
			w.set(n, "tools", whole, agentKeys)
		}
		return
	}
	for _, e := range docedit.Entries(next) {
		before := docedit.Get(was, e.Key.Value)
		if before != nil && docedit.Equal(before, e.Value) {
			continue
		}
		if v := w.clean(want.ID, "tools."+e.Key.Value, e.Key.Value, e.Value, before); v != nil {
			w.ed.Set(at, e.Key.Value, v)
		}
	}
	for _, e := range docedit.Entries(was) {
		if docedit.Get(next, e.Key.Value) == nil {
			w.ed.Remove(at, e.Key.Value)
		}
	}
}

// clean takes out secrets in clear, but for those that stood at the same place before.
func (w *writer) clean(id topology.AgentID, path, key string, v, was *yaml.Node) *yaml.Node {
	if s, ok := docedit.Scalar(v); ok {
		if before, _ := docedit.Scalar(was); before == s || v.Tag != "!!str" || !gatewayconfig.LooksSecret(key, s) {
			return v
		}
		w.losses = append(w.losses, gatewayconfig.Loss{
			Agent:   id,
			Field:   path,
			Reason:  gatewayconfig.LossSecret,
			Message: path + " looks like a secret in clear, so it is not written into the file. Put it into an environment variable and name that",
		})
		return nil
	}
	switch {
	case docedit.IsMap(v):
		out := docedit.Map()
		for _, e := range docedit.Entries(v) {
			if kept := w.clean(id, path+"."+e.Key.Value, e.Key.Value, e.Value, docedit.Get(was, e.Key.Value)); kept != nil {
				out.Content = append(out.Content, e.Key, kept)
			}
		}
		return out
	case docedit.IsList(v):
		out := docedit.List(flat(v))
		for i, item := range docedit.Items(v) {
			var before *yaml.Node
			if items := docedit.Items(was); i < len(items) {
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
	for _, n := range docedit.Items(v) {
		if n.Kind != yaml.ScalarNode {
			return false
		}
	}
	return true
}
