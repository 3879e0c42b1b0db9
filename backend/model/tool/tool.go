// Package tool defines the tools of agents, the policies that decide about their use (auto, ask, deny), and a Set
// that runs them. The tools are in tool/files, tool/shell and tool/mcp; package turn lets a model call them.
package tool

import (
	"context"
	"encoding/json"
	"maps"

	"agentflow/backend/base/errcode"
)

// Tool is one tool of an agent.
type Tool struct {
	Name        string
	Description string          // for the model
	Schema      json.RawMessage // of the arguments: a JSON schema whose type is object
	From        string          // its source: files, shell, or the name of an MCP server

	// Call runs the tool. Its arguments are a JSON object, as returned by Read. Errors go to the model, except the
	// cause of ctx, which ends the agent's turn.
	Call func(ctx context.Context, arguments json.RawMessage) (string, error)

	// Read, if not nil, parses arguments as Call does and returns them re-encoded, so that a person approves exactly
	// what is run. It rejects invalid arguments.
	Read func(arguments json.RawMessage) (json.RawMessage, error)

	// Check, if not nil, can be stricter than the policy for certain arguments. It returns Ask, an error that forbids
	// them, or "".
	Check func(arguments json.RawMessage) (Policy, error)

	// Effect, if not nil, returns what a use would do to a file, for the person who is asked. It changes nothing. It
	// returns nil where it isn't known.
	Effect func(arguments json.RawMessage) *FileEffect
}

// FileEffect is what a tool would do to a file, as the file is when a person is asked.
type FileEffect struct {
	Op   FileOp `json:"op" enum:"creates,replaces,extends" doc:"Effect on the file."`
	Size int64  `json:"size,omitempty" minimum:"0" doc:"Size of the existing file in bytes. Default: 0."`
}

// FileOp is an effect on a file.
type FileOp string

// The effects on a file.
const (
	Creates  FileOp = "creates"
	Replaces FileOp = "replaces"
	Extends  FileOp = "extends"
)

// Policy is who decides whether a tool is used.
type Policy string

// The policies.
const (
	Auto Policy = "auto" // the agent decides
	Ask  Policy = "ask"  // a person decides, each time
	Deny Policy = "deny" // the agent isn't offered the tool
)

// Policies are the policies of an agent.
type Policies struct {
	Default Policy            `yaml:"default" json:"default"` // "" is Ask
	Tools   map[string]Policy `yaml:"tools" json:"tools"`     // by the tool's name
}

// Check rejects an unknown policy.
func (p Policies) Check() error {
	for name, is := range p.Tools {
		if !is.known() {
			return errcode.New(errcode.Validation, "the policy of the tool %s is %q: it must be %s, %s or %s", name, is,
				Auto, Ask, Deny)
		}
	}
	if p.Default != "" && !p.Default.known() {
		return errcode.New(errcode.Validation, "the default policy of tools is %q: it must be %s, %s or %s", p.Default,
			Auto, Ask, Deny)
	}
	return nil
}

func (p Policy) known() bool { return p == Auto || p == Ask || p == Deny }

// Of returns the policy of a tool. The default is Ask.
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

// With returns the policies with one added for a tool that has none.
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

// Question is what a person is asked before a tool is used; if Tool is empty, it is Text.
type Question struct {
	Tool      string          `json:"tool"`
	From      string          `json:"from"`
	Arguments json.RawMessage `json:"arguments"`
	Said      string          `json:"said,omitempty"` // by the agent, just before
	Text      string          `json:"text,omitempty"` // a question as text
	Effect    *FileEffect     `json:"effect,omitempty"`
}

// Verdict is a person's answer.
type Verdict struct {
	Allow bool
	Word  string // the person's message to the agent; may be ""
}

// Asker passes questions to a person and waits for the answer. An error means that there is no answer, and the tool
// isn't used.
type Asker interface {
	Ask(ctx context.Context, q Question) (Verdict, error)
}
