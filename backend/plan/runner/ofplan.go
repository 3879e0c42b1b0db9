package runner

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"

	"agentflow/backend/plan"
	"agentflow/backend/plan/meta"
)

var plainID = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// OfPlan converts a plan task for Run; the caller sets repo, test and settings. of is the plan's path or ID, which
// distinguishes equal task IDs of different plans.
func OfPlan(of string, t plan.Task) Task {
	sum := sha256.Sum256([]byte(of + "\x00" + string(t.ID)))
	id := strings.Trim(plainID.ReplaceAllString(string(t.ID), "-"), ".-")
	if len(id) > 60 {
		id = id[:60]
	}
	out := Task{ID: "plan-" + id + "-" + hex.EncodeToString(sum[:4]), Title: t.Title, PRD: wanted(t)}
	for i, c := range t.AcceptanceCriteria {
		out.Criteria = append(out.Criteria, meta.AcceptanceCriterion{ID: fmt.Sprintf("AC-%d", i+1), Description: c})
	}
	return out
}

// wanted returns a task's description as text.
func wanted(t plan.Task) string {
	text := t.Title + "\n\n" + t.Description
	if s := t.SuggestedImpl; s != nil {
		if len(s.FilePaths) > 0 {
			text += "\n\nFiles:\n- " + strings.Join(s.FilePaths, "\n- ")
		}
		if len(s.Constraints) > 0 {
			text += "\n\nConstraints:\n- " + strings.Join(s.Constraints, "\n- ")
		}
	}
	return text
}
