package meta_test

import (
	"encoding/json"
	"regexp"
	"testing"

	"agentflow/backend/plan/meta"
)

// An error about an answer doesn't name types of this program.
func TestME5_ErrorsNameNoGoTypes(t *testing.T) {
	goType := regexp.MustCompile(`meta\.|struct|yaml:`)
	for _, bad := range []string{
		`{"type":"plan_task","acceptance_criteria":[{"description":"a"}],"confidence":0.9}`,
		`{"type":"plan_task","acceptance_criteria":"a"}`,
		`["plan_task"]`,
	} {
		s := serve(t, answer{text: bad}, answer{text: planTask})
		var calls []meta.Call
		c := s.client(t, meta.Options{Record: func(c meta.Call) { calls = append(calls, c) }})
		if _, err := c.PlanTask(t.Context(), meta.PRD{Task: json.RawMessage(`{}`)}); err != nil {
			t.Fatal(err)
		}
		if calls[0].Error == "" || goType.MatchString(calls[0].Error) {
			t.Errorf("%s: %q", bad, calls[0].Error)
		}
	}
}
