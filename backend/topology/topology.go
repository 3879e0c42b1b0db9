// Package topology holds the drawing: who is in the team, who may call whom, and
// where each one stands on the canvas. It is pure: no I/O, no goroutines, no clock.
package topology

import (
	"agentflow/backend/topology/canvas"
	"agentflow/backend/topology/change"
)

// AgentID names an agent within one topology. Gateways restrict it; see Rules.IDPattern.
type AgentID = change.AgentID

// Kind says what a connection permits. Unknown kinds are kept as they are.
type Kind = change.Kind

// The kinds the product knows.
const (
	Command       Kind = "command"       // the source may give the target work (subagents.allowAgents)
	Communication Kind = "communication" // both may talk
	Review        Kind = "review"        // the source reviews the target's work
)

// Topology is one drawing. Values are treated as immutable once shared: whoever
// changes one works on Clone.
type Topology struct {
	Name   string            `json:"name,omitempty"`
	Agents []Agent           `json:"agents"`
	Layout map[AgentID]Point `json:"layout,omitempty"` // upper left corner of each node, in canvas pixels
	Groups []Group           `json:"groups,omitempty"`
	Notes  []Note            `json:"notes,omitempty"`
	Extra  Extra             `json:"extra,omitempty"` // keys of the file's top level that the product does not know
}

// Agent is an identity on the canvas and in a config.
type Agent struct {
	ID        AgentID  `json:"id"`
	Name      string   `json:"name,omitempty"`
	Role      string   `json:"role,omitempty"`
	Model     string   `json:"model,omitempty"`     // provider/model; a bare name goes to the default provider
	Fallbacks []string `json:"fallbacks,omitempty"` // models tried when Model fails, in order
	Persona   string   `json:"persona,omitempty"`
	Workspace string   `json:"workspace,omitempty"` // "" means the gateway's default, <home>/.openclaw/workspace-<id>

	Description string   `json:"description,omitempty"`
	Tools       *Tools   `json:"tools,omitempty"`
	Temperature *float64 `json:"temperature,omitempty"`
	MaxTokens   *int     `json:"maxTokens,omitempty"`
	URL         string   `json:"url,omitempty"`         // where the agent runs, if not here
	SecretEnv   string   `json:"secretEnv,omitempty"`   // the environment variable that holds its secret
	Fingerprint string   `json:"fingerprint,omitempty"` // of its certificate, sha256:…, if nobody known signed it

	// AllowAny is allowAgents: ["*"]: the agent may command every other one.
	// Command connections drawn beside it are kept.
	AllowAny    bool         `json:"allowAny,omitempty"`
	Connections []Connection `json:"connections,omitempty"`
	Extra       Extra        `json:"extra,omitempty"` // keys of the source that the product does not know
}

// Connection leads from the agent that holds it to TargetID.
type Connection struct {
	TargetID AgentID `json:"targetId"`
	Type     Kind    `json:"type"`
	Label    string  `json:"label,omitempty"`
	Extra    Extra   `json:"extra,omitempty"`
}

// Tools says which tools an agent may use. A nil *Tools means the gateway's default.
type Tools struct {
	Profile string   `json:"profile,omitempty"`
	Allow   []string `json:"allow,omitempty"`
	Deny    []string `json:"deny,omitempty"`
}

// Point is where an agent stands on the canvas: its upper left corner.
type Point = canvas.Point

// Group is a frame around agents. It exists on the canvas only.
type Group = canvas.Group

// Note is paper on the canvas.
type Note = canvas.Note

// sheet is the part of t that exists on the canvas only.
func (t *Topology) sheet() canvas.Sheet {
	return canvas.Sheet{Layout: t.Layout, Groups: t.Groups, Notes: t.Notes}
}

// NodeWidth and NodeHeight are the size of an agent on the canvas, in pixels.
const (
	NodeWidth  = 180
	NodeHeight = 70
)

// Agent returns the agent with the id, and whether there is one.
func (t *Topology) Agent(id AgentID) (*Agent, bool) {
	for i := range t.Agents {
		if t.Agents[i].ID == id {
			return &t.Agents[i], true
		}
	}
	return nil, false
}
