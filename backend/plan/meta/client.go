package meta

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/model/llm"
	"agentflow/backend/plan"
)

// Model calls a language model. *llm.Registry implements it: it retries after 1, 2 and 4 seconds on 429, 5xx and
// timeouts, and never on other 4xx (ME-5).
type Model interface {
	Stream(ctx context.Context, r llm.Request, onDelta func(delta string) error) (llm.Answer, error)
}

// DefaultTimeout is the timeout of one call to a chat model (ME-6); META_TIMEOUT_SEC overrides it.
const DefaultTimeout = 60 * time.Second

// parseRetries is the number of retries after an unusable answer (ME-5).
const parseRetries = 3

// SystemPrompt is the planner's system prompt, verbatim from the protocol (seed §7.1, ME-7).
const SystemPrompt = `あなたはソフトウェア開発タスクを管理するテックリード兼オーケストレータです。

- 与えられたタスクコンテキスト（TaskContext）にもとづき、
  次に何をすべきかを決定する役割を担います。
- 出力は必ず 1 つの YAML ドキュメントのみとします。
- コードブロック（` + "```" + `）や解説文は一切書かないでください。
`

// Call is one call to the planner and its result.
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
	Timeout time.Duration    // of one call; 0 is DefaultTimeout
	Record  func(Call)       // gets each call, in order; may be nil
	Now     func() time.Time // nil is time.Now
}

// Client calls one planner. It is safe for concurrent use. Each method blocks until there is a usable answer, or the
// retries are used up.
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

// PlanTask asks for the acceptance criteria of a task (ME-1). It adds missing IDs.
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

// Decompose asks for the tasks that a goal needs, besides the existing ones (ME-8). It retries after an answer that
// doesn't fit the plan.
func (c *Client) Decompose(ctx context.Context, in Request) (DecomposeAnswer, error) {
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

// Patch asks for the change to the plan for a goal (ME-9). It retries after an answer that doesn't fit the plan.
func (c *Client) Patch(ctx context.Context, in Request) (*plan.Patch, error) {
	return ask(ctx, c, PlanPatch, in, func(text string) (*plan.Patch, error) {
		p, err := patchDocument(text)
		if err == nil {
			err = in.fits(p)
		}
		return p, err
	})
}

// Request is a person's goal for a plan, with the planner's input, which is shortened deterministically (ME-10).
type Request struct {
	Text         string
	Plan         *plan.Plan
	Conversation []plan.Message
}

// MarshalJSON writes the planner's input.
func (w Request) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Message string `json:"message"`
		plan.Brief
	}{w.Text, w.Plan.Brief(w.Conversation)})
}

// fits returns why the patch doesn't fit the plan.
func (w Request) fits(p *plan.Patch) error {
	n := 0
	_, err := w.Plan.Apply(p, func() plan.ID { n++; return plan.ID(fmt.Sprintf("task %d of the answer", n)) })
	if err != nil {
		return fmt.Errorf("%s", errcode.From(err).Message)
	}
	return nil
}

// Prompt returns the user prompt of a call.
func Prompt(p Protocol, in any) (string, error) {
	told, err := json.MarshalIndent(in, "", "  ")
	if err != nil {
		return "", errcode.Wrap(errcode.Internal, err, "the question cannot be written")
	}
	return instructions[p] + "\n\nInput (JSON):\n" + string(told), nil
}

// ask calls the planner until the answer can be read, at most four times.
func ask[A any](ctx context.Context, c *Client, p Protocol, in any, read func(text string) (A, error)) (A, error) {
	var none A
	question, err := Prompt(p, in)
	if err != nil {
		return none, err
	}
	r := llm.Request{
		Agent:   "meta",
		For:     "meta:" + string(p),
		Model:   c.o.Model,
		System:  c.o.System,
		Whole:   true,
		Timeout: c.o.Timeout,
	}
	var why error
	for range 1 + parseRetries {
		prompt := question
		if why != nil {
			prompt += fmt.Sprintf(
				"\n\nYour last answer could not be used: %s. Answer again, with the one document only.",
				why,
			)
		}
		call := Call{Protocol: p, At: c.o.Now(), Model: c.o.Model, System: c.o.System, Prompt: prompt}
		r.Messages = []llm.Message{{Role: llm.RoleUser, Text: prompt}}
		answer, err := c.o.Models.Stream(ctx, r, func(string) error { return nil })
		call.Took, call.Answer, call.TokensIn, call.TokensOut = c.o.Now().
			Sub(call.At),
			answer.Text, answer.TokensIn, answer.TokensOut
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
	return none, errcode.Wrap(errcode.Unavailable, why,
		"the planner %s gave no usable answer in %d attempts. Try again, or choose another model", c.o.Model, 1+parseRetries).
		With(errcode.KeyReason, ReasonUnparsable).
		With("model", string(c.o.Model)).
		With("n", 1+parseRetries)
}

func whole[A any](answer llm.Answer, read func(text string) (A, error)) (A, error) {
	a, err := read(answer.Text)
	if err == nil && answer.Finish != llm.FinishStop {
		err = errors.New("it was cut off at its largest size")
	}
	return a, err
}

// ReasonUnparsable marks unusable answers of the planner.
const ReasonUnparsable = "unparsable"
