package config

import (
	"encoding"
	"reflect"
	"strings"

	"gopkg.in/yaml.v3"

	"agentflow/backend/base/docedit"
	"agentflow/backend/base/errcode"
)

// Unknown are the keys of a settings file that mean nothing, each with its place and the known
// key that is nearest. They stay in the file, since a newer version may know them.
func Unknown(s *Settings) []*errcode.Error {
	doc := s.read()
	if doc == nil {
		return nil
	}
	var out []*errcode.Error
	unknown(doc.Root(), reflect.TypeFor[File](), func(key *yaml.Node, known []string) {
		e := errcode.New(errcode.Validation,
			"%s:%d: the key %s isn't known and does nothing.", s.path, key.Line, key.Value)
		if meant := docedit.Nearest(key.Value, known); meant != "" {
			const text = "%s:%d: the key %s isn't known. Did you mean %s?"
			e = errcode.New(errcode.Validation, text, s.path, key.Line, key.Value, meant)
		}
		out = append(out, e)
	})
	return out
}

// unknown visits the keys of a node that the type has no field for.
func unknown(n *yaml.Node, t reflect.Type, visit func(key *yaml.Node, known []string)) {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) {
		return
	}
	switch {
	case t.Kind() == reflect.Slice && docedit.IsList(n):
		for _, item := range docedit.Items(n) {
			unknown(item, t.Elem(), visit)
		}
	case t.Kind() == reflect.Map && docedit.IsMap(n):
		for _, e := range docedit.Entries(n) {
			unknown(e.Value, t.Elem(), visit)
		}
	case t.Kind() == reflect.Struct && docedit.IsMap(n):
		fields, known := map[string]reflect.Type{}, []string{}
		for i := range t.NumField() {
			name, _, _ := strings.Cut(t.Field(i).Tag.Get("yaml"), ",")
			fields[name], known = t.Field(i).Type, append(known, name)
		}
		for _, e := range docedit.Entries(n) {
			if field, is := fields[e.Key.Value]; is {
				unknown(e.Value, field, visit)
			} else {
				visit(e.Key, known)
			}
		}
	}
}
