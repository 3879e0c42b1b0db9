package plansapi

import (
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/plan"
)

// The operations of a request get the checks of a patch document: a wrong one is rejected whole.
func TestReread_ChecksAsAPatchDocument(t *testing.T) {
	title := "A"
	good := plan.Operation{Op: plan.Create, TempID: "temp-1", Title: &title}
	for name, c := range map[string]struct {
		operations []plan.Operation
		fits       bool
	}{
		"a task":            {[]plan.Operation{good}, true},
		"an unknown op":     {[]plan.Operation{good, {Op: "explode", TaskID: "t-1"}}, false},
		"an update of none": {[]plan.Operation{{Op: plan.Update, Title: &title}}, false},
	} {
		got, err := reread(plan.Payload{Operations: c.operations})
		done := err == nil && len(got.Payload.Operations) == 1
		if done != c.fits || !c.fits && !errcode.Is(err, errcode.Validation) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}
