// Package usage records the latest model calls: the agent, the model, the duration, the tokens, the cost and the
// error. It records texts only while a person has turned that on. Nothing is written to disk.
package usage

import (
	"slices"
	"sync"
	"time"
	"unicode/utf8"

	"agentflow/backend/base/errcode"
	"agentflow/backend/model/llm"
)

// Limits of the records.
const (
	MaxCalls = 1000
	maxTexts = 100      // calls with texts
	maxText  = 64 << 10 // bytes of one text
	maxSums  = 1000     // agents with a total
)

// ModelCall is a call of a model, with its outcome.
type ModelCall struct {
	ID        int64          `json:"id" doc:"ID of the call."`
	At        time.Time      `json:"at" doc:"Time of the call."`
	TookMs    int64          `json:"tookMs" doc:"Duration in milliseconds."`
	Agent     string         `json:"agent" doc:"Agent that called. Empty: unknown."`
	For       string         `json:"for,omitempty" doc:"Purpose: room:NAME, task:ID, session:KEY and so on."`
	Model     llm.Model      `json:"model" doc:"Model as provider/model."`
	Messages  int            `json:"messages" doc:"Number of messages that the model got."`
	Tools     int            `json:"tools" doc:"Number of tools that it was offered."`
	Tries     int            `json:"tries" doc:"Number of requests, with repeated ones."`
	Finish    string         `json:"finish,omitempty" doc:"Why the model stopped, such as stop or length."`
	TokensIn  int            `json:"tokensIn" doc:"Tokens sent."`
	TokensOut int            `json:"tokensOut" doc:"Tokens received."`
	CostUSD   float64        `json:"costUsd" doc:"Cost in US dollars, if it is known."`
	Priced    bool           `json:"priced" doc:"The cost is known."`
	Error     *errcode.Error `json:"error,omitempty" doc:"Why the call failed. Reason stopped: it was canceled."`
	Kept      bool           `json:"kept" doc:"The texts are recorded."`
	Elsewhere bool           `json:"elsewhere,omitempty" doc:"The agent runs in another process, which reported the call."`
}

// CallText holds the texts of a ModelCall.
type CallText struct {
	System   string     `json:"system,omitempty" doc:"System prompt."`
	Messages []CallLine `json:"messages" doc:"Messages that the model got."`
	Answer   string     `json:"answer" doc:"Answer of the model."`
	Calls    []CallLine `json:"calls,omitempty" doc:"Tool calls in the answer."`
}

// CallLine is a message, or a tool call, whose role is the name of the tool.
type CallLine struct {
	Role string `json:"role" doc:"Speaker: system, user, assistant or tool."`
	Text string `json:"text" doc:"Text of the line."`
}

// AgentUse is the total of an agent since the hub started.
type AgentUse struct {
	Agent     string  `json:"agent" doc:"ID of the agent."`
	Calls     int64   `json:"calls" doc:"Number of model calls."`
	Failed    int64   `json:"failed" doc:"Number of failed calls. Canceled calls aren't part of it."`
	TookMs    int64   `json:"tookMs" doc:"Total time of the calls in milliseconds."`
	TokensIn  int64   `json:"tokensIn" doc:"Tokens sent to models."`
	TokensOut int64   `json:"tokensOut" doc:"Tokens received from models."`
	CostUSD   float64 `json:"costUsd" doc:"Known cost in US dollars."`
	Priced    int64   `json:"priced" doc:"Number of calls with a known price."`
	Unpriced  int64   `json:"unpriced" doc:"Tokens without a known price."`
	Missed    int64   `json:"missed,omitempty" doc:"Calls in other processes of which only the number was reported. They aren't part of calls."`
}

type entry struct {
	ModelCall
	text *CallText
}

// Ledger records model calls. Its zero value is ready to use, also from several goroutines.
type Ledger struct {
	mu    sync.Mutex
	calls []entry // oldest first
	last  int64
	sums  map[string]*AgentUse
	texts bool

	reported map[string]int64 // the number of the latest report, by reporter
}

// Add records a call.
func (l *Ledger) Add(x llm.CallRecord) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var text *CallText
	if l.texts {
		text = textOf(x)
	}
	l.add(callOf(x), text)
}

func callOf(x llm.CallRecord) ModelCall {
	return ModelCall{
		At: x.At, TookMs: x.Took.Milliseconds(), Agent: x.Request.Agent, For: x.Request.For, Model: x.Request.Model,
		Messages: len(x.Request.Messages), Tools: len(x.Request.Tools), Tries: x.Tries, Finish: x.Answer.Finish,
		TokensIn: x.Answer.TokensIn, TokensOut: x.Answer.TokensOut, CostUSD: x.Answer.CostUSD, Priced: x.Answer.Priced, Error: x.Failure,
	}
}

// add records a call, and its texts if texts are recorded. The caller holds l.mu.
func (l *Ledger) add(c ModelCall, text *CallText) {
	l.last++
	c.ID, c.Kept = l.last, l.texts && text != nil
	e := entry{ModelCall: c}
	if c.Kept {
		e.text = text
	}
	if l.calls = append(l.calls, e); len(l.calls) > 2*MaxCalls {
		l.calls = slices.Clone(l.calls[len(l.calls)-MaxCalls:])
	}
	if old := len(l.calls) - maxTexts - 1; old >= 0 {
		l.calls[old].Kept, l.calls[old].text = false, nil
	}
	l.sum(c)
}

// sumOf returns the total of an agent, or nil if there are too many agents.
func (l *Ledger) sumOf(agent string) *AgentUse {
	s := l.sums[agent]
	if s == nil && len(l.sums) < maxSums {
		if l.sums == nil {
			l.sums = map[string]*AgentUse{}
		}
		s = &AgentUse{Agent: agent}
		l.sums[agent] = s
	}
	return s
}

func (l *Ledger) sum(c ModelCall) {
	s := l.sumOf(c.Agent)
	if s == nil {
		return
	}
	s.Calls++
	if c.Error != nil && c.Error.Reason() != llm.ReasonStopped {
		s.Failed++
	}
	s.TookMs += c.TookMs
	s.TokensIn += int64(c.TokensIn)
	s.TokensOut += int64(c.TokensOut)
	s.CostUSD += c.CostUSD
	if c.Priced {
		s.Priced++
	} else {
		s.Unpriced += int64(c.TokensIn) + int64(c.TokensOut)
	}
}

// Calls returns up to limit calls before an ID, newest first. ID 0 stands for the end, agent "" for all agents.
func (l *Ledger) Calls(agent string, before int64, limit int) []ModelCall {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := []ModelCall{}
	for i := len(l.calls) - 1; i >= max(0, len(l.calls)-MaxCalls) && len(out) < limit; i-- {
		if c := l.calls[i].ModelCall; (before == 0 || c.ID < before) && (agent == "" || c.Agent == agent) {
			out = append(out, c)
		}
	}
	return out
}

// Text returns the texts of a call, or NOT_FOUND if they aren't recorded.
func (l *Ledger) Text(id int64) (CallText, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range l.calls {
		if e.ID == id && e.text != nil {
			return *e.text, nil
		}
	}
	return CallText{}, errcode.New(errcode.NotFound, "the texts of the call %d aren't recorded", id)
}

// Sums returns the totals, the agent with the most calls first.
func (l *Ledger) Sums() []AgentUse {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := make([]AgentUse, 0, len(l.sums))
	for _, s := range l.sums {
		out = append(out, *s)
	}
	slices.SortFunc(out, func(a, b AgentUse) int {
		if a.Calls != b.Calls {
			return int(b.Calls - a.Calls)
		}
		if a.Agent < b.Agent {
			return -1
		}
		return 1
	})
	return out
}

// KeepTexts turns the recording of texts on, or turns it off and deletes the recorded ones.
func (l *Ledger) KeepTexts(on bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.texts = on; on {
		return
	}
	for i := range l.calls {
		l.calls[i].Kept, l.calls[i].text = false, nil
	}
}

// KeepsTexts reports whether texts are recorded.
func (l *Ledger) KeepsTexts() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.texts
}

func textOf(x llm.CallRecord) *CallText {
	t := &CallText{System: bounded(x.Request.System), Messages: []CallLine{}, Answer: bounded(x.Answer.Text)}
	left := maxText
	for _, m := range slices.Backward(x.Request.Messages) { // the last ones matter most
		if left <= 0 {
			break
		}
		text := m.Text
		for _, c := range m.Calls {
			text += "\n" + c.Name + " " + c.Arguments
		}
		line := CallLine{Role: m.Role, Text: bounded(text)}
		left -= len(line.Text)
		t.Messages = append(t.Messages, line)
	}
	slices.Reverse(t.Messages)
	for _, c := range x.Answer.Calls {
		t.Calls = append(t.Calls, CallLine{Role: c.Name, Text: bounded(c.Arguments)})
	}
	return t
}

// bounded shortens a text to maxText bytes.
func bounded(text string) string {
	if len(text) <= maxText {
		return text
	}
	end := maxText
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + " …"
}
