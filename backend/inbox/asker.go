package inbox

import (
	"context"

	"agentflow/backend/errcode"
	"agentflow/backend/tool"
)

// Asker asks for one agent within the hub, as a tool.Set wants it.
type Asker struct {
	Inbox *Machine
	Agent string
	Task  string
	Room  string
	On    *Ground // of an agent that is not of the applied team
}

var _ tool.Asker = Asker{}

// Ask implements tool.Asker.
func (a Asker) Ask(ctx context.Context, q tool.Question) (tool.Verdict, error) {
	e, err := a.Inbox.AskOn(ctx, Question{Agent: a.Agent, Task: a.Task, Room: a.Room, Tool: q.Tool, From: q.From, Arguments: q.Arguments, Said: q.Said, Text: q.Text}, a.On)
	if err != nil {
		return tool.Verdict{}, err
	}
	return e.Verdict()
}

// Verdict is what the entry's end means for who asked.
func (e Entry) Verdict() (tool.Verdict, error) {
	switch e.State {
	case Answered:
		return tool.Verdict{Allow: e.Choice == Once || e.Choice == Always, Word: e.Word}, nil
	case Expired:
		return tool.Verdict{}, errcode.New(errcode.Unavailable, "the question has expired")
	}
	return tool.Verdict{}, errcode.New(errcode.Conflict, "the question still waits")
}
