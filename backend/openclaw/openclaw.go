// Package openclaw reads and writes a team inside an OpenClaw config, and applies a
// drawing to a live gateway: preview, snapshot, apply once, wait, read back, compare.
// What a config looks like is the business of its subpackage shape.
package openclaw

import (
	"encoding/json"

	"agentflow/backend/openclaw/shape"
	"agentflow/backend/topology"
	"agentflow/backend/yamldoc"
)

// The words of package shape, so that users need one import only.
type (
	// Shape says where a config keeps its agents.
	Shape = shape.Shape
	// Reading is a team as a config holds it.
	Reading = shape.Reading
	// Finding is a remark on one place of a config.
	Finding = shape.Finding
	// Loss names one thing of the drawing that the target cannot hold.
	Loss = shape.Loss
	// Limits says what a target can hold.
	Limits = shape.Limits
	// Capabilities are Limits and how a gateway behaves.
	Capabilities = shape.Capabilities
	// Features are what a caller knows of a gateway, from its login.
	Features = shape.Features
)

// The shapes, see package shape.
const (
	ShapeNone    = shape.None
	ShapeMap     = shape.Map
	ShapeList    = shape.List
	ShapeEntries = shape.Entries
)

// Reasons of a Loss, see package shape.
const (
	LossNoPlace = shape.LossNoPlace
	LossSecret  = shape.LossSecret
	LossSingle  = shape.LossSingle
	LossShape   = shape.LossShape
)

// Redacted is what a gateway shows in place of a secret. Written back at the same
// path it stands for the stored secret.
const Redacted = shape.Redacted

// Read reads the team out of a config, see shape.Read.
func Read(doc *yamldoc.Document) (Reading, error) { return shape.Read(doc) }

// Write edits doc so that it holds draft, at the known places only, see shape.Write.
func Write(doc *yamldoc.Document, base, draft *topology.Topology, limits Limits) (*yamldoc.Document, []Loss, error) {
	return shape.Write(doc, base, draft, limits)
}

// CapabilitiesFor turns what is known of a gateway into what it can hold and how it
// behaves.
func CapabilitiesFor(f Features) Capabilities { return shape.CapabilitiesFor(f) }

// Adopt returns the drawing after an import over it, with everything that only a
// drawing can hold, see topology.Adopt. Base is what was last read from the gateway, or nil.
func Adopt(reading Reading, drawing, base *topology.Topology, limits Limits) *topology.Topology {
	return shape.Adopt(reading, drawing, base, limits)
}

// Snapshot is a gateway's config at one moment, secrets masked by the gateway.
type Snapshot struct {
	Hash      string          `json:"baseHash"`
	Config    json.RawMessage `json:"config"`              // the document to edit and send back
	Effective json.RawMessage `json:"effective,omitempty"` // with defaults filled in; shows implicit agents
	Raw       string          `json:"raw,omitempty"`       // the text as stored there, where the gateway gives it
	RawFormat string          `json:"rawFormat,omitempty"` // "yaml", "json5" or ""
}

// Theirs is what details.snapshot of a stale_base error holds.
type Theirs struct {
	BaseHash string            `json:"baseHash"`
	Config   json.RawMessage   `json:"config"`
	Topology topology.Topology `json:"topology"`
	Shape    Shape             `json:"shape"`
}
