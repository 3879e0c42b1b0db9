package task

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"agentflow/backend/base/errcode"
)

// Review is the state of a task whose result must be reviewed before it counts.
type Review struct {
	By       string          `json:"by" doc:"Agent that did the work."`
	Result   json.RawMessage `json:"result,omitempty" doc:"Result that is reviewed. Absent: the work is done again."`
	Accepted []string        `json:"accepted,omitempty" doc:"Agents that accepted the result."`
	Refusals []Refusal       `json:"refusals,omitempty" doc:"Rejections of earlier results."`
	Silent   []string        `json:"silent,omitempty" doc:"Reviewers that gave no verdict. The result counts without them."`
}

// Refusal is a reviewer's rejection of a result.
type Refusal struct {
	Reviewer string          `json:"reviewer"`
	Remarks  string          `json:"remarks"`
	Result   json.RawMessage `json:"result"`
}

// MaxRefusals is the number of rejections after which the task fails.
const MaxRefusals = 3

const maxRemarks = 16 << 10

// Reviewed reports whether the task's result waits for a review.
func (t *Task) Reviewed() bool { return t.Review != nil && len(t.Review.Result) > 0 }

// Done returns the review of a new result of an agent.
func (t *Task) Done(by string, result json.RawMessage) *Review {
	r := &Review{By: by, Result: result}
	if t.Review != nil {
		r.Refusals = t.Review.Refusals
	}
	return r
}

// Accept returns the review after a reviewer has accepted the result.
func (r Review) Accept(reviewer string) *Review {
	r.Accepted = append(slices.Clone(r.Accepted), reviewer)
	return &r
}

// Skip returns the review after a reviewer has given no verdict: the result counts without it.
func (r Review) Skip(reviewer string) *Review {
	r.Silent = append(slices.Clone(r.Silent), reviewer)
	return &r
}

// Refuse returns the review after a reviewer has rejected the result: the work is repeated.
func (r Review) Refuse(reviewer, remarks string) *Review {
	if len(remarks) > maxRemarks {
		remarks = strings.ToValidUTF8(remarks[:maxRemarks], "") + "…"
	}
	r.Refusals = append(slices.Clone(r.Refusals), Refusal{Reviewer: reviewer, Remarks: remarks, Result: r.Result})
	r.Result, r.Accepted, r.Silent = nil, nil, nil
	return &r
}

// Asks returns the prompt for the next agent: the task itself, a request to review its result, or the task with the
// reviewer's remarks.
func (t *Task) Asks() string {
	r := t.Review
	switch {
	case r == nil:
		return t.Prompt
	case len(r.Result) > 0:
		return fmt.Sprintf("Review the work of %s. You do not do the work yourself: you say whether it does what was asked for.\n\n"+
			"What was asked for:\n%s\n\nWhat %s brought:\n%s\n\n"+
			`Answer with one JSON object and nothing else: {"accepted": true} or {"accepted": false, "remarks": "what is wrong, and what would be right"}`,
			r.By, t.Prompt, r.By, resultText(r.Result))
	case len(r.Refusals) > 0:
		last := r.Refusals[len(r.Refusals)-1]
		return fmt.Sprintf("%s\n\nYou have done this before. What you brought:\n%s\n\n%s did not accept it and says:\n%s\n\nDo it once more, whole, with that in mind.",
			t.Prompt, resultText(last.Result), last.Reviewer, last.Remarks)
	}
	return t.Prompt
}

func resultText(result json.RawMessage) string {
	var fields struct{ Text *string }
	if json.Unmarshal(result, &fields) == nil && fields.Text != nil {
		return *fields.Text
	}
	return string(result)
}

// ReasonNoVerdict marks a reviewer's answer without a verdict.
const ReasonNoVerdict = "no_verdict"

// ReadVerdict reads a reviewer's answer. If it contains no clear verdict, the error is UNAVAILABLE: a retry may help.
func ReadVerdict(result json.RawMessage) (accepted bool, remarks string, err error) {
	text := resultText(result)
	from, to := strings.Index(text, "{"), strings.LastIndex(text, "}")
	var said struct {
		Accepted *bool
		Remarks  string
	}
	if from < 0 || to < from || json.Unmarshal([]byte(text[from:to+1]), &said) != nil || said.Accepted == nil {
		return false, "", errcode.New(errcode.Unavailable, "the reviewer did not say whether it accepts the work").
			With(errcode.KeyReason, ReasonNoVerdict)
	}
	if !*said.Accepted && strings.TrimSpace(said.Remarks) == "" {
		return false, "", errcode.New(errcode.Unavailable, "the reviewer refused the work and did not say why").
			With(errcode.KeyReason, ReasonNoVerdict)
	}
	return *said.Accepted, said.Remarks, nil
}

// StoppedMeanwhile is the error of an attempt that ended because the hub stopped; Tries doesn't count it.
const StoppedMeanwhile = "the hub stopped meanwhile"

// NotSaved is the error of an attempt whose end couldn't be saved; Tries doesn't count it.
const NotSaved = "the end of the attempt could not be saved"

// Open reports whether the last attempt is still running.
func (t *Task) Open() bool {
	n := len(t.Attempts)
	return n > 0 && t.Attempts[n-1].EndedAt.IsZero()
}

// Tries counts the consecutive failed attempts so far, including the running one.
func (t *Task) Tries() int {
	n := 0
	for i := len(t.Attempts) - 1; i >= 0; i-- {
		a := &t.Attempts[i]
		if a.Error == "" && !a.EndedAt.IsZero() {
			break
		}
		if a.Error != StoppedMeanwhile && a.Error != NotSaved && !a.Withdrawn() {
			n++
		}
	}
	return n
}

// Reasons lists why each attempt failed; last is the reason of the latest one.
func (t *Task) Reasons(last string) string {
	var lines []string
	for i := range t.Attempts {
		a := &t.Attempts[i]
		why := a.Error
		if i == len(t.Attempts)-1 {
			why = last
		}
		if why != "" {
			lines = append(lines, fmt.Sprintf("attempt %d, %s: %s", i+1, a.Agent, why))
		}
	}
	if len(lines) == 1 {
		return last
	}
	return strings.Join(lines, "\n")
}
