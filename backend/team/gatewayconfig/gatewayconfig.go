// Package gatewayconfig reads and writes a team inside an OpenClaw config, whatever the shape
// it keeps its agents in. It is pure.
package gatewayconfig

import (
	"agentflow/backend/team/topology"
)

// Shape says where a config keeps its agents.
type Shape string

// The shapes. They are found by looking, never by a version.
const (
	None    Shape = "none"    // no roster yet: the gateway runs an implicit agent
	Map     Shape = "map"     // agents: {id: {…}}
	List    Shape = "list"    // agents.list: [{id, …}]
	Entries Shape = "entries" // agents.entries: {id: {…}}
)

// Redacted is what a gateway shows in place of a secret. Written back at the same
// path it stands for the stored secret.
const Redacted = "__OPENCLAW_REDACTED__"

// Reading is a team as a config Holds it.
type Reading struct {
	Topology topology.Topology  `json:"topology"`
	Shape    Shape              `json:"shape"`
	Implicit []topology.AgentID `json:"implicit,omitempty"` // agents the gateway runs although the config does not name them
	Unknown  []Finding          `json:"unknown,omitempty"`  // keys kept as they are
	Warnings []Finding          `json:"warnings,omitempty"` // what could not be read; it stays in the config untouched
}

// Finding is a remark on one place of a config.
type Finding struct {
	Agent   topology.AgentID `json:"agent,omitempty"`
	Path    string           `json:"path" doc:"Path in the config, such as agents.entries.main.sandbox."`
	Line    int              `json:"line,omitempty"`
	Message string           `json:"message,omitempty"`
}

// Loss names one thing of the team that the target cannot hold. It stays in the team.
type Loss struct {
	Agent   topology.AgentID `json:"agent,omitempty"`
	Field   string           `json:"field,omitempty" doc:"JSON name of the field, or connections, layout, groups or notes."`
	Target  topology.AgentID `json:"target,omitempty" doc:"Target agent of a connection."`
	Kind    topology.Kind    `json:"kind,omitempty" doc:"Kind of a connection."`
	Reason  string           `json:"reason" enum:"no_place,secret,single_only,shape,no_folder,default_agent" doc:"Why it was left out, or stays."`
	Message string           `json:"message"`
}

// Reasons of a Loss.
const (
	LossNoPlace = "no_place"      // the target has no field for it
	LossSecret  = "secret"        // a secret, or what stands for one, that may not be written there
	LossSingle  = "single_only"   // the target Holds one agent, or one value, only
	LossShape   = "shape"         // the value's form does not fit the target
	LossFolder  = "no_folder"     // the agent has no folder for its files there
	LossDefault = "default_agent" // of a rollback: the gateway keeps its default agent, which the config lacked
)

// Limits says what a target can hold.
type Limits struct {
	Roster      Shape  `json:"roster" enum:"map,list,entries"` // the shape for a config that has no roster yet
	IDPattern   string `json:"idPattern,omitempty"`            // regular expression for ids; "" means any
	FullAgents  bool   `json:"fullAgents"`                     // role, persona, every kind of connection: our own local gateway
	Files       bool   `json:"files"`                          // serves workspace files of agents, beside the config
	RosterGuard bool   `json:"rosterGuard"`                    // agents vanish by DeleteAgent only
	KeepsText   bool   `json:"keepsText"`                      // comments and spelling of the text survive an apply
	Ownership   bool   `json:"ownership"`                      // more than one entry needs agents.ownership: explicit
	ApplyFormat string `json:"applyFormat" enum:"yaml,json"`   // what Apply takes
	Home        string `json:"home,omitempty"`                 // for the default workspace of the map shape; "" leaves it out
	// Implicit are the agents that the gateway runs although the config does not
	// name them; they are written only once the config names any agent.
	Implicit []topology.AgentID `json:"implicit,omitempty"`
}

// Capabilities are Limits and how a gateway behaves.
type Capabilities struct {
	Limits
	DeleteAgents   bool             `json:"deleteAgents"`           // DeleteAgent works
	DefaultAgent   topology.AgentID `json:"defaultAgent,omitempty"` // cannot be deleted
	HotApply       bool             `json:"hotApply"`               // agents change without a restart
	RestartSeconds int              `json:"restartSeconds"`         // how long a restart takes, as far as known
	ReadOnly       ReadOnly         `json:"readOnly,omitempty"`     // why its config can't be changed
}

// ReadOnly says why the config of a gateway can't be changed; "" if it can, as far as known.
type ReadOnly string

// The reasons.
const (
	Managed    ReadOnly = "managed"    // another program manages the config
	Unwritable ReadOnly = "unwritable" // the gateway can't write its config file
)

// Features are what a caller knows of a gateway, from its login.
type Features struct {
	Local        bool // the product's own gateway
	Framed       bool // the real OpenClaw protocol
	Protocol     int  // of the framed protocol
	RosterGuard  bool
	AgentsDelete bool
	AgentFiles   bool // agents.files.list, get and set
	HotApply     bool
	ApplyFormat  string // "yaml", "json5" or "json"
	Home         string // the gateway's home directory; "" if unknown
	ReadOnly     ReadOnly
}
