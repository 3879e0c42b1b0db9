package meta

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"agentflow/backend/errcode"
	"agentflow/backend/llm"
	"agentflow/backend/plan"
)

// Model asks a language model. *llm.Registry is one: it tries again after 1, 2 and 4
// seconds on 429, 5xx and timeouts, and never on other 4xx (ME-5).
type Model interface {
	Stream(ctx context.Context, r llm.Request, onDelta func(delta string) error) (llm.Answer, error)
}

// DefaultTimeout bounds one try of one question to a chat model (ME-6);
// META_TIMEOUT_SEC sets another.
const DefaultTimeout = 60 * time.Second

// parseRetries is how many times an answer that is none is asked for again (ME-5).
const parseRetries = 3

// SystemPrompt is the meta-agent's, word for word as the protocol has it (seed §7.1, ME-7).
const SystemPrompt = `あなたはソフトウェア開発タスクを管理するテックリード兼オーケストレータです。

- 与えられたタスクコンテキスト（TaskContext）にもとづき、
  次に何をすべきかを決定する役割を担います。
- 出力は必ず 1 つの YAML ドキュメントのみとします。
- コードブロック（` + "```" + `）や解説文は一切書かないでください。
`

// Call is one question and what came of it.
type Call struct {
	Protocol  Protocol      `json:"protocol"`
	Task      plan.ID       `json:"task,omitempty" doc:"ID of the plan task."`
	At        time.Time     `json:"at"`
	Took      time.Duration `json:"took" doc:"Duration in nanoseconds."`
	Model     llm.Model     `json:"model"`
	System    string        `json:"system"`
	Prompt    string        `json:"prompt"`
	Answer    string        `json:"answer"`
	TokensIn  int           `json:"tokensIn"`
	TokensOut int           `json:"tokensOut"`
	CostUSD   float64       `json:"costUsd"`
	Priced    bool          `json:"priced" doc:"The cost is known."`
	Error     string        `json:"error,omitempty" doc:"Why the answer wasn't used."`
}

// Options configure a Client.
type Options struct {
	Models  Model
	Model   llm.Model        // provider/model
	System  string           // "" is SystemPrompt
	Timeout time.Duration    // of one try; 0 is DefaultTimeout
	Record  func(Call)       // told of every call, in order; may be nil
	Now     func() time.Time // nil is time.Now
}

// Client asks one meta-agent. Its methods may be called from anywhere; each blocks until
// there is an answer that can be used, or none is to be had.
type Client struct{ o Options }

// New returns a Client.
func New(o Options) *Client {
	if o.System == "" {
		o.System = SystemPrompt
	}
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	if o.Record == nil {
		o.Record = func(Call) {}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Client{o}
}

// PlanTask asks for the acceptance criteria of a task (ME-1). Criteria without an id get one.
func (c *Client) PlanTask(ctx context.Context, in PRD) (PlanTaskAnswer, error) {
	return ask(ctx, c, PlanTask, in, func(text string) (a PlanTaskAnswer, err error) {
		if err = document(text, PlanTask, &a); err == nil {
			err = a.check()
		}
		return a, err
	})
}

// NextAction asks what to do next (ME-2).
func (c *Client) NextAction(ctx context.Context, in TaskContext) (NextActionAnswer, error) {
	return ask(ctx, c, NextAction, in, func(text string) (a NextActionAnswer, err error) {
		if err = document(text, NextAction, &a); err == nil {
			err = a.check()
		}
		return a, err
	})
}

// Assess asks whether the work is done (ME-3).
func (c *Client) Assess(ctx context.Context, in TaskContext) (CompletionAssessmentAnswer, error) {
	return ask(ctx, c, CompletionAssessment, in, func(text string) (a CompletionAssessmentAnswer, err error) {
		if err = document(text, CompletionAssessment, &a); err == nil {
			err = a.check()
		}
		return a, err
	})
}

// Decompose asks for the tasks that a wish means, beside those there are (ME-8). An answer
// that could not be added to the plan counts as none.
func (c *Client) Decompose(ctx context.Context, in Wish) (DecomposeAnswer, error) {
	return ask(ctx, c, Decompose, in, func(text string) (a DecomposeAnswer, err error) {
		if err = document(text, Decompose, &a); err == nil {
			err = a.check()
		}
		if err == nil {
			err = in.fits(a.Patch())
		}
		return a, err
	})
}

// Patch asks for the change to the plan that a wish means (ME-9). An answer that the plan
// refuses counts as none.
func (c *Client) Patch(ctx context.Context, in Wish) (*plan.Patch, error) {
	return ask(ctx, c, PlanPatch, in, func(text string) (*plan.Patch, error) {
		p, err := patchDocument(text)
		if err == nil {
			err = in.fits(p)
		}
		return p, err
	})
}

// Wish is what a person wants of a plan, with what the meta-agent is told of it: trimmed
// the same way every time (ME-10).
type Wish struct {
	Text         string
	Plan         *plan.Plan
	Conversation []plan.Message
}

// MarshalJSON writes what is told.
func (w Wish) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Message string `json:"message"`
		plan.Brief
	}{w.Text, w.Plan.Brief(w.Conversation)})
}

// fits reports why the plan would refuse the patch.
func (w Wish) fits(p *plan.Patch) error {
	n := 0
	_, err := w.Plan.Apply(p, func() plan.ID { n++; return plan.ID(fmt.Sprintf("task %d of the answer", n)) })
	if err != nil {
		return fmt.Errorf("%s", errcode.From(err).Message)
	}
	return nil
}

// Prompt is what is sent to the model for a question, beside the system prompt.
func Prompt(p Protocol, in any) (string, error) {
	told, err := json.MarshalIndent(in, "", "  ")
	if err != nil {
		return "", errcode.Wrap(errcode.Internal, err, "the question cannot be written")
	}
	return instructions[p] + "\n\nInput (JSON):\n" + string(told), nil
}

// ask puts the question until the answer can be read, four times at most.
func ask[A any](ctx context.Context, c *Client, p Protocol, in any, read func(text string) (A, error)) (A, error) {
	var none A
	question, err := Prompt(p, in)
	if err != nil {
		return none, err
	}
	r := llm.Request{Agent: "meta", For: "meta:" + string(p), Model: c.o.Model, System: c.o.System, Whole: true, Timeout: c.o.Timeout}
	var why error
	for range 1 + parseRetries {
		prompt := question
		if why != nil {
			prompt += fmt.Sprintf("\n\nYour last answer could not be used: %s. Answer again, with the one document only.", why)
		}
		call := Call{Protocol: p, At: c.o.Now(), Model: c.o.Model, System: c.o.System, Prompt: prompt}
		r.Messages = []llm.Message{{Role: llm.RoleUser, Text: prompt}}
		answer, err := c.o.Models.Stream(ctx, r, func(string) error { return nil })
		call.Took, call.Answer, call.TokensIn, call.TokensOut = c.o.Now().Sub(call.At), answer.Text, answer.TokensIn, answer.TokensOut
		call.CostUSD, call.Priced = answer.CostUSD, answer.Priced
		if answer.Model != "" {
			call.Model = answer.Model
		}
		if err != nil && !errcode.HasReason(err, llm.ReasonNoAnswer) {
			call.Error = err.Error()
			c.o.Record(call)
			return none, err
		}
		a, bad := none, err
		if bad == nil {
			a, bad = whole(answer, read)
		}
		if bad == nil {
			c.o.Record(call)
			return a, nil
		}
		why = bad
		call.Error = bad.Error()
		c.o.Record(call)
	}
	return none, errcode.Wrap(errcode.Unavailable, why, "the meta-agent %s gave no answer to %s that can be used, in %d tries", c.o.Model, p, 1+parseRetries).
		With(errcode.KeyReason, ReasonUnparsable)
}

func whole[A any](answer llm.Answer, read func(text string) (A, error)) (A, error) {
	a, err := read(answer.Text)
	if err == nil && answer.Finish != llm.FinishStop {
		err = errors.New("it was cut off at its largest size")
	}
	return a, err
}

// ReasonUnparsable marks a meta-agent whose answers could not be read.
const ReasonUnparsable = "unparsable"
