package worker

import (
	"context"
	"encoding/json"

	"agentflow/backend/errcode"
	"agentflow/backend/llm"
)

// Models asks language models. *llm.Registry is one.
type Models interface {
	Stream(ctx context.Context, r llm.Request, onDelta func(delta string) error) (llm.Answer, error)
}

// Model is an agent that is a language model with a persona.
type Model struct {
	Models      Models
	Model       llm.Model
	Persona     string
	Temperature *float64
	MaxTokens   int
}

var _ Worker = (*Model)(nil)

// Run implements Worker. The result is {"text","model","tokensIn","tokensOut"}.
func (m *Model) Run(ctx context.Context, job Job, tell func(News) error) (json.RawMessage, error) {
	a, err := m.Models.Stream(ctx, llm.Request{
		Model: m.Model, System: m.Persona, Temperature: m.Temperature, MaxTokens: m.MaxTokens,
		Messages: []llm.Message{{Role: llm.RoleUser, Text: job.Prompt}},
	}, func(delta string) error { return tell(News{Text: delta}) })
	if err != nil {
		return nil, err
	}
	if a.Finish == llm.FinishLength {
		return nil, errcode.New(errcode.Validation, "the model %s was cut off at its largest answer: raise maxTokens or ask for less", a.Model)
	}
	return json.Marshal(struct {
		Text      string    `json:"text"`
		Model     llm.Model `json:"model"`
		TokensIn  int       `json:"tokensIn"`
		TokensOut int       `json:"tokensOut"`
	}{a.Text, a.Model, a.TokensIn, a.TokensOut})
}
