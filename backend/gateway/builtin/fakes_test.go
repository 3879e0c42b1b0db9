package builtin

import (
	"context"
	"errors"
	"time"

	"agentflow/backend/model/llm"
)

// emptyStore holds nothing and takes nothing.
type emptyStore struct{}

func (emptyStore) LoadConfig(context.Context) (string, bool, error) { return "", false, nil }

func (emptyStore) SaveConfig(context.Context, string, string, string, time.Time) error {
	return errors.New("read-only")
}

func (emptyStore) AppendMessage(_ context.Context, m Message) (Message, bool, error) {
	return m, false, errors.New("read-only")
}
func (emptyStore) Messages(context.Context, string, int, int) ([]Message, error) { return nil, nil }
func (emptyStore) Sessions(context.Context, int) ([]SessionRow, error)           { return nil, nil }
func (emptyStore) Unanswered(context.Context) ([]Message, error)                 { return nil, nil }

type noModels struct{}

func (noModels) Offers(context.Context) []llm.Offer { return nil }

func (noModels) Stream(context.Context, llm.Request, func(string) error) (llm.Answer, error) {
	return llm.Answer{}, errors.New("no models")
}
