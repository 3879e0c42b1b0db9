package llm

import (
	"encoding/json"
	"strconv"
	"strings"

	openai "github.com/sashabaranov/go-openai"
)

// streamAccumulator puts an answer together from its pieces.
type streamAccumulator struct {
	Answer
	onDelta func(string) error
	text    strings.Builder
	refusal strings.Builder
	calls   []*partialCall
	size    int // of all that came
}

// partialCall is a call while its arguments come.
type partialCall struct {
	index     *int
	id, name  string
	arguments strings.Builder
}

func (g *streamAccumulator) say(text string) error {
	if text == "" {
		return nil
	}
	if g.size += len(text); g.size > MaxAnswer {
		return errTooLong
	}
	g.text.WriteString(text)
	if err := g.onDelta(text); err != nil {
		return &callbackError{err}
	}
	return nil
}

// refuse takes a piece of the text in which the model says that it doesn't answer.
func (g *streamAccumulator) refuse(text string) error {
	if g.size += len(text); g.size > MaxAnswer {
		return errTooLong
	}
	g.refusal.WriteString(text)
	return nil
}

// call takes a piece of a call. Servers differ: most number the calls, some number them
// all alike, some number none and send each whole, some say the name with every piece.
func (g *streamAccumulator) call(index *int, id, name, arguments string) error {
	if g.size += len(id) + len(name) + len(arguments); g.size > MaxAnswer {
		return errTooLong
	}
	c := g.open(index, id, name)
	if c == nil {
		if len(g.calls) == MaxCalls {
			return errManyCalls
		}
		c = &partialCall{index: index}
		g.calls = append(g.calls, c)
	}
	if c.id == "" {
		c.id = id
	}
	if c.name == "" {
		c.name = name
	}
	c.arguments.WriteString(arguments)
	return nil
}

// open finds the call that a piece belongs to.
func (g *streamAccumulator) open(index *int, id, name string) *partialCall {
	for i := len(g.calls) - 1; i >= 0; i-- {
		c := g.calls[i]
		switch {
		case index == nil && c.index == nil && id == "" && name == "":
			return c
		case index == nil && c.index == nil && id != "" && id == c.id:
			return c
		case index != nil && c.index != nil && *index == *c.index && (id == "" || c.id == "" || id == c.id):
			return c
		}
	}
	return nil
}

// whole returns the answer once its stream has ended.
func (g *streamAccumulator) whole() (Answer, error) {
	a := g.Answer
	a.Text = g.text.String()
	for i, c := range g.calls {
		if c.id == "" {
			c.id = "call_" + strconv.Itoa(i+1)
		}
		a.Calls = append(a.Calls, Call{ID: c.id, Name: c.name, Arguments: c.arguments.String()})
	}
	switch {
	case g.refusal.Len() > 0, a.Finish == finishRefusal, a.Finish == string(openai.FinishReasonContentFilter):
		return a, &refusalError{filtered: a.Finish != finishRefusal, said: g.refusal.String()}
	case a.Finish == "" && g.size == 0:
		return a, errNothing
	case a.Finish == "":
		return a, errEndedEarly
	case a.Finish == FinishLength && len(a.Calls) > 0:
		a.Calls = nil // arguments may be cut off
	case len(a.Calls) > 0:
		a.Finish = FinishCalls
	case strings.TrimSpace(a.Text) == "":
		return a, errNoText
	}
	return a, nil
}

// object is the arguments as they go back to a server, which may refuse a conversation
// that holds a mistake.
func (c Call) object() json.RawMessage {
	var fields map[string]json.RawMessage
	if json.Unmarshal([]byte(c.Arguments), &fields) != nil || fields == nil {
		return json.RawMessage(`{}`)
	}
	return json.RawMessage(c.Arguments)
}
