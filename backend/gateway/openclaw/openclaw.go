// Package openclaw reads and writes a team inside an OpenClaw config, and applies a
// team to a live gateway: preview, snapshot, apply once, wait, read back, compare.
// What a config looks like is the business of its subpackage shape.
package openclaw

import (
	"encoding/json"

	"agentflow/backend/base/docedit"
	"agentflow/backend/team/gatewayconfig"
	"agentflow/backend/team/topology"
)

// Types of package gatewayconfig, so that users need one import only.
type (
	// Shape says where a config keeps its agents.
	Shape = gatewayconfig.Shape
	// Reading is a team as a config holds it.
	Reading = gatewayconfig.Reading
	// Finding is a remark on one place of a config.
	Finding = gatewayconfig.Finding
	// Loss names one thing of the team that the target cannot hold.
	Loss = gatewayconfig.Loss
	// Limits says what a target can hold.
	Limits = gatewayconfig.Limits
	// Capabilities are Limits and how a gateway behaves.
	Capabilities = gatewayconfig.Capabilities
	// Features are what a caller knows of a gateway, from its login.
	Features = gatewayconfig.Features
)

// The shapes, see package gatewayconfig.
const (
	ShapeNone    = gatewayconfig.None
	ShapeMap     = gatewayconfig.Map
	ShapeList    = gatewayconfig.List
	ShapeEntries = gatewayconfig.Entries
)

// Reasons of a Loss, see package gatewayconfig.
const (
	LossNoPlace = gatewayconfig.LossNoPlace
	LossSecret  = gatewayconfig.LossSecret
	LossDefault = gatewayconfig.LossDefault
	LossSingle  = gatewayconfig.LossSingle
	LossShape   = gatewayconfig.LossShape
	LossFolder  = gatewayconfig.LossFolder
)

// Redacted is what a gateway shows in place of a secret. Written back at the same
// path it stands for the stored secret.
const Redacted = gatewayconfig.Redacted

// Read reads the team out of a config, see gatewayconfig.Read.
func Read(doc *docedit.Document) (Reading, error) { return gatewayconfig.Read(doc) }

// Write edits doc so that it holds draft, at the known places only, see gatewayconfig.Write.
func Write(doc *docedit.Document, base, draft *topology.Topology, limits Limits) (*docedit.Document, []Loss, error) {
	return gatewayconfig.Write(doc, base, draft, limits)
}

// CapabilitiesFor turns what is known of a gateway into what it can hold and how it
// behaves.
func CapabilitiesFor(f Features) Capabilities { return gatewayconfig.CapabilitiesFor(f) }

// Adopt returns the team after an import over it, with everything that only a
// team can hold, see topology.Adopt. Base is what was last read from the gateway, or nil.
func Adopt(reading Reading, team, base *topology.Topology, limits Limits) *topology.Topology {
	return gatewayconfig.Adopt(reading, team, base, limits)
}

// Snapshot is a gateway's config at one moment, secrets masked by the gateway.
type Snapshot struct {
	Hash      string          `json:"baseHash"`
	Config    json.RawMessage `json:"config"`              // the document to edit and send back
	Effective json.RawMessage `json:"effective,omitempty"` // with defaults filled in; shows implicit agents
	Raw       string          `json:"raw,omitempty"`       // the text as stored there, where the gateway gives it
	RawFormat string          `json:"rawFormat,omitempty"` // "yaml", "json5" or ""
	Broken    bool            `json:"broken,omitempty"`    // the file there is no JSON, so Config is empty
	Files     []KeptFile      `json:"files,omitempty"`     // workspace files that the change after it touched
	Jobs      []Job           `json:"jobs,omitempty"`      // scheduled jobs of agents that the change after it deleted
}

// Theirs is what details.snapshot of a stale_base error holds.
type Theirs struct {
	BaseHash string            `json:"baseHash"`
	Config   json.RawMessage   `json:"config"`
	Topology topology.Topology `json:"topology"`
	Shape    Shape             `json:"shape"`
}
