package config

import (
	"bytes"
	"slices"

	"gopkg.in/yaml.v3"

	"agentflow/backend/base/docedit"
	"agentflow/backend/base/errcode"
)

// editKeys brings a settings file from one content to another. What did not change, what
// this program does not know, and the comments stay as they are written.
func editKeys(data []byte, path string, before, after File, keys []string) ([]byte, error) {
	var was, is yaml.Node
	if err := was.Encode(before); err != nil {
		return nil, errcode.Wrap(errcode.Internal, err, "the settings cannot be written")
	}
	if err := is.Encode(after); err != nil {
		return nil, errcode.Wrap(errcode.Internal, err, "the settings cannot be written")
	}
	if len(data) == 0 {
		data = []byte("# AgentFlow's settings. Secrets are never kept here.\n{}\n")
	}
	doc, err := docedit.Parse(data, path)
	if err == nil && doc.Root() == nil { // nothing but comments
		doc, err = docedit.Parse(append(bytes.TrimRight(data, "\n"), "\n{}\n"...), path)
	}
	if err != nil {
		return nil, err
	}
	e := editor{doc.Edit()}
	for _, key := range keys {
		e.key(doc.Root(), key, docedit.Get(&was, key), docedit.Get(&is, key))
	}
	next, err := e.Apply()
	if err != nil {
		return nil, err
	}
	return next.Bytes(), nil
}

// editor writes the difference between two values into a document.
type editor struct{ *docedit.Editor }

// key edits the value of one key of a map that is written in the document.
func (e editor) key(in *yaml.Node, key string, was, is *yaml.Node) {
	at := docedit.Get(in, key)
	switch {
	case is == nil || isEmpty(is):
		e.Remove(in, key)
	case at == nil || docedit.IsNull(at) || was == nil:
		e.Set(in, key, is)
	case docedit.IsMap(at) && docedit.IsMap(is):
		e.fields(at, was, is)
	case docedit.IsList(at) && docedit.IsList(is) && isNamed(is):
		e.items(at, was, is)
	case !docedit.Equal(at, is):
		e.Set(in, key, is)
	}
}

// fields edits a map: keys that neither value has are somebody else's.
func (e editor) fields(at, was, is *yaml.Node) {
	for _, entry := range docedit.Entries(was) {
		if docedit.Get(is, entry.Key.Value) == nil {
			e.Remove(at, entry.Key.Value)
		}
	}
	for _, entry := range docedit.Entries(is) {
		e.key(at, entry.Key.Value, docedit.Get(was, entry.Key.Value), entry.Value)
	}
}

// items edits a list of maps with names. An item that got another name is the one that
// is missing where another is new.
func (e editor) items(at, was, is *yaml.Node) {
	next := slices.Clone(docedit.Items(is))
	take := func(match func(*yaml.Node) bool) *yaml.Node {
		i := slices.IndexFunc(next, match)
		if i < 0 {
			return nil
		}
		n := next[i]
		next = slices.Delete(next, i, i+1)
		return n
	}
	var lost []int
	written := docedit.Items(at)
	for i, item := range written {
		if n := take(func(n *yaml.Node) bool { return nameOf(n) == nameOf(item) }); n != nil {
			e.fields(item, named(was, nameOf(item)), n)
			continue
		}
		lost = append(lost, i)
	}
	for _, i := range lost {
		if n := take(func(*yaml.Node) bool { return true }); n != nil {
			e.fields(written[i], named(was, nameOf(written[i])), n)
			continue
		}
		e.RemoveItem(at, i)
	}
	for _, n := range next {
		e.Append(at, n)
	}
}

func nameOf(n *yaml.Node) string {
	name, _ := docedit.Scalar(docedit.Get(n, "name"))
	return name
}

func named(list *yaml.Node, name string) *yaml.Node {
	for _, n := range docedit.Items(list) {
		if nameOf(n) == name {
			return n
		}
	}
	return nil
}

func isNamed(list *yaml.Node) bool {
	items := docedit.Items(list)
	return len(items) > 0 && docedit.IsMap(items[0])
}

func isEmpty(n *yaml.Node) bool {
	return n.Kind != yaml.ScalarNode && len(n.Content) == 0 || n.Kind == yaml.ScalarNode && n.Value == ""
}
