package task

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"agentflow/backend/errcode"
)

// Review is where a task stands whose result others look at before it counts.
type Review struct {
	By       string          `json:"by" doc:"Agent that did the work."`
	Result   json.RawMessage `json:"result,omitempty" doc:"Result that is reviewed. Absent: the work is done again."`
	Accepted []string        `json:"accepted,omitempty" doc:"Agents that accepted the result."`
	Refusals []Refusal       `json:"refusals,omitempty" doc:"Rejections of earlier results."`
	Silent   []string        `json:"silent,omitempty" doc:"Reviewers that gave no verdict. The result counts without them."`
}

// Refusal is what a reviewer had to say against a result.
type Refusal struct {
	Reviewer string          `json:"reviewer"`
	Remarks  string          `json:"remarks"`
	Result   json.RawMessage `json:"result"`
}

// MaxRefusals is how often a result may be refused before the task fails.
const MaxRefusals = 3

const maxRemarks = 16 << 10

// Reviewed reports whether the task's result waits to be looked at.
func (t *Task) Reviewed() bool { return t.Review != nil && len(t.Review.Result) > 0 }

// Done returns the review of a result that by has brought.
func (t *Task) Done(by string, result json.RawMessage) *Review {
	r := &Review{By: by, Result: result}
	if t.Review != nil {
		r.Refusals = t.Review.Refusals
	}
	return r
}

// Accept returns the review after somebody has accepted the result.
func (r Review) Accept(reviewer string) *Review {
	r.Accepted = append(slices.Clone(r.Accepted), reviewer)
	return &r
}

// Skip returns the review after somebody has given no verdict: the result counts without it.
func (r Review) Skip(reviewer string) *Review {
	r.Silent = append(slices.Clone(r.Silent), reviewer)
	return &r
}

// Refuse returns the review after somebody has refused the result: it is done once more.
func (r Review) Refuse(reviewer, remarks string) *Review {
	if len(remarks) > maxRemarks {
		remarks = strings.ToValidUTF8(remarks[:maxRemarks], "") + "…"
	}
	r.Refusals = append(slices.Clone(r.Refusals), Refusal{Reviewer: reviewer, Remarks: remarks, Result: r.Result})
	r.Result, r.Accepted, r.Silent = nil, nil, nil
	return &r
}

// Asks is what the next agent is asked: the task itself, to look at its result, or to do it
// once more with what was said against it.
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

// ReasonNoVerdict marks an answer of a reviewer that is no verdict.
const ReasonNoVerdict = "no_verdict"

// ReadVerdict reads what a reviewer has answered. What says neither yes nor no is UNAVAILABLE:
// asking again may help.
func ReadVerdict(result json.RawMessage) (accepted bool, remarks string, err error) {
	text := resultText(result)
	from, to := strings.Index(text, "{"), strings.LastIndex(text, "}")
	var said struct {
		Accepted *bool
		Remarks  string
	}
	if from < 0 || to < from || json.Unmarshal([]byte(text[from:to+1]), &said) != nil || said.Accepted == nil {
		return false, "", errcode.New(errcode.Unavailable, "the reviewer did not say whether it accepts the work").With(errcode.KeyReason, ReasonNoVerdict)
	}
	if !*said.Accepted && strings.TrimSpace(said.Remarks) == "" {
		return false, "", errcode.New(errcode.Unavailable, "the reviewer refused the work and did not say why").With(errcode.KeyReason, ReasonNoVerdict)
	}
	return *said.Accepted, said.Remarks, nil
}

// StoppedMeanwhile is why an attempt ended with the hub; it does not count as a try.
const StoppedMeanwhile = "the hub stopped meanwhile"

// NotSaved is why an attempt ended whose end could not be saved; it does not count as a try.
const NotSaved = "the end of the attempt could not be saved"

// Open reports whether the last attempt has not ended.
func (t *Task) Open() bool {
	n := len(t.Attempts)
	return n > 0 && t.Attempts[n-1].EndedAt.IsZero()
}

// Tries counts the attempts that failed one after the other until now, the one that runs
// included.
func (t *Task) Tries() int {
	n := 0
	for i := len(t.Attempts) - 1; i >= 0; i-- {
		a := &t.Attempts[i]
		if a.Error == "" && !a.EndedAt.IsZero() {
			break
		}
		if a.Error != StoppedMeanwhile && a.Error != NotSaved {
			n++
		}
	}
	return n
}

// Reasons lists why every attempt failed, the last one's reason included.
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
