// Package gatewayschema reads what a gateway's JSON schema says about the settings of one agent,
// and finds in a team what the gateway would refuse. It knows the keywords that a config's
// schema is made of; whatever else one says permits everything.
package gatewayschema

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// maxDepth bounds how deep a schema is followed; below it everything is permitted.
const maxDepth = 32

// Schema says what may stand at one place. The zero Schema permits everything.
type Schema struct {
	types  []string           // of JSON; nil: any
	consts []string           // the texts that are permitted; nil: any
	keys   map[string]*Schema // of an object
	rest   *Schema            // of keys that are not named; nil with keys: there may be none
	items  *Schema            // of a list
}

var anything = &Schema{}

// node is the part of JSON Schema that is understood.
type node struct {
	Ref        string                     `json:"$ref"`
	Type       any                        `json:"type"`
	Const      any                        `json:"const"`
	Enum       []any                      `json:"enum"`
	Properties map[string]json.RawMessage `json:"properties"`
	Additional json.RawMessage            `json:"additionalProperties"`
	Patterns   json.RawMessage            `json:"patternProperties"`
	Items      json.RawMessage            `json:"items"`
	AnyOf      []json.RawMessage          `json:"anyOf"`
	OneOf      []json.RawMessage          `json:"oneOf"`
	AllOf      []json.RawMessage          `json:"allOf"`
}

// Read reads the schema of an agent. It returns nil for what is not the schema of an
// object with known keys: then nothing can be said.
func Read(raw json.RawMessage) *Schema {
	var n node
	if json.Unmarshal(raw, &n) != nil {
		return nil
	}
	if s := n.read(0); len(s.keys) > 0 {
		return s
	}
	return nil
}

func (n *node) read(depth int) *Schema {
	if depth > maxDepth || n.Ref != "" || len(n.AllOf) > 0 {
		return anything
	}
	if choices := slices.Concat(n.AnyOf, n.OneOf); len(choices) > 0 {
		return n.choice(choices, depth)
	}
	s := &Schema{types: typesOf(n.Type), consts: n.texts()}
	if n.Properties != nil || string(n.Additional) == "false" {
		s.keys = make(map[string]*Schema, len(n.Properties))
		for key, p := range n.Properties {
			s.keys[key] = cmp.Or(read(p, depth+1), anything)
		}
	}
	if len(n.Patterns) > 0 {
		s.rest = anything
	} else {
		s.rest = read(n.Additional, depth+1)
	}
	s.items = cmp.Or(read(n.Items, depth+1), anything)
	return s
}

// read reads what may be true, false or a schema; nil stands for false.
func read(raw json.RawMessage, depth int) *Schema {
	if string(raw) == "false" {
		return nil
	}
	var n node
	if len(raw) == 0 || json.Unmarshal(raw, &n) != nil {
		return anything
	}
	return n.read(depth)
}

// choice permits what any of the choices does.
func (n *node) choice(choices []json.RawMessage, depth int) *Schema {
	if n.Properties != nil {
		return anything
	}
	out := &Schema{types: []string{}, consts: []string{}}
	for _, c := range choices {
		s := read(c, depth+1)
		if s == nil {
			continue
		}
		if s.types == nil {
			return anything
		}
		out.types = append(out.types, s.types...)
		if !slices.Contains(s.types, "string") {
			// it says nothing of texts
		} else if s.consts == nil {
			out.consts = nil
		} else if out.consts != nil {
			out.consts = append(out.consts, s.consts...)
		}
		if slices.Contains(s.types, "object") {
			out.object(s)
		}
		if slices.Contains(s.types, "array") && out.items == nil {
			out.items = s.items
		} else if slices.Contains(s.types, "array") {
			out.items = anything // lists of several kinds
		}
	}
	return out
}

// object joins the keys of one more choice.
func (s *Schema) object(o *Schema) {
	if s.keys == nil && s.rest == nil {
		s.keys, s.rest = o.keys, o.rest
		return
	}
	keys := make(map[string]*Schema, len(s.keys)+len(o.keys))
	for key, p := range s.keys {
		keys[key] = p
	}
	for key, p := range o.keys {
		if keys[key] != nil {
			p = anything // what it may hold depends on the choice
		}
		keys[key] = p
	}
	s.keys = keys
	if s.rest != nil || o.rest != nil {
		s.rest = anything
	}
}

func typesOf(v any) []string {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []any:
		var out []string
		for _, x := range v {
			if s, ok := x.(string); ok {
				out = append(out, s)
			}
		}
		return out
	}
	return nil
}

// texts returns what enum or const permit, if that is texts only.
func (n *node) texts() []string {
	list := n.Enum
	if n.Const != nil {
		list = []any{n.Const}
	}
	var out []string
	for _, v := range list {
		s, ok := v.(string)
		if !ok {
			return nil
		}
		out = append(out, s)
	}
	return out
}

// Refusal is one thing that the gateway would refuse.
type Refusal struct {
	Path    string   // the keys that lead there: "sandbox.mode"
	Unknown bool     // the gateway doesn't know the key
	Allowed []string // else: the texts that are permitted, or the types
}

// Check visits what the gateway would refuse in the value of one key of an agent.
// Values that the gateway fills in are taken for right.
func (s *Schema) Check(key string, value json.RawMessage, visit func(Refusal)) {
	p, known := s.at(key)
	if !known {
		visit(Refusal{Path: key, Unknown: true})
		return
	}
	var v any
	if json.Unmarshal(value, &v) == nil {
		p.check(key, v, visit)
	}
}

// at returns what may stand at a key, and whether the key is permitted.
func (s *Schema) at(key string) (*Schema, bool) {
	if p, ok := s.keys[key]; ok {
		return p, true
	}
	if s.rest == nil && s.keys == nil {
		return anything, true
	}
	return s.rest, s.rest != nil
}

func (s *Schema) check(path string, v any, visit func(Refusal)) {
	if v == nil || s == anything {
		return
	}
	if text, ok := v.(string); ok && filledIn(text) {
		return
	}
	if s.types != nil && !slices.Contains(s.types, typeOf(v)) && (typeOf(v) != "number" || !slices.Contains(s.types, "integer")) {
		visit(Refusal{Path: path, Allowed: s.types})
		return
	}
	switch v := v.(type) {
	case string:
		if s.consts != nil && !slices.Contains(s.consts, v) {
			visit(Refusal{Path: path, Allowed: s.consts})
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			p, known := s.at(key)
			if !known {
				visit(Refusal{Path: path + "." + key, Unknown: true})
				continue
			}
			p.check(path+"."+key, v[key], visit)
		}
	case []any:
		if s.items == nil {
			return
		}
		for _, item := range v {
			s.items.check(path, item, visit)
		}
	}
}

// filledIn tells a text that stands for another: a stored secret, or a variable.
func filledIn(s string) bool {
	return strings.Contains(s, "__OPENCLAW_REDACTED__") || strings.Contains(s, "${")
}

func typeOf(v any) string {
	switch v.(type) {
	case string:
		return "string"
	case float64:
		return "number"
	case bool:
		return "boolean"
	case []any:
		return "array"
	}
	return "object"
}
