package chatagent

import (
	"context"

	"agentflow/backend/model/llm"
)

// Models asks language models. *llm.Registry is one.
type Models interface {
	Stream(ctx context.Context, r llm.Request, onDelta func(delta string) error) (llm.Answer, error)
}

// Plain is a Mind without tools.
type Plain struct{ Models Models }

// Think implements Mind.
func (p Plain) Think(ctx context.Context, r llm.Request, tell func(Thought) error) (llm.Answer, error) {
	return p.Models.Stream(ctx, r, func(delta string) error { return tell(Thought{Text: delta}) })
}
