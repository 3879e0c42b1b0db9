package inbox

import (
	"maps"
	"slices"
	"strings"

	"agentflow/backend/base/errcode"
)

// Reply is what a person answers.
type Reply struct {
	Choice   Choice
	Word     string              // to the agent
	Standing *Standing           // to create, with Always; nil: the narrowest one
	Answers  map[string][]string // to a gateway's questions, by the ID of the field
	By       string              // who answers, as the audit log has it
}

func (r *Reply) check() error {
	if r.Choice != Once && r.Choice != Always && r.Choice != Deny {
		return errcode.New(errcode.Validation, "the choice must be %s, %s or %s", Once, Always, Deny).
			With(errcode.KeyField, "choice")
	}
	if len(r.Word) > MaxWord {
		return errcode.New(errcode.Validation, "the word must be at most %d bytes long", MaxWord).
			With(errcode.KeyField, "word")
	}
	return nil
}

// fit checks the answers to a gateway's questions. The word answers a single one; with any other reply the gateway
// would drop it. The caller holds the machine's mu.
func (r *Reply) fit(at *AtGateway) error {
	if at.Kind != Questions || r.Choice != Once {
		if strings.TrimSpace(r.Word) != "" {
			return errcode.New(errcode.Validation,
				"the gateway doesn't pass a reply on to the agent. Answer without one. Nothing was sent").
				With(errcode.KeyField, "word")
		}
		return nil
	}
	if len(at.Fields) == 1 && len(r.Answers) == 0 && strings.TrimSpace(r.Word) != "" {
		r.Answers = map[string][]string{at.Fields[0].ID: {r.Word}}
	}
	for i := range at.Fields {
		f := &at.Fields[i]
		given := r.Answers[f.ID]
		var wrong string
		switch {
		case f.Secret:
			wrong = "asks for a secret. Answer it at the gateway"
		case len(given) == 0 || slices.ContainsFunc(given, func(a string) bool { return strings.TrimSpace(a) == "" }):
			wrong = "needs an answer"
		case len(given) > 1 && !f.Multi:
			wrong = "takes one answer"
		case len(f.Options) > 0 && !f.Other && !f.offers(given):
			wrong = "takes only one of its options"
		case len(strings.Join(given, "")) > MaxWord:
			wrong = "takes at most 4,096 bytes"
		default:
			continue
		}
		return errcode.New(errcode.Validation, "the question %q %s", f.ID, wrong).With(errcode.KeyField, "answers")
	}
	if len(r.Answers) > len(at.Fields) {
		return errcode.New(errcode.Validation, "there are more answers than questions").With(errcode.KeyField,
			"answers")
	}
	return nil
}

func (f *Field) offers(given []string) bool {
	for _, a := range given {
		if !slices.ContainsFunc(f.Options, func(o Option) bool { return o.Label == a }) {
			return false
		}
	}
	return true
}

// Details of the CONFLICT for who answers a question that is over.
const (
	KeyBy     = "by"     // who answered it
	KeyChoice = "choice" // and what
)

// over is the error of an answer that comes after the end of an entry.
func over(e Entry) *errcode.Error {
	err := errcode.New(errcode.Conflict, "the question is not waiting any more").With(errcode.KeyReason,
		string(e.State))
	if e.State != Answered {
		return err
	}
	if e.Gateway != nil && e.By != "" {
		err = errcode.New(errcode.Conflict, "%s answered the question before", e.By).With(errcode.KeyReason,
			"answered_by")
	}
	return err.With(KeyBy, e.By).With(KeyChoice, string(e.Choice))
}

// wordOf returns the answers to questions, for the history.
func wordOf(r Reply) string {
	var out string
	for _, id := range slices.Sorted(maps.Keys(r.Answers)) {
		for _, a := range r.Answers[id] {
			if out != "" {
				out += "\n"
			}
			out += a
		}
	}
	return cut(out, MaxWord)
}
