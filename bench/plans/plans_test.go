package plans_test

import (
	"bytes"
	"strings"
	"testing"

	"agentflow/bench/plans"
)

func TestThePlanIsWholeAndNoTitleTwice(t *testing.T) {
	seen := map[any]bool{}
	for _, op := range plans.Operations() {
		seen[op["title"]] = true
	}
	if len(seen) != plans.Size {
		t.Errorf("%d titles, not %d", len(seen), plans.Size)
	}
}

func TestWhatTheScriptSaysIsRead(t *testing.T) {
	var asked bytes.Buffer
	says := func(text string) func() (string, error) { return func() (string, error) { return text, nil } }
	got, err := plans.Measure(&asked, says(`{"views":[{"name":"tree","frame":16.7,"worst":30,"keys":[5,6]}]}`),
		"http://x", "p")
	if err != nil || len(got) != 1 || got[0].Name != "tree" || got[0].Frame != 16.7 || len(got[0].Keys) != 2 {
		t.Errorf("%+v, %v", got, err)
	}
	if line := asked.String(); line != `{"link":"http://x","plan":"p"}`+"\n" {
		t.Errorf("asked %s", line)
	}
	if _, err := plans.Measure(&asked, says(`{"error":"no page"}`), "", ""); err == nil || !strings.Contains(err.Error(), "no page") {
		t.Errorf("%v", err)
	}
}
