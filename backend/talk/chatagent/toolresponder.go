package chatagent

import (
	"context"
	"sync"

	"agentflow/backend/model/llm"
	"agentflow/backend/model/tool"
	"agentflow/backend/model/tool/mcp"
	"agentflow/backend/model/turn"
	"agentflow/backend/talk/room"
)

// ToolResponder is a Responder with tools. It reports their use in the room.
type ToolResponder struct {
	Models Models
	Name   string // of the agent
	// Equip returns the tools for one turn, and what gives them back. ask has to be used for
	// what a person is to decide; it is nil where nobody can be asked.
	Equip func(ctx context.Context, ask func(tool.Asker) tool.Asker) (tools *tool.Set, done func(), err error)
	// Servers are kept running while the agent is there.
	Servers []*mcp.Server
}

// Keep implements Keeper.
func (m ToolResponder) Keep(ctx context.Context) {
	var running sync.WaitGroup
	for _, s := range m.Servers {
		running.Go(func() { _ = s.Run(ctx) }) // it ends with ctx only
	}
	running.Wait()
}

// Respond implements Responder.
func (m ToolResponder) Respond(ctx context.Context, r llm.Request, tell func(Update) error) (llm.Answer, error) {
	set, done, err := m.Equip(ctx, func(a tool.Asker) tool.Asker { return waiting{a, tell} })
	if err != nil {
		return llm.Answer{}, err
	}
	defer done()
	a, err := turn.Run(ctx, turn.Turn{Models: m.Models, Request: r, Tools: set, Tell: func(n turn.Update) error {
		switch {
		case n.Use == nil:
			return tell(Update{Text: n.Text})
		case !n.Ended:
			return tell(Update{Anew: true, State: room.Thinking})
		}
		return tell(m.used(n.Use))
	}})
	return a.Answer, err
}

// waiting shows that an agent waits for a person.
type waiting struct {
	asker tool.Asker
	tell  func(Update) error
}

// Ask implements tool.Asker.
func (w waiting) Ask(ctx context.Context, q tool.Question) (tool.Verdict, error) {
	if err := w.tell(Update{State: room.Waiting}); err != nil {
		return tool.Verdict{}, err
	}
	v, err := w.asker.Ask(ctx, q)
	if told := w.tell(Update{State: room.Thinking}); told != nil && err == nil {
		err = told
	}
	return v, err
}
