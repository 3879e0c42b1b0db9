package worker

import (
	"context"
	"encoding/json"
	"strings"

	"agentflow/backend/base/errcode"
	"agentflow/backend/model/llm"
	"agentflow/backend/model/tool"
	"agentflow/backend/model/turn"
	"agentflow/backend/work/task"
)

// Models calls language models. *llm.Registry implements it.
type Models = turn.Models

// Model is an agent that consists of a language model, a persona and optional tools.
type Model struct {
	Models      Models
	Name        string // of the agent
	Model       llm.Model
	Persona     string
	Temperature *float64
	MaxTokens   int
	Tools       *tool.Set // may be nil
	Bounds      turn.Bounds
}

var _ Worker = (*Model)(nil)

// Run implements Worker. The result is {"text","model","tokensIn","tokensOut","costUsd"?,"tools"?}; costUsd is
// missing if the model has no price.
func (m *Model) Run(ctx context.Context, job Job, tell func(Update) error) (json.RawMessage, error) {
	if err := m.checkPrice(job.Envelope.Budget); err != nil {
		return nil, err
	}
	a, err := turn.Run(ctx, turn.Turn{
		Models: m.Models, Tools: m.Tools, Bounds: m.Bounds,
		Request: llm.Request{
			Agent: m.Name, For: "task:" + job.TaskID,
			Model: m.Model, System: m.Persona, Temperature: m.Temperature, MaxTokens: m.MaxTokens,
			Messages: []llm.Message{{Role: llm.RoleUser, Text: job.Prompt}},
		},
		Spent: m.meter(job.Envelope, tell),
		Tell:  func(n turn.Update) error { return tell(Update{Text: n.Text, Log: logLine(n)}) },
	})
	if err != nil {
		return nil, err
	}
	if a.Finish == llm.FinishLength {
		return nil, errcode.New(errcode.Validation,
			"the model %s was cut off at its largest answer: raise maxTokens or ask for less", a.Model).
			With(errcode.KeyCause, "cut_off").
			With("model", string(a.Model))
	}
	var cost *float64
	if a.Priced {
		cost = &a.CostUSD
	}
	return json.Marshal(struct {
		Text      string    `json:"text"`
		Model     llm.Model `json:"model"`
		TokensIn  int       `json:"tokensIn"`
		TokensOut int       `json:"tokensOut"`
		CostUSD   *float64  `json:"costUsd,omitempty"`
		Tools     []used    `json:"tools,omitempty"`
	}{a.Text, a.Model, a.TokensIn, a.TokensOut, cost, uses(a.Uses)})
}

// checkPrice rejects a budget in US dollars before the first call, if the model has no price. A model that its provider
// chooses is known after the first call only.
func (m *Model) checkPrice(b task.Budget) error {
	prices, ok := m.Models.(interface {
		Price(llm.Model) (llm.Price, bool)
	})
	if _, name := m.Model.Split(); !ok || b.USD == 0 || name == "" {
		return nil
	}
	if _, known := prices.Price(m.Model); known {
		return nil
	}
	return b.Over(task.Spent{Unpriced: true}, 0)
}

// used is one use of a tool in a result. Its output is left out.
type used struct {
	Tool   string `json:"tool"`
	Failed bool   `json:"failed,omitempty"`
	Ms     int64  `json:"ms"`
}

func uses(all []*turn.Use) []used {
	var out []used
	for _, u := range all {
		out = append(out, used{u.Tool, u.Failed, u.Took.Milliseconds()})
	}
	return out
}

// maxShown limits the arguments and errors in a log line.
const maxShown = 300

func logLine(n turn.Update) string {
	switch {
	case n.Use == nil:
		return ""
	case !n.Ended:
		return "uses " + oneLine(n.Use.Tool+" "+n.Use.Arguments)
	case n.Use.Failed:
		return oneLine(n.Use.Tool + " failed: " + n.Use.Result)
	}
	return ""
}

func oneLine(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > maxShown {
		text = string(runes[:maxShown]) + "…"
	}
	return text
}
