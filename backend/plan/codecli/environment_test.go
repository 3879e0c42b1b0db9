package codecli

import (
	"strings"
	"testing"

	"agentflow/backend/base/errcode"
)

// ME-8: a worker gets the variables that the person names, with the values that they have here. What can't be passed on
// is refused with its name and what to do.
func TestME8_VariablesForAWorker(t *testing.T) {
	t.Setenv("LENT", "a word")
	if got, err := Lend([]string{"LENT"}); err != nil || got["LENT"] != "a word" {
		t.Errorf("%v, %v", got, err)
	}
	t.Setenv("AGENTFLOW_TOKEN", "secret")
	for name, want := range map[string]string{
		"LENT=5":          "enter only its name",
		"NOBODY_SET_THIS": "set it there and start the hub again",
		"AGENTFLOW_TOKEN": "is not for a worker",
	} {
		got, err := Lend([]string{"LENT", name})
		if got != nil || !errcode.Is(err, errcode.Validation) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}
