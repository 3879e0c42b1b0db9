package openclaw

import (
	"context"

	"agentflow/backend/errcode"
	"agentflow/backend/topology"
	"agentflow/backend/yamldoc"
)

var errNotYet = errcode.New(errcode.Unavailable, "openclaw: not written yet")

// Read reads the team out of a config. Nothing of the config is changed or lost.
func Read(doc *yamldoc.Document) (Reading, error) { return Reading{}, errNotYet }

// Reading reads the team out of the snapshot, with the agents that only Effective shows.
func (s Snapshot) Reading() (Reading, error) { return Reading{}, errNotYet }

// Document parses what is to be edited and sent back.
func (s Snapshot) Document() (*yamldoc.Document, error) { return nil, errNotYet }

// Write edits doc so that it holds draft, at the known places only. Known fields are
// written where draft differs from doc; unknown keys (Extra) where draft differs from base.
func Write(doc *yamldoc.Document, base, draft *topology.Topology, limits Limits) (*yamldoc.Document, []Loss, error) {
	return nil, nil, errNotYet
}

// CapabilitiesFor turns what is known of a gateway into what it can hold.
func CapabilitiesFor(f Features) Capabilities { return Capabilities{} }

// Adopt returns what the gateway now holds, with everything that only the drawing
// holds taken from drawing: role, persona, layout, groups, notes, other connections.
func Adopt(reading Reading, drawing *topology.Topology, limits Limits) *topology.Topology { return nil }

// MakePreview says what applying in.Draft would do. Nothing is sent.
func MakePreview(in PreviewInput) (Preview, error) { return Preview{}, errNotYet }

// PreviewRollback says what going back to a kept snapshot would do.
func PreviewRollback(current, to Snapshot, c Capabilities) (Preview, error) {
	return Preview{}, errNotYet
}

// Push applies a draft safely: check, keep a snapshot, delete, apply once, wait, verify.
func Push(ctx context.Context, gw Gateway, in PushInput) (Result, error) { return Result{}, errNotYet }

// Rollback brings the config back to a kept snapshot, by the same steps.
func Rollback(ctx context.Context, gw Gateway, in RollbackInput) (Result, error) {
	return Result{}, errNotYet
}
