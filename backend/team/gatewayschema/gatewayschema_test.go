package gatewayschema

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// agent is made of what the schemas of real gateways are made of.
const agent = `{"type": "object", "additionalProperties": false, "required": ["id"], "properties": {
	"name": {"type": "string"},
	"model": {"anyOf": [{"type": "string"}, {"type": "object", "additionalProperties": false,
		"properties": {"primary": {"type": "string"}, "fallbacks": {"type": "array", "items": {"type": "string"}}}}]},
	"sandbox": {"type": "object", "additionalProperties": false, "properties": {
		"mode": {"anyOf": [{"type": "string", "const": "off"}, {"type": "string", "const": "all"}]},
		"scope": {"type": "string", "enum": ["session", "agent"]},
		"docker": {"type": "object", "additionalProperties": false, "properties": {
			"memory": {"type": ["string", "number"]}, "pids": {"type": "integer"},
			"env": {"type": "object", "additionalProperties": {"type": "string"}}}}}},
	"fast": {"anyOf": [{"type": "boolean"}, {"type": "string", "const": "auto"}]},
	"params": {"type": "object", "additionalProperties": {}},
	"runtime": {"oneOf": [
		{"type": "object", "additionalProperties": false, "properties": {"type": {"type": "string", "const": "a"}, "x": {"type": "number"}}},
		{"type": "object", "additionalProperties": false, "properties": {"type": {"type": "string", "const": "b"}, "y": {"type": "number"}}}]},
	"groups": {"type": "array", "items": {"type": "object", "additionalProperties": false, "properties": {"id": {"type": "string"}}}},
	"either": {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "array", "items": {"type": "number"}}]},
	"open": {"type": "object", "properties": {"known": {"type": "boolean"}}},
	"patterned": {"type": "object", "patternProperties": {"^x": {}}, "additionalProperties": false},
	"elsewhere": {"$ref": "#/definitions/x"},
	"all": {"allOf": [{"type": "string"}]},
	"any": true, "typeless": {"description": "x"}
}}`

func TestCheck(t *testing.T) {
	s := Read(json.RawMessage(agent))
	if s == nil {
		t.Fatal("the schema was not read")
	}
	for _, c := range []struct{ key, value, want string }{
		{"name", `"x"`, ""},
		{"name", `7`, "name: string"},
		{"name", `null`, ""},
		{"colour", `"x"`, "colour?"},
		{"model", `{"primary":"a/b"}`, ""},
		{"model", `{"primry":"a/b","fallbacks":["x",1]}`, "model.fallbacks: string, model.primry?"},
		{"model", `true`, "model: string object"},
		{"sandbox", `{"mode":"all","scope":"agent","docker":{"memory":5,"pids":3,"env":{"A":"b"}}}`, ""},
		{"sandbox", `{"mode":"al","scop":"agent"}`, "sandbox.mode: off all, sandbox.scop?"},
		{"sandbox", `{"docker":{"env":{"A":1},"memory":true}}`, "sandbox.docker.env.A: string, sandbox.docker.memory: string number"},
		{"sandbox", `{"mode":"${MODE}","scope":"__OPENCLAW_REDACTED__"}`, ""},
		{"sandbox", `true`, "sandbox: object"},
		{"fast", `"auto"`, ""},
		{"fast", `true`, ""},
		{"fast", `"slow"`, "fast: auto"},
		{"params", `{"anything":{"goes":[1]}}`, ""},
		{"runtime", `{"type":"a","x":1}`, ""},
		{"runtime", `{"type":"b","z":1}`, "runtime.z?"},
		{"groups", `[{"id":"a"},{"di":"b"}]`, "groups.di?"},
		{"either", `["a",1]`, ""},
		{"open", `{"known":true,"more":1}`, ""},
		{"open", `{"known":1}`, "open.known: boolean"},
		{"patterned", `{"xy":1}`, ""},
		{"elsewhere", `{"a":1}`, ""},
		{"all", `5`, ""},
		{"any", `{"a":[1]}`, ""},
		{"typeless", `5`, ""},
	} {
		var got []string
		s.Check(c.key, json.RawMessage(c.value), func(r Refusal) {
			text := r.Path + ": " + strings.Join(r.Allowed, " ")
			if r.Unknown {
				text = r.Path + "?"
			}
			got = append(got, text)
		})
		slices.Sort(got)
		if text := strings.Join(got, ", "); text != c.want {
			t.Errorf("%s: %s: %q, want %q", c.key, c.value, text, c.want)
		}
	}
}

// What is no schema of an agent says nothing, and nothing is refused for it.
func TestReadOfWhatIsNoSchema(t *testing.T) {
	for _, raw := range []string{"", "null", "true", "[]", "7", `{"type":"string"}`, `{"type":"object"}`, `{"properties":7}`, `{"additionalProperties":{}}`, "{"} {
		if s := Read(json.RawMessage(raw)); s != nil {
			t.Errorf("%s was taken for a schema: %+v", raw, s)
		}
	}
	deep := strings.Repeat(`{"type":"object","additionalProperties":false,"properties":{"a":`, 200) + `{}` + strings.Repeat(`}}`, 200)
	s := Read(json.RawMessage(deep))
	value := strings.Repeat(`{"a":`, 100) + `{"b":1}` + strings.Repeat(`}`, 100)
	s.Check("a", json.RawMessage(value), func(r Refusal) { t.Errorf("below what is read nothing is refused: %v", r) })
}

func FuzzSchema(f *testing.F) {
	f.Add(agent, `{"mode":"al"}`)
	f.Add(`{"properties":{"sandbox":{"anyOf":[{"type":["object","array"]},null]}}}`, `[[{}]]`)
	f.Fuzz(func(t *testing.T, schema, value string) {
		s := Read(json.RawMessage(schema))
		if s == nil {
			return
		}
		s.Check("sandbox", json.RawMessage(value), func(r Refusal) {
			if !strings.HasPrefix(r.Path, "sandbox") {
				t.Fatal(fmt.Sprint(r))
			}
		})
	})
}
