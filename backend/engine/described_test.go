package engine_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"agentflow/backend/work/task"
)

// described is the hub's own description of its answers.
type described struct {
	t      *testing.T
	defs   map[string]json.RawMessage
	shared map[string]describedAnswer // by name
	paths  map[string]map[string]struct {
		Responses map[string]describedAnswer
	}
}

// describedAnswer is one answer of a route, or the name of a shared one.
type describedAnswer struct {
	Ref     string `json:"$ref"`
	Content map[string]struct{ Schema json.RawMessage }
}

func (h *hub) described() described {
	h.t.Helper()
	status, data := h.send(http.MethodGet, "/openapi.json", "application/json", nil)
	data = bytes.ReplaceAll(data, []byte("#/components/schemas/"), []byte("#/$defs/")) // where JSON Schema looks for them
	var doc struct {
		OpenAPI    string
		Components struct {
			Schemas   map[string]json.RawMessage
			Responses map[string]describedAnswer
		}
		Paths json.RawMessage
	}
	d := described{t: h.t}
	err := json.Unmarshal(data, &doc)
	if err == nil {
		d.defs, d.shared = doc.Components.Schemas, doc.Components.Responses
		err = json.Unmarshal(doc.Paths, &d.paths)
	}
	if err != nil || status != http.StatusOK || !strings.HasPrefix(doc.OpenAPI, "3.1.") {
		h.t.Fatalf("%d %s: %v", status, doc.OpenAPI, err)
	}
	return d
}

// permits fails the test unless the description has such an answer to a route.
func (d described) permits(method, route string, status int, answer []byte) {
	d.t.Helper()
	content, known := d.paths[route][strings.ToLower(method)].Responses[strconv.Itoa(status)]
	if name, isRef := strings.CutPrefix(content.Ref, "#/components/responses/"); isRef {
		content, known = d.shared[name]
	}
	if !known {
		d.t.Errorf("%s %s: the description knows no answer %d", method, route, status)
		return
	}
	schema := content.Content["application/json"].Schema
	ready, err := resolved(schema, d.used(schema))
	if err != nil {
		d.t.Fatalf("%s %s: %v", method, route, err)
	}
	var value any
	if err := json.Unmarshal(answer, &value); err != nil {
		d.t.Fatalf("%s %s: %v: %s", method, route, err, answer)
	}
	if err := ready.Validate(value); err != nil {
		d.t.Errorf("%s %s answers %d %s, which is not what its description says: %v", method, route, status, answer,
			err)
	}
}

// resolved prepares a schema that refers to others.
func resolved(schema json.RawMessage, defs map[string]json.RawMessage) (*jsonschema.Resolved, error) {
	whole, err := json.Marshal(map[string]any{"$defs": defs, "allOf": []json.RawMessage{schema}})
	if err != nil {
		return nil, err
	}
	var out jsonschema.Schema
	if err := json.Unmarshal(whole, &out); err != nil {
		return nil, err
	}
	return out.Resolve(nil)
}

var nameOfDef = regexp.MustCompile(`"#/\$defs/([^"]+)"`)

// used returns the schemas that one refers to, directly or by others: resolving all takes 200 ms.
func (d described) used(schema json.RawMessage) map[string]json.RawMessage {
	found := map[string]json.RawMessage{}
	for todo := []json.RawMessage{schema}; len(todo) > 0; todo = todo[1:] {
		for _, m := range nameOfDef.FindAllSubmatch(todo[0], -1) {
			name := string(m[1])
			if def, known := d.defs[name]; known && found[name] == nil {
				found[name] = def
				todo = append(todo, def)
			}
		}
	}
	return found
}

// Every kind of answer of the tasks' routes is as /openapi.json describes it, refusals too.
func TestCO6_AnswersAreAsTheyAreDescribed(t *testing.T) {
	t.Parallel()
	h := startHub(t, t.TempDir())
	h.applyTeam(demoTeam)
	d := h.described()
	ask := func(method, route, path, body string, want int) []byte {
		t.Helper()
		status, answer := h.send(method, path, "application/json", []byte(body))
		if status != want {
			t.Errorf("%s %s: %d, want %d: %s", method, path, status, want, answer)
			return answer
		}
		d.permits(method, route, status, answer)
		return answer
	}
	const submit, one, where, result = "/submit_task", "/tasks/{taskId}", "/tasks/{taskId}/status", "/tasks/{taskId}/result"
	var sent submitAnswer
	if err := json.Unmarshal(ask(http.MethodPost, submit, submit, `{"sessionId":"s","userPrompt":"hello","taskType":"chat","context":{"any":{"thing":[1]}}}`, 200), &sent); err != nil {
		t.Fatal(err)
	}
	h.sse(t.Context(), "/tasks/"+sent.TaskID+"/events", "", func(_ string, e task.Event) bool { return e.Type != task.EventEnd })
	ask(http.MethodPost, submit, submit, `{"sessionId":"s","userPrompt":"p","taskType":"chat","context":{"agent":"dev-2"}}`, 200) // rejected
	ask(http.MethodPost, submit, submit, `{"sessionId":"s"}`, 400)
	for _, route := range []string{submit, "/tasks", result} {
		ask(http.MethodPost, route, strings.Replace(route, "{taskId}", sent.TaskID, 1),
			`{"prompt":"`+strings.Repeat("x", 1<<20)+`"}`, 413)
	}
	ask(http.MethodGet, one, "/tasks/"+sent.TaskID, "", 200)
	ask(http.MethodGet, where, "/tasks/"+sent.TaskID+"/status", "", 200)
	ask(http.MethodGet, where, "/tasks/none/status", "", 404)
	ask(http.MethodGet, "/tasks", "/tasks", "", 200)
	ask(http.MethodGet, "/tasks", "/tasks?limit=0", "", 400)
	ask(http.MethodPost, "/tasks", "/tasks", `{"taskId":"T-1","taskType":"bug_fix","prompt":"p"}`, 200)
	ask(http.MethodPost, "/tasks", "/tasks", `{"taskId":"T-1"}`, 400)
	ask(http.MethodPost, result, "/tasks/T-1/result", `{"status":"completed"}`, 403)
	ask(http.MethodPost, "/tasks/{taskId}/cancel", "/tasks/"+sent.TaskID+"/cancel", "", 409)
	ask(http.MethodPost, "/tasks/{taskId}/retry", "/tasks/"+sent.TaskID+"/retry", "", 409)
	ask(http.MethodGet, "/status", "/status", "", 200)
	ask(http.MethodGet, "/api/tasks", "/api/tasks", "", 200)
	ask(http.MethodGet, "/api/task-agents", "/api/task-agents", "", 200)
}
