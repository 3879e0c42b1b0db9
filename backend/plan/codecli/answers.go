package codecli

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/model/llm"
)

// AnswerTimeout is the CLI's timeout for one answer (ME-6). A caller's shorter deadline doesn't change it.
const AnswerTimeout = 10 * time.Minute

// Answers uses a CLI as a language model: it can read only the prompt, and change nothing (ME-12).
type Answers struct {
	Worker  Worker
	Home    string // its own folder; not in the system's temporary folder
	Records string
	Pauses  []time.Duration // before the retries; nil is 1, 2 and 4 seconds (ME-5)
}

// passing matches transient errors: 5xx, 429, timeouts.
var passing = regexp.MustCompile(`\b(5\d\d|429)\b|(?i)timed? ?out|disconnected before completion`)

// Stream asks the CLI and passes on the answer in one piece. After 429, 5xx and timeouts it retries, at most three
// times.
func (a Answers) Stream(ctx context.Context, r llm.Request, onDelta func(string) error) (llm.Answer, error) {
	pauses := a.Pauses
	if pauses == nil {
		pauses = []time.Duration{time.Second, 2 * time.Second, 4 * time.Second}
	}
	for _, pause := range pauses {
		answer, again, err := a.ask(ctx, r, onDelta)
		if err == nil || !again {
			return answer, err
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return answer, context.Cause(ctx)
		}
	}
	answer, _, err := a.ask(ctx, r, onDelta)
	return answer, err
}

func (a Answers) ask(
	ctx context.Context,
	r llm.Request,
	onDelta func(string) error,
) (answer llm.Answer, again bool, err error) {
	empty := filepath.Join(a.Home, "empty")
	if err := os.MkdirAll(empty, 0o700); err != nil {
		return answer, false, errcode.Wrap(errcode.Unavailable, err, "the planner's own folder cannot be created: %s",
			empty)
	}
	w := a.Worker
	w.Timeout = cmp.Or(w.Timeout, AnswerTimeout)
	_, model := r.Model.Split()
	call := Call{Kind: w.Kind, Mode: Exec, Prompt: question(r), Model: model, UseStdin: true}
	switch w.Kind {
	case Codex:
		call.ToolSpecific = map[string]any{"sandbox": "read-only"}
	case Claude:
		call.ToolSpecific = map[string]any{"permission_mode": "plan"}
	}
	v, err := w.Run(ctx, Place{Dir: empty, Home: a.Home, Records: a.Records, NoGit: true}, call, nil)
	if err != nil {
		return answer, false, err
	}
	answer = llm.Answer{
		Text:      v.Message,
		Model:     llm.Model(string(w.Kind) + "/" + model),
		Finish:    llm.FinishStop,
		TokensIn:  v.TokensIn,
		TokensOut: v.TokensOut,
	}
	if !v.Finished {
		return answer, passing.MatchString(v.Reason), errcode.New(errcode.Unavailable,
			"the planner %s failed: %s", w.Kind, v.Reason)
	}
	return answer, false, onDelta(answer.Text)
}

// question returns the conversation as one text, after the system prompt: a CLI has only one prompt.
func question(r llm.Request) string {
	parts := []string{}
	if r.System != "" {
		parts = append(parts, r.System)
	}
	for _, m := range r.Messages {
		parts = append(parts, m.Text)
	}
	return strings.Join(parts, "\n\n")
}
