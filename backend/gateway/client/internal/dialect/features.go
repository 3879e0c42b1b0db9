package dialect

import (
	"encoding/json"
	"slices"
)

// Features tell what a gateway can do. They come from what it says of itself at
// login, never from its version.
type Features struct {
	Methods      []string `json:"methods,omitempty"` // sorted; empty when the gateway does not list them
	AgentsDelete bool     `json:"agentsDelete"`
	// RosterGuard: assume that an agent which exists may not vanish by config.apply
	// and must go by agents.delete. Gateways of protocol 4 before the guard take
	// agents.delete as well, so assuming it there is harmless.
	RosterGuard bool `json:"rosterGuard"`
	HotApply    bool `json:"hotApply"` // agents change without a restart
	// FullAgents: the config can store role, persona and every kind of connection.
	// Only the built-in gateway of another AgentFlow reports this.
	FullAgents  bool   `json:"fullAgents"`
	AgentFiles  bool   `json:"agentFiles"` // workspace files of agents are read and written
	ModelsList  bool   `json:"modelsList"`
	ChatAbort   bool   `json:"chatAbort"`
	Events      bool   `json:"events"`      // chat answers arrive as events; without, ask for the history
	ApplyFormat string `json:"applyFormat"` // what config.apply takes: "yaml" or "json5" (JSON is both)
}

// Has reports whether the gateway lists the method.
func (f Features) Has(method string) bool {
	_, ok := slices.BinarySearch(f.Methods, method)
	return ok
}

// hotProtocol is the first protocol whose gateways apply agents while they run.
const hotProtocol = 4

func framedFeatures(protocol int, methods []string) Features {
	methods = slices.Clone(methods)
	slices.Sort(methods)
	f := Features{Methods: methods, Events: true, ApplyFormat: "json5"}
	f.AgentsDelete, f.ModelsList, f.ChatAbort = f.Has("agents.delete"), f.Has("models.list"), f.Has("chat.abort")
	f.AgentFiles = f.Has("agents.files.list") && f.Has("agents.files.get") && f.Has("agents.files.set")
	f.HotApply = protocol >= hotProtocol
	f.RosterGuard = protocol >= hotProtocol && f.AgentsDelete
	return f
}

// rpcFeatures are those of a JSON-RPC gateway: what it says beside its config, else little.
func rpcFeatures(configGet json.RawMessage) Features {
	var said struct {
		Features Features `json:"features"`
	}
	_ = json.Unmarshal(configGet, &said) // a gateway that reports no features has the fewest
	f := said.Features
	return Features{
		ApplyFormat: "yaml",
		FullAgents:  f.FullAgents,
		AgentFiles:  f.AgentFiles,
		HotApply:    f.HotApply,
		ModelsList:  f.ModelsList,
		ChatAbort:   f.ChatAbort,
		Events:      f.Events,
	}
}

// The rights of an operator, from least to most; each includes the ones before.
const (
	ScopeRead  = "operator.read"
	ScopeWrite = "operator.write"
	ScopeAdmin = "operator.admin"
)

// The rights to see and answer what the gateway asks a person. ScopeAdmin includes them, the others don't.
const (
	ScopeApprovals = "operator.approvals"
	ScopeQuestions = "operator.questions"
)

var askedScopes = []string{ScopeRead, ScopeWrite, ScopeAdmin}

// HasScope reports whether the scopes include the right. Nil means that the gateway
// did not say, and it decides itself.
func HasScope(scopes []string, scope string) bool {
	if scopes == nil || slices.Contains(scopes, ScopeAdmin) || slices.Contains(scopes, scope) {
		return true
	}
	return scope == ScopeRead && slices.Contains(scopes, ScopeWrite)
}
