package gatewayconfig

import (
	"slices"

	"gopkg.in/yaml.v3"

	"agentflow/backend/base/docedit"
)

// keyMeta is where a gateway notes its own writes.
const keyMeta = "meta"

// Outside lists the paths of the settings in which two configs differ and that Read returns of neither. Values aren't
// in it. What a gateway notes about its own writes is no setting.
func Outside(a, b *docedit.Document) ([]string, error) {
	was, err := findRoster(a)
	if err != nil {
		return nil, err
	}
	now, err := findRoster(b)
	if err != nil {
		return nil, err
	}
	return differing(nil, "", was.rest(), now.rest()), nil
}

// rest returns the config without what read returns; nil where nothing else is in it.
func (r *roster) rest() *yaml.Node {
	root := r.doc.Root()
	agents := cut(root, keyAgents, r.restOfAgents())
	tools := cut(agents, keyTools, r.restOfTools())
	gone := []string{keyMeta}
	if docedit.IsList(docedit.Get(root, keyBindings)) {
		gone = append(gone, keyBindings)
	}
	return without(tools, gone...)
}

func (r *roster) restOfAgents() *yaml.Node {
	var gone []string
	if docedit.IsMap(r.defaultsAt()) {
		gone = append(gone, keyDefaults)
	}
	switch r.shape {
	case Map:
		for _, p := range r.places {
			gone = append(gone, string(p.id))
		}
	case List, Entries:
		gone = append(gone, string(r.shape))
	}
	return without(r.agents, gone...)
}

func (r *roster) restOfTools() *yaml.Node {
	tools := r.toolsAt()
	if path, _ := oddMessages(tools); path != "" {
		return tools
	}
	for _, s := range messageSettings {
		tools = cut(tools, s.within, without(docedit.Get(tools, s.within), s.name))
	}
	return tools
}

// cut returns the map with another value at a key, or without the key where the value is nil.
func cut(m *yaml.Node, key string, v *yaml.Node) *yaml.Node {
	if !docedit.IsMap(m) || docedit.Get(m, key) == nil {
		return m
	}
	out := docedit.Map()
	for _, e := range docedit.Entries(m) {
		switch {
		case e.Key.Value != key:
			out.Content = append(out.Content, e.Key, e.Value)
		case v != nil:
			out.Content = append(out.Content, e.Key, v)
		}
	}
	return orNil(out)
}

// without returns the map without some of its keys; nil where nothing is left.
func without(m *yaml.Node, keys ...string) *yaml.Node {
	if !docedit.IsMap(m) {
		return m
	}
	out := docedit.Map()
	for _, e := range docedit.Entries(m) {
		if !slices.Contains(keys, e.Key.Value) {
			out.Content = append(out.Content, e.Key, e.Value)
		}
	}
	return orNil(out)
}

func orNil(m *yaml.Node) *yaml.Node {
	if len(m.Content) == 0 {
		return nil
	}
	return m
}

// differing adds the paths at which a and b differ to out.
func differing(out []string, path string, a, b *yaml.Node) []string {
	if docedit.IsNull(a) && docedit.IsNull(b) {
		return out
	}
	if !branches(path, a) || !branches(path, b) {
		if !docedit.IsNull(a) && !docedit.IsNull(b) && docedit.Equal(a, b) {
			return out
		}
		return append(out, path)
	}
	for _, e := range docedit.Entries(a) {
		out = differing(out, within(path, e.Key.Value), e.Value, docedit.Get(b, e.Key.Value))
	}
	for _, e := range docedit.Entries(b) {
		if docedit.Get(a, e.Key.Value) == nil {
			out = differing(out, within(path, e.Key.Value), nil, e.Value)
		}
	}
	return out
}

// branches reports whether the settings within n are compared one by one. Where Read returns a part of a map, what is
// left can be nothing.
func branches(path string, n *yaml.Node) bool {
	return docedit.IsMap(n) || docedit.IsNull(n) && slices.Contains([]string{"", keyAgents, keyTools}, path)
}

func within(path, key string) string {
	if LooksSecret("", key) {
		key = Redacted
	}
	if path == "" {
		return key
	}
	return path + "." + key
}
