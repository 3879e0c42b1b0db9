// Package gatewayagent runs jobs on agents of OpenClaw gateways. A job becomes one message in a new session, and
// what the session brings becomes the job's news. A job is sent once: after it may have arrived, it isn't sent again.
package gatewayagent

import (
	"encoding/base32"
	"regexp"
	"strings"

	"agentflow/backend/base/errcode"
	"agentflow/backend/team/topology"
	"agentflow/backend/work/task"
	"agentflow/backend/work/worker"
)

// Agent is an agent that a gateway runs.
type Agent struct {
	Gateway  string
	ID       string // at the gateway
	Name     string
	Role     string
	Model    string
	Answers  bool  // the gateway is connected, and runs the agent
	Hindered error // why it doesn't answer
}

// Key returns the ID of the agent where tasks name agents.
func (a *Agent) Key() topology.AgentID { return Key(a.Gateway, a.ID) }

// Topology returns the agent as an agent of a team, with an address that only this package understands.
func (a *Agent) Topology() topology.Agent {
	return topology.Agent{ID: a.Key(), Name: a.Name, Role: a.Role, Model: a.Model, URL: scheme + a.Gateway}
}

// Gateways are the added gateways. Their methods can be called from anywhere.
type Gateways interface {
	// Agents lists the agents of all of them, as last read.
	Agents() []Agent
	// Link returns the connection to a gateway, or NOT_FOUND.
	Link(gateway string) (Link, error)
}

const (
	at     = "@"
	scheme = "gateway:"
)

// Key returns the ID of a gateway's agent where tasks name agents: agent@gateway.
func Key(gateway, agent string) topology.AgentID { return topology.AgentID(agent + at + gateway) }

// Split returns the gateway and the agent that a Key names.
func Split(key topology.AgentID) (gateway, agent string, is bool) {
	agent, gateway, is = strings.Cut(string(key), at)
	return gateway, agent, is && agent != "" && gateway != ""
}

// Speaks reports whether an agent's URL is that of an agent of a gateway.
func Speaks(address string) bool { return strings.HasPrefix(address, scheme) }

// Can reports whether agents of gateways take such tasks. Their tools are the gateway's, so a command or a file
// operation that the hub's tools would run isn't theirs.
func Can(typ task.Type) bool {
	info, _ := task.TypeOf(typ)
	return info.ToolKind == ""
}

// Unknown returns the error for an agent that its gateway doesn't run, or whose gateway isn't configured.
func Unknown(key topology.AgentID) *errcode.Error {
	gateway, agent, _ := Split(key)
	return errcode.New(errcode.NotFound, "the gateway %s has no agent %s", gateway, agent).
		With(errcode.KeyCause, "gateway_agent").With(keyGateway, gateway).With(task.KeyAgent, string(key))
}

// OwnersOnly returns the error for a task of an API token: a token is for the team, and gives no access to gateways.
func OwnersOnly(key topology.AgentID) *errcode.Error {
	gateway, _, _ := Split(key)
	return errcode.New(errcode.Forbidden, "an API token can't give tasks to agents of the gateway %s: only the owner can",
		gateway).With(errcode.KeyCause, "gateway_owner").With(keyGateway, gateway)
}

// Down returns the error for a gateway that isn't connected. Nothing has been sent to it.
func Down(gateway string) *errcode.Error {
	return errcode.New(errcode.Unavailable, "the gateway %s isn't connected", gateway).
		With(errcode.KeyReason, worker.ReasonUnreachable).
		With(errcode.KeyCause, "gateway_down").With(keyGateway, gateway)
}

const (
	keyGateway = "gateway"
	session    = "task-"
	encoded    = "x-"
)

var (
	plainID = regexp.MustCompile(`^[0-9A-Z]{1,64}$`) // as the hub makes them
	codec   = base32.HexEncoding.WithPadding(base32.NoPadding)
)

// SessionKey returns the session of a task. Gateways write keys in lower case.
func SessionKey(agent, taskID string) string {
	if !plainID.MatchString(taskID) {
		taskID = encoded + codec.EncodeToString([]byte(taskID))
	}
	return strings.ToLower("agent:" + agent + ":" + session + taskID)
}

// TaskOf returns the task whose session it is, or "".
func TaskOf(sessionKey string) string {
	parts := strings.SplitN(strings.ToLower(sessionKey), ":", 3)
	if len(parts) != 3 || parts[0] != "agent" {
		return ""
	}
	id, is := strings.CutPrefix(parts[2], session)
	if text, other := strings.CutPrefix(id, encoded); is && other {
		raw, err := codec.DecodeString(strings.ToUpper(text))
		if err != nil {
			return ""
		}
		return string(raw)
	}
	if id = strings.ToUpper(id); !is || !plainID.MatchString(id) {
		return ""
	}
	return id
}
