package inbox

import (
	"context"

	"agentflow/backend/base/errcode"
	"agentflow/backend/model/tool"
)

// Asker asks questions for one agent in the hub. It implements tool.Asker.
type Asker struct {
	Inbox *Machine
	Agent string
	Task  string
	Room  string
	On    *Ground // for an agent that isn't in the applied team
}

var _ tool.Asker = Asker{}

// Ask implements tool.Asker.
func (a Asker) Ask(ctx context.Context, q tool.Question) (tool.Verdict, error) {
	e, err := a.Inbox.AskOn(
		ctx,
		Question{
			Agent:     a.Agent,
			Task:      a.Task,
			Room:      a.Room,
			Tool:      q.Tool,
			From:      q.From,
			Arguments: q.Arguments,
			Said:      q.Said,
			Text:      q.Text,
			Effect:    q.Effect,
		},
		a.On,
	)
	if err != nil {
		return tool.Verdict{}, err
	}
	return e.Verdict()
}

// Verdict returns the meaning of the entry's end for the asker.
func (e Entry) Verdict() (tool.Verdict, error) {
	switch e.State {
	case Answered:
		return tool.Verdict{Allow: e.Choice == Once || e.Choice == Always, Word: e.Word}, nil
	case Expired:
		return tool.Verdict{}, errcode.New(errcode.Unavailable, "the question has expired")
	}
	return tool.Verdict{}, errcode.New(errcode.Conflict, "the question still waits")
}
