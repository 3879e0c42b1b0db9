// Package topology describes the team as a value: its agents, which agent can call which, and
// where each one is on the canvas. It is pure: no I/O, no goroutines, no clock.
package topology

import (
	"agentflow/backend/team/topology/internal/canvas"
	"agentflow/backend/team/topology/internal/change"
)

// AgentID names an agent within one topology. Gateways restrict it; see Rules.IDPattern.
type AgentID = change.AgentID

// Topology is one team. Treat values as immutable once they are shared: to change
// one, work on a Clone.
type Topology struct {
	Name      string            `json:"name,omitempty" doc:"Name of the team. Default: none."`
	Agents    []Agent           `json:"agents" doc:"Agents of the team."`
	Layout    map[AgentID]Point `json:"layout,omitempty" doc:"Position of each agent by ID: its upper left corner in canvas pixels. Default: none."`
	Groups    []Group           `json:"groups,omitempty" doc:"Groups on the canvas. Default: none."`
	Notes     []Note            `json:"notes,omitempty" doc:"Notes on the canvas. Default: none."`
	Bindings  Bindings          `json:"bindings,omitempty" doc:"Rules by which the gateway gives messages of its channels to agents, as in its config. Default: none."`
	Broadcast Extra             `json:"broadcast,omitempty" doc:"Groups of agents that all answer one conversation, by conversation, and the strategy, as in broadcast of the gateway's config. Default: none."`
	Defaults  Extra             `json:"defaults,omitempty" doc:"Settings that every agent of the gateway inherits, as in agents.defaults of its config. Default: none."`
	Messages  Extra             `json:"messages,omitempty" doc:"Messages between agents on the gateway: enabled and allow of tools.agentToAgent, and visibility of tools.sessions in its config. Default: none."`
	Extra     Extra             `json:"extra,omitempty" doc:"Keys of the team file that AgentFlow doesn't know. They are kept."`
}

// Agent is an identity on the canvas and in a config.
type Agent struct {
	ID        AgentID  `json:"id" doc:"ID of the agent, unique in the team. Connections name it."`
	Name      string   `json:"name,omitempty" doc:"Name that people see. Default: the ID."`
	Role      string   `json:"role,omitempty" doc:"What the agent is for. The role Coordinator receives tasks and delegates them. Default: none."`
	Model     string   `json:"model,omitempty" doc:"Model as provider/model. A bare name means the default provider. Default: the gateway's default model."`
	Fallbacks []string `json:"fallbacks,omitempty" doc:"Models that are tried in this order when the model fails. Default: none."`
	Persona   string   `json:"persona,omitempty" doc:"System prompt of the agent. Default: none."`
	Workspace string   `json:"workspace,omitempty" doc:"Folder that the agent works in. Default: the gateway's, such as HOME/.openclaw/workspace-ID."`
	Files     Files    `json:"files,omitempty" doc:"Files of the workspace that the team holds, by name, such as SOUL.md. The gateway keeps the others. Default: none."`

	Description string   `json:"description,omitempty" doc:"Description for people. Default: none."`
	Tools       *Tools   `json:"tools,omitempty" doc:"Tools that the agent can use. Default: the gateway's."`
	Temperature *float64 `json:"temperature,omitempty" doc:"Sampling temperature. Default: the model's."`
	MaxTokens   *int     `json:"maxTokens,omitempty" doc:"Maximum number of tokens per answer. Default: the model's."`
	URL         string   `json:"url,omitempty" doc:"URL of a remote agent. Default: the agent runs in the hub or on the gateway."`
	SecretEnv   string   `json:"secretEnv,omitempty" doc:"Environment variable with the remote agent's secret. Default: none."`
	Fingerprint string   `json:"fingerprint,omitempty" doc:"Fingerprint of the remote agent's certificate, as sha256:…. Needed if no known authority signed it."`

	// AllowAny is allowAgents: ["*"]: the agent may command every other one.
	// Command connections drawn beside it are kept.
	AllowAny    bool         `json:"allowAny,omitempty" doc:"The agent can delegate to every other agent. Default: false."`
	Connections []Connection `json:"connections,omitempty" doc:"Permissions of this agent towards others. Default: none."`
	Extra       Extra        `json:"extra,omitempty" doc:"Keys of the source file that AgentFlow doesn't know. They are kept."`
}

// Connection leads from the agent that holds it to TargetID.
type Connection struct {
	TargetID AgentID `json:"targetId" doc:"ID of the other agent."`
	Type     Kind    `json:"type"`
	Label    string  `json:"label,omitempty" doc:"Label on the canvas. Default: none."`
	Extra    Extra   `json:"extra,omitempty" doc:"Keys of the source file that AgentFlow doesn't know. They are kept."`
}

// Tools says which tools an agent may use. A nil *Tools means the gateway's default.
type Tools struct {
	Profile string   `json:"profile,omitempty" doc:"Tool profile of the gateway. Default: the gateway's."`
	Allow   []string `json:"allow,omitempty" doc:"Tools that are also allowed. Default: none."`
	Deny    []string `json:"deny,omitempty" doc:"Tools that are denied. Default: none."`
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

// FrameSide, FrameHead and FrameFoot are how far the frame of a group reaches beyond its members, in pixels.
const (
	FrameSide = 16
	FrameHead = 30
	FrameFoot = 14
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
