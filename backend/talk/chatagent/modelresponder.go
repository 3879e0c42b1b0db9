package chatagent

import (
	"context"

	"agentflow/backend/model/llm"
)

// Models asks language models. *llm.Registry is one.
type Models interface {
	Stream(ctx context.Context, r llm.Request, onDelta func(delta string) error) (llm.Answer, error)
}

// ModelResponder is a Responder without tools.
type ModelResponder struct{ Models Models }

// Respond implements Responder.
func (p ModelResponder) Respond(ctx context.Context, r llm.Request, tell func(Update) error) (llm.Answer, error) {
	return p.Models.Stream(ctx, r, func(delta string) error { return tell(Update{Text: delta}) })
}
