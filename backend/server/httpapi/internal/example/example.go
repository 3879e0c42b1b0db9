// Package example gives the API's description its example values. They are in two YAML files
// and not beside the fields, so that they tell of one project, and tests can check all of them.
package example

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"gopkg.in/yaml.v3"
)

//go:embed common.yaml
var common []byte

//go:embed schemas.yaml
var schemas []byte

// moment is the example of every time.
const moment = "2026-03-02T09:30:00Z"

// Book holds the values by the name of a property, or of a schema and a property. A null says
// that the property has no example, since it excludes another one.
type Book struct {
	values map[string]any
	used   map[string]bool
}

// load reads the files once: each hub of a test builds its own description.
var load = sync.OnceValues(func() (map[string]any, error) {
	out := map[string]any{}
	for name, text := range map[string][]byte{"common.yaml": common, "schemas.yaml": schemas} {
		var values map[string]any
		if err := yaml.Unmarshal(text, &values); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		maps.Copy(out, values)
	}
	text, err := json.Marshal(out) // and back: numbers as a client reads them
	if err != nil {
		return nil, err
	}
	return out, json.Unmarshal(text, &out)
})

// Open returns the values.
func Open() (*Book, error) {
	values, err := load()
	return &Book{values: values, used: map[string]bool{}}, err
}

// Fill writes the examples into the description: into the properties of its schemas, from which
// tools compose those of the answers, and whole ones into the bodies of requests.
func (b *Book) Fill(api *huma.OpenAPI) {
	all := api.Components.Schemas.Map()
	for name, s := range all {
		for property, of := range s.Properties {
			b.fill(name, property, of)
		}
	}
	for _, item := range api.Paths {
		for _, o := range Operations(item) {
			if o.RequestBody == nil {
				continue
			}
			for kind, body := range o.RequestBody.Content {
				if strings.HasSuffix(kind, "json") && body.Example == nil {
					body.Example = b.Compose(api, body.Schema)
				}
			}
		}
	}
}

func (b *Book) fill(schema, property string, of *huma.Schema) {
	value, known := b.find(schema, property)
	switch {
	case len(of.Examples) > 0 || !needs(of):
	case of.Format == "date-time":
		of.Examples = []any{moment}
	case known && value != nil && fits(of, value):
		of.Examples = []any{value}
	}
}

func (b *Book) find(schema, property string) (any, bool) {
	for _, key := range []string{schema + "." + property, property} {
		if value, ok := b.values[key]; ok {
			b.used[key] = true
			return value, true
		}
	}
	return nil, false
}

// needs reports whether a property has no value that its schema names already.
func needs(of *huma.Schema) bool {
	return of.Ref == "" && len(of.Enum) == 0 && of.Default == nil && of.Type != huma.TypeBoolean &&
		(of.Items == nil || of.Items.Ref == "" && len(of.Items.Enum) == 0) && entries(of) == nil
}

// entries is the schema of the values of a map, if they are objects.
func entries(of *huma.Schema) *huma.Schema {
	if s, ok := of.AdditionalProperties.(*huma.Schema); ok && s.Ref != "" {
		return s
	}
	return nil
}

// fits reports whether a value is of the property's type: several properties share a name.
func fits(of *huma.Schema, value any) bool {
	switch value.(type) {
	case string:
		return of.Type == huma.TypeString || of.Type == ""
	case float64:
		return of.Type == huma.TypeNumber || of.Type == huma.TypeInteger || of.Type == ""
	case []any:
		return of.Type == huma.TypeArray || of.Type == ""
	default:
		return of.Type == huma.TypeObject || of.Type == ""
	}
}

// Compose returns a whole value of a schema, from the examples of its properties.
func (b *Book) Compose(api *huma.OpenAPI, of *huma.Schema) any {
	return (&composer{book: b, schemas: api.Components.Schemas.Map()}).value(of)
}

type composer struct {
	book    *Book
	schemas map[string]*huma.Schema
	within  []string // the schemas around, of which none comes again within itself
}

func (c *composer) value(of *huma.Schema) any {
	switch {
	case of.Ref != "":
		return c.named(of.Ref[strings.LastIndexByte(of.Ref, '/')+1:])
	case len(of.Examples) > 0:
		return of.Examples[0]
	case len(of.Enum) > 0:
		return of.Enum[slices.IndexFunc(of.Enum, func(x any) bool { return x != "" })]
	case of.Default != nil:
		return of.Default
	case of.Type == huma.TypeBoolean:
		return false
	case of.Type == huma.TypeArray:
		if one := c.value(of.Items); one != nil {
			return []any{one}
		}
		return []any{}
	case of.Type == huma.TypeObject:
		return c.object("", of)
	}
	return nil
}

func (c *composer) named(schema string) any {
	if slices.Contains(c.within, schema) || c.schemas[schema] == nil {
		return nil
	}
	c.within = append(c.within, schema)
	defer func() { c.within = c.within[:len(c.within)-1] }()
	return c.object(schema, c.schemas[schema])
}

func (c *composer) object(schema string, of *huma.Schema) any {
	out := map[string]any{}
	for property, p := range of.Properties {
		left, known := c.book.values[schema+"."+property]
		if known && left == nil {
			continue
		}
		if value := c.value(p); value != nil {
			out[property] = value
		}
	}
	if of := entries(of); of != nil {
		if one := c.value(of); one != nil {
			out["developer"] = one
		}
	}
	return out
}

// Missing names the properties without an example, and the values that no property uses.
func (b *Book) Missing(api *huma.OpenAPI) []string {
	var out []string
	for name, s := range api.Components.Schemas.Map() {
		for property, of := range s.Properties {
			left, known := b.values[name+"."+property]
			if needs(of) && len(of.Examples) == 0 && (!known || left != nil) {
				out = append(out, name+"."+property)
			}
		}
	}
	for key := range b.values {
		if !b.used[key] {
			out = append(out, key+" is not used")
		}
	}
	return slices.SortedFunc(slices.Values(out), cmp.Compare)
}

// Operations returns the operations of a path by their method.
func Operations(item *huma.PathItem) map[string]*huma.Operation {
	out := map[string]*huma.Operation{
		"GET":    item.Get,
		"POST":   item.Post,
		"PUT":    item.Put,
		"PATCH":  item.Patch,
		"DELETE": item.Delete,
	}
	maps.DeleteFunc(out, func(_ string, o *huma.Operation) bool { return o == nil })
	return out
}
