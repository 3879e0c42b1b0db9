package httpapi

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"agentflow/backend/server/httpapi/internal/example"
)

// described is an operation with its name for errors.
type described struct {
	name string
	*huma.Operation
}

func describedAPI(t *testing.T) (*huma.OpenAPI, *example.Book, []described) {
	t.Helper()
	s, _ := serve(t, builtPage(), nil)
	book, err := example.Open()
	if err != nil {
		t.Fatal(err)
	}
	api := s.api.OpenAPI()
	book.Fill(api)
	var out []described
	for path, item := range api.Paths {
		for method, o := range example.Operations(item) {
			out = append(out, described{method + " " + path, o})
		}
	}
	if len(out) < 150 {
		t.Fatalf("only %d operations", len(out))
	}
	return api, book, out
}

// Every operation, tag, parameter and field of a request says what it is for.
func TestAPIDescription_SaysWhatEverythingIsFor(t *testing.T) {
	api, _, operations := describedAPI(t)
	for _, problem := range undescribed(api, operations) {
		t.Error(problem)
	}
}

var (
	verbObject = regexp.MustCompile(`^[A-Z][a-z]+ [^,;:.]+$|^Sign in$`)
	sentence   = regexp.MustCompile(`(?s)^\S.*[.!]$`)
)

func undescribed(api *huma.OpenAPI, operations []described) []string {
	var out []string
	wrong := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	tags := map[string]bool{}
	for _, tag := range api.Tags {
		tags[tag.Name] = sentence.MatchString(tag.Description)
	}
	requests := map[string]bool{}
	for _, o := range operations {
		if !verbObject.MatchString(o.Summary) || len(o.Summary) > 50 {
			wrong("%s: the summary %q isn't a verb with an object", o.name, o.Summary)
		}
		if o.Description != "" && !sentence.MatchString(o.Description) {
			wrong("%s: the description %q isn't a sentence", o.name, o.Description)
		}
		if len(o.Tags) != 1 || !tags[o.Tags[0]] {
			wrong("%s: the tag %q has no description", o.name, o.Tags)
		}
		for _, p := range o.Parameters {
			if !sentence.MatchString(p.Description) {
				wrong("%s: the parameter %s has no description", o.name, p.Name)
			}
		}
		if o.RequestBody != nil {
			for _, body := range o.RequestBody.Content {
				reach(api, body.Schema, requests)
				for property, of := range body.Schema.Properties {
					if !sentence.MatchString(of.Description) {
						wrong("%s: the field %s has no description", o.name, property)
					}
				}
			}
		}
	}
	for name := range requests {
		for property, of := range api.Components.Schemas.Map()[name].Properties {
			if !sentence.MatchString(of.Description) {
				wrong("%s.%s, a field of a request, has no description", name, property)
			}
		}
	}
	slices.Sort(out)
	return out
}

// reach names the schemas that a schema leads to.
func reach(api *huma.OpenAPI, of *huma.Schema, names map[string]bool) {
	if of == nil {
		return
	}
	if name, ok := strings.CutPrefix(of.Ref, "#/components/schemas/"); ok && !names[name] {
		names[name] = true
		reach(api, api.Components.Schemas.Map()[name], names)
	}
	reach(api, of.Items, names)
	if entries, ok := of.AdditionalProperties.(*huma.Schema); ok {
		reach(api, entries, names)
	}
	for _, p := range of.Properties {
		reach(api, p, names)
	}
}

// Every operation has an example of its request and of its answer, and they fit their schemas.
func TestAPIDescription_HasExamplesThatFit(t *testing.T) {
	api, book, operations := describedAPI(t)
	for _, name := range book.Missing(api) {
		t.Errorf("%s: complete backend/server/httpapi/internal/example", name)
	}
	for _, o := range operations {
		if o.RequestBody != nil {
			for kind, body := range o.RequestBody.Content {
				if strings.HasSuffix(kind, "json") {
					fits(t, api, o.name+", request", body.Schema, body.Example, huma.ModeWriteToServer)
				}
			}
		}
		answers := 0
		for status, answer := range o.Responses {
			if status[0] != '2' {
				continue
			}
			answers++
			for kind, body := range answer.Content {
				value := body.Example
				if value == nil && body.Schema != nil && kind == "application/json" {
					value = book.Compose(api, body.Schema)
				}
				if value == nil && kind != "application/octet-stream" {
					t.Errorf("%s: %s has no example", o.name, kind)
				}
				if body.Schema != nil && kind == "application/json" {
					fits(t, api, o.name+", answer", body.Schema, value, huma.ModeReadFromServer)
				}
			}
		}
		if answers != 1 {
			t.Errorf("%s: %d answers are described", o.name, answers)
		}
	}
	for name, r := range api.Components.Responses {
		fits(t, api, name, r.Content["application/json"].Schema, r.Content["application/json"].Example,
			huma.ModeReadFromServer)
	}
}

func fits(t *testing.T, api *huma.OpenAPI, what string, schema *huma.Schema, value any, mode huma.ValidateMode) {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil || value == nil {
		t.Errorf("%s: no example (%v)", what, err)
		return
	}
	var plain any
	if err := json.Unmarshal(text, &plain); err != nil {
		t.Fatal(err)
	}
	result := new(huma.ValidateResult)
	huma.Validate(api.Components.Schemas, schema, huma.NewPathBuffer(nil, 0), mode, plain, result)
	for _, problem := range result.Errors {
		t.Errorf("%s: the example doesn't fit: %v", what, problem)
	}
}

// A summary that is no verb with an object, and a parameter without a description, are found.
func TestAPIDescription_FindsWhatIsMissing(t *testing.T) {
	api, book, operations := describedAPI(t)
	o := operations[slices.IndexFunc(operations, func(o described) bool { return o.OperationID == "listVersions" })]
	o.Summary, o.Parameters[0].Description = "The history, newest first", ""
	api.Components.Schemas.Map()["GatewayEdit"].Properties["url"].Description = ""
	api.Components.Schemas.Map()["GatewayEdit"].Properties["url"].Examples = nil
	got := strings.Join(undescribed(api, operations), "\n")
	for _, want := range []string{"The history, newest first", "the parameter id", "GatewayEdit.url"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q isn't among the problems:\n%s", want, got)
		}
	}
	if missing := book.Missing(api); !slices.Contains(missing, "GatewayEdit.url") {
		t.Errorf("a missing example isn't found: %q", missing)
	}
}
