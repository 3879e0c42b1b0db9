package openclaw

import (
	"bytes"

	"agentflow/backend/base/docedit"
	"agentflow/backend/base/errcode"
	"agentflow/backend/team/topology"
)

const gatewayConfig = "" // what the gateway sent has no file name

// Document parses what is to be edited and sent back: the text as stored where that
// is YAML and says the same as Config, so that its comments survive; else Config.
func (s Snapshot) Document() (*docedit.Document, error) {
	text := bytes.TrimSpace(s.Config)
	if len(text) == 0 || bytes.Equal(text, []byte("null")) {
		if s.RawFormat == "yaml" {
			return docedit.Parse([]byte(s.Raw), gatewayConfig)
		}
		return docedit.FromJSON([]byte("{}\n"), gatewayConfig)
	}
	doc, err := docedit.FromJSON(text, gatewayConfig)
	if err != nil {
		return nil, err
	}
	if s.RawFormat == "yaml" && s.Raw != "" {
		if raw, err := docedit.Parse([]byte(s.Raw), gatewayConfig); err == nil && docedit.Same(raw.Root(), doc.Root()) {
			return raw, nil
		}
	}
	return docedit.FromJSON(doc.JSON(), gatewayConfig)
}

// Reading reads the team out of the snapshot, with the agents that only Effective shows.
func (s Snapshot) Reading() (Reading, error) {
	doc, err := s.Document()
	if err != nil {
		return Reading{}, err
	}
	return s.reading(doc)
}

func (s Snapshot) reading(doc *docedit.Document) (Reading, error) {
	r, err := Read(doc)
	if err != nil || len(r.Topology.Agents) > 0 || len(s.Effective) == 0 {
		return r, err
	}
	whole, err := docedit.FromJSON(s.Effective, gatewayConfig)
	if err != nil {
		return Reading{}, err
	}
	seen, err := Read(whole)
	if err != nil {
		return Reading{}, err
	}
	for _, a := range seen.Topology.Agents {
		r.Implicit = append(r.Implicit, a.ID)
		r.Topology.Agents = append(r.Topology.Agents, topology.Agent{ID: a.ID})
	}
	if r.Shape == ShapeNone && seen.Shape != ShapeNone {
		r.Shape = seen.Shape
	}
	return r, nil
}

// limitsOf adds to a gateway's limits what its config tells.
func limitsOf(r Reading, l Limits) Limits {
	l.Implicit = r.Implicit
	if len(r.Implicit) > 0 && r.Shape != ShapeNone {
		l.Roster = r.Shape
	}
	return l.In(r.Shape)
}

// stale is the error of an apply onto a config that has changed since.
func stale(now Snapshot, message string) error {
	t := Theirs{BaseHash: now.Hash, Config: now.Config}
	if r, err := now.Reading(); err == nil {
		t.Topology, t.Shape = r.Topology, r.Shape
	}
	return errcode.New(errcode.Conflict, "%s", message).
		With(errcode.KeyReason, errcode.ReasonStaleBase).With(errcode.KeySnapshot, t)
}

const staleMessage = "the gateway's config has changed since it was read. Nothing was written. Merge both sides and apply again"
