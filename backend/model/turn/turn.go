// Package turn runs one turn of an agent: its model, with tools, until it has an answer. It is the only place where a
// model's calls are executed, for tasks, agent processes and rooms alike.
//
//	answer, err := turn.Run(ctx, turn.Turn{
//		Models:  registry,                       // *llm.Registry
//		Request: llm.Request{Model: "ollama/qwen3", System: persona, Messages: history},
//		Tools:   tools,                          // *tool.Set; nil: none
//		Tell:    func(n turn.News) error { … },  // pieces of the answer, starts and ends of tools
//	})
//
// Failures of a tool are reported to the model and to Tell, and the turn continues. The turn fails if the model can't
// be called, a limit is reached, or ctx ends, with its cause.
package turn

import (
	"cmp"
	"context"
	"strings"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/model/llm"
	"agentflow/backend/model/tool"
)

// Models calls language models. *llm.Registry implements it.
type Models interface {
	Stream(ctx context.Context, r llm.Request, onDelta func(delta string) error) (llm.Answer, error)
}

// Bounds limit a turn that doesn't come to an answer. Zero fields take the defaults.
type Bounds struct {
	Rounds int // calls to the model: 24
	Tokens int // input and output of all rounds: 1,000,000
	Output int // bytes of text of all rounds: 1 MiB
	Alike  int // consecutive identical calls with identical outcomes: 4
}

func (b Bounds) orDefaults() Bounds {
	return Bounds{
		Rounds: cmp.Or(b.Rounds, 24), Tokens: cmp.Or(b.Tokens, 1_000_000),
		Output: cmp.Or(b.Output, 1<<20), Alike: cmp.Or(b.Alike, 4),
	}
}

// Turn is the input of Run.
type Turn struct {
	Models  Models
	Request llm.Request // its Tools are set by the turn
	Tools   *tool.Set
	Bounds  Bounds
	Spent   func(Answer) (note string, err error) // gets the cost of all rounds so far; a note is added for the model, an error ends the turn; may be nil
	Tell    func(Update) error                    // gets the news in order; an error ends the turn and is returned unchanged
}

// Update is a piece of text, the start of a tool, or its end.
type Update struct {
	Text  string
	Use   *Use
	Ended bool // Use has its outcome
}

// Use is one use of a tool.
type Use struct {
	Tool      string        `json:"tool"`
	Arguments string        `json:"arguments"` // as the model sent them
	Result    string        `json:"result"`    // as the model got it
	Failed    bool          `json:"failed"`
	Took      time.Duration `json:"-"`
}

// Answer is the result of a turn.
type Answer struct {
	llm.Answer        // the model's last answer, with the tokens and cost of all rounds
	Uses       []*Use // in order
}

// Reasons for a turn that reached a limit.
const (
	ReasonRounds = "rounds"
	ReasonTokens = "tokens"
	ReasonOutput = "output"
	ReasonAlike  = "repetition"
)

type turning struct {
	Turn
	in, out, output int
	cost            float64
	unpriced        bool // some calls have an unknown price
	alike           int
	uses            []*Use
}

// Run runs the turn. If it fails, the Answer contains the results so far.
func Run(ctx context.Context, t Turn) (Answer, error) {
	t.Bounds = t.Bounds.orDefaults()
	t.Request.Messages = append([]llm.Message(nil), t.Request.Messages...)
	t.Request.Tools = nil
	for _, offered := range t.Tools.Tools() {
		t.Request.Tools = append(t.Request.Tools,
			llm.Tool{Name: offered.Name, Description: offered.Description, Schema: offered.Schema})
	}
	r := &turning{Turn: t}
	for round := 1; ; round++ {
		a, err := r.ask(ctx)
		note := ""
		if err == nil && r.Spent != nil {
			note, err = r.Spent(r.answer(a))
		}
		if err != nil || len(a.Calls) == 0 {
			return r.answer(a), err
		}
		if round == r.Bounds.Rounds {
			return r.answer(a), over(ReasonRounds, "the agent used tools %d times over without coming to an answer, and was stopped", round)
		}
		r.Request.Messages = append(r.Request.Messages,
			llm.Message{Role: llm.RoleAssistant, Text: a.Text, Calls: a.Calls})
		for _, c := range a.Calls {
			if err := r.use(ctx, c, a.Text); err != nil {
				return r.answer(a), err
			}
		}
		if note != "" {
			r.Request.Messages = append(r.Request.Messages, llm.Message{Role: llm.RoleUser, Text: note})
		}
	}
}

func over(reason, format string, args ...any) error {
	return errcode.New(errcode.Validation, format, args...).With(errcode.KeyReason, reason)
}

func (r *turning) answer(a llm.Answer) Answer {
	a.TokensIn, a.TokensOut, a.CostUSD, a.Priced = r.in, r.out, r.cost, !r.unpriced
	return Answer{Answer: a, Uses: r.uses}
}

// ask calls the model once, and checks the limits before its calls are executed.
func (r *turning) ask(ctx context.Context) (llm.Answer, error) {
	a, err := r.Models.Stream(ctx, r.Request, func(delta string) error {
		if r.output += len(delta); r.output > r.Bounds.Output {
			return over(ReasonOutput, "the agent wrote more than %d bytes, and was stopped", r.Bounds.Output)
		}
		return r.tell(Update{Text: delta})
	})
	r.in, r.out, r.cost = r.in+a.TokensIn, r.out+a.TokensOut, r.cost+a.CostUSD
	r.unpriced = r.unpriced || !a.Priced
	if err == nil && len(a.Calls) > 0 && r.in+r.out > r.Bounds.Tokens {
		err = over(ReasonTokens,
			"the agent used %d tokens without coming to an answer, and was stopped: %d are allowed", r.in+r.out,
			r.Bounds.Tokens)
	}
	return a, err
}

func (r *turning) tell(n Update) error {
	if r.Tell == nil {
		return nil
	}
	return r.Tell(n)
}

// use executes one call and adds its outcome to the messages.
func (r *turning) use(ctx context.Context, c llm.Call, said string) error {
	u := &Use{Tool: c.Name, Arguments: c.Arguments}
	if err := r.tell(Update{Use: u}); err != nil {
		return err
	}
	began := time.Now()
	outcome, err := r.outcome(ctx, c, said)
	if err != nil {
		return err
	}
	ended := *u // the receiver of the first news may still read u
	ended.Result, ended.Failed, ended.Took = outcome.Text, outcome.Failed, time.Since(began)
	r.repeated(&ended)
	r.uses = append(r.uses, &ended)
	text := outcome.Text
	if outcome.Failed {
		text = "error: " + text
	}
	r.Request.Messages = append(r.Request.Messages, llm.Message{Role: llm.RoleTool, Text: text, Call: c})
	if err := r.tell(Update{Use: &ended, Ended: true}); err != nil {
		return err
	}
	if r.alike >= r.Bounds.Alike {
		return over(ReasonAlike,
			"the agent called %s %d times over in the same way with the same outcome, and was stopped: %s", c.Name,
			r.alike, firstLine(outcome.Text))
	}
	return nil
}

func (r *turning) outcome(ctx context.Context, c llm.Call, said string) (tool.Outcome, error) {
	if r.Tools == nil {
		return tool.Outcome{Text: "there are no tools", Failed: true}, nil
	}
	return r.Tools.Use(ctx, c.Name, c.Arguments, said)
}

// repeated counts consecutive identical uses.
func (r *turning) repeated(u *Use) {
	if n := len(r.uses); n > 0 && r.uses[n-1].Tool == u.Tool && r.uses[n-1].Arguments == u.Arguments && r.uses[n-1].Result == u.Result {
		r.alike++
		return
	}
	r.alike = 1
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if runes := []rune(line); len(runes) > 200 {
		line = string(runes[:200]) + "…"
	}
	return line
}
