package worker

import (
	"encoding/json"
	"strings"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/work/task"
)

// The prices of an agent elsewhere are in its own agentflow.yaml, not in the hub's settings.
func TestCO1_ABudgetWithoutAPriceElsewhereNamesTheFileThere(t *testing.T) {
	result, err := json.Marshal(Failure{Code: errcode.Validation, Cause: task.CauseUnpriced})
	if err != nil {
		t.Fatal(err)
	}
	got := errcode.From(failure(Report{Status: ReportFailed, ErrorMessage: "no price", Result: result}))
	if c := errcode.CauseOf(got); c.Code != task.CausePriceThere || got.Code != errcode.Validation ||
		!strings.Contains(got.Message, "agentflow.yaml on the agent's computer") {
		t.Errorf("%+v %+v", got, c)
	}
	// Any other word of an agent is only text.
	other := failure(Report{Status: ReportFailed, ErrorMessage: "no", Result: json.RawMessage(`{"cause":"deadline"}`)})
	if c := errcode.CauseOf(other); c.Code != "agent_failed" || c.Params[task.KeySaid] != "no" {
		t.Errorf("%+v", c)
	}
}
