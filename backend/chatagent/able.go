package chatagent

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"agentflow/backend/llm"
	"agentflow/backend/room"
	"agentflow/backend/tool"
	"agentflow/backend/tool/mcp"
	"agentflow/backend/turn"
)

// Able is a Mind with tools. What it does with them is told in the room.
type Able struct {
	Models Models
	Name   string // of the agent
	// Equip returns the tools for one turn, and what gives them back. ask has to be used for
	// what a person is to decide; it is nil where nobody can be asked.
	Equip func(ctx context.Context, ask func(tool.Asker) tool.Asker) (tools *tool.Set, done func(), err error)
	// Servers are kept running while the agent is there.
	Servers []*mcp.Server
}

// Keep implements Keeper.
func (m Able) Keep(ctx context.Context) {
	var running sync.WaitGroup
	for _, s := range m.Servers {
		running.Go(func() { _ = s.Run(ctx) }) // it ends with ctx only
	}
	running.Wait()
}

// Think implements Mind.
func (m Able) Think(ctx context.Context, r llm.Request, tell func(Thought) error) (llm.Answer, error) {
	set, done, err := m.Equip(ctx, func(a tool.Asker) tool.Asker { return waiting{a, tell} })
	if err != nil {
		return llm.Answer{}, err
	}
	defer done()
	a, err := turn.Run(ctx, turn.Turn{Models: m.Models, Request: r, Tools: set, Tell: func(n turn.News) error {
		switch {
		case n.Use == nil:
			return tell(Thought{Text: n.Text})
		case !n.Ended:
			return tell(Thought{Anew: true, State: room.Thinking})
		}
		return tell(Thought{Notice: m.used(n.Use)})
	}})
	return a.Answer, err
}

const (
	maxArguments = 300
	maxShown     = 2000
)

// used says what an agent did with a tool.
func (m Able) used(u *turn.Use) string {
	verb := "used"
	if u.Failed {
		verb = "could not use"
	}
	fence := "```"
	for strings.Contains(u.Result, fence) {
		fence += "`"
	}
	return fmt.Sprintf("%s %s %s %s\n\n%s\n%s\n%s", m.Name, verb, u.Tool, oneLine(u.Arguments, maxArguments), fence, tool.HeadAndTail(u.Result, maxShown), fence)
}

func oneLine(text string, most int) string {
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

// waiting shows that an agent waits for a person.
type waiting struct {
	asker tool.Asker
	tell  func(Thought) error
}

// Ask implements tool.Asker.
func (w waiting) Ask(ctx context.Context, q tool.Question) (tool.Verdict, error) {
	if err := w.tell(Thought{State: room.Waiting}); err != nil {
		return tool.Verdict{}, err
	}
	v, err := w.asker.Ask(ctx, q)
	if told := w.tell(Thought{State: room.Thinking}); told != nil && err == nil {
		err = told
	}
	return v, err
}
