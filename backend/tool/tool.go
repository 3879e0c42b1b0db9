// Package tool is what agents may do beside talking: tools, who decides whether one is
// used (auto, ask, deny), and a Set that uses them. The tools themselves are in
// tool/files, tool/shell and tool/mcp; package turn lets a model use them.
package tool

import (
	"context"
	"encoding/json"
	"maps"

	"agentflow/backend/errcode"
)

// Tool is one thing that an agent may have done.
type Tool struct {
	Name        string
	Description string          // for the model
	Schema      json.RawMessage // of the arguments: a JSON schema whose type is object
	From        string          // who offers it: files, shell, or the name of an MCP server

	// Call does it. Arguments are a JSON object, as Read returned it. What an error says goes to the model, but
	// for the cause of ctx, which ends the agent's turn.
	Call func(ctx context.Context, arguments json.RawMessage) (string, error)

	// Read, if it is not nil, reads arguments as Call understands them and returns them
	// re-encoded, so that what a person sees is what is done. Arguments that don't fit are an error.
	Read func(arguments json.RawMessage) (json.RawMessage, error)

	// Check, if it is not nil, may be stricter than the policy about certain arguments: it
	// returns Ask, or an error that says why they are forbidden, or "".
	Check func(arguments json.RawMessage) (Policy, error)
}

// Policy says who decides whether a tool is used.
type Policy string

// The policies.
const (
	Auto Policy = "auto" // the agent
	Ask  Policy = "ask"  // a person, each time
	Deny Policy = "deny" // nobody: the agent is not even offered the tool
)

// Policies are an agent's.
type Policies struct {
	Default Policy            `yaml:"default" json:"default"` // "" is Ask
	Tools   map[string]Policy `yaml:"tools" json:"tools"`     // by the tool's name
}

// Check reports a policy that there is not.
func (p Policies) Check() error {
	for name, is := range p.Tools {
		if !is.known() {
			return errcode.New(errcode.Validation, "the policy of the tool %s is %q: it must be %s, %s or %s", name, is, Auto, Ask, Deny)
		}
	}
	if p.Default != "" && !p.Default.known() {
		return errcode.New(errcode.Validation, "the default policy of tools is %q: it must be %s, %s or %s", p.Default, Auto, Ask, Deny)
	}
	return nil
}

func (p Policy) known() bool { return p == Auto || p == Ask || p == Deny }

// Of returns the policy of a tool. What nobody decided, a person is asked.
func (p Policies) Of(names ...string) Policy {
	for _, name := range names {
		if is, ok := p.Tools[name]; ok {
			return is
		}
	}
	if p.Default == "" {
		return Ask
	}
	return p.Default
}

// With returns the policies with one for a tool that nobody decided about.
func (p Policies) With(name string, is Policy) Policies {
	if _, decided := p.Tools[name]; decided {
		return p
	}
	p.Tools = maps.Clone(p.Tools)
	if p.Tools == nil {
		p.Tools = map[string]Policy{}
	}
	p.Tools[name] = is
	return p
}

// Question is what a person is asked before a tool is used, or, where Tool is empty, Text.
type Question struct {
	Tool      string          `json:"tool"`
	From      string          `json:"from"`
	Arguments json.RawMessage `json:"arguments"`
	Said      string          `json:"said,omitempty"` // by the agent, just before
	Text      string          `json:"text,omitempty"` // a question in words
}

// Verdict is a person's answer.
type Verdict struct {
	Allow bool
	Word  string // what the person says to the agent; may be ""
}

// Asker brings questions to a person and waits for the answer. An error means that nobody
// could be asked, or answered; the tool is then not used.
type Asker interface {
	Ask(ctx context.Context, q Question) (Verdict, error)
}
