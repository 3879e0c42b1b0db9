package openclaw

import (
	"bytes"

	"agentflow/backend/base/docedit"
	"agentflow/backend/base/errcode"
	"agentflow/backend/team/gatewayconfig"
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

// Shown reads the team as Reading does, with secrets in clear masked. A config that no team can be read from is an
// error with the reason config_broken.
func (s Snapshot) Shown() (Reading, error) {
	broken := func(err error) (Reading, error) {
		return Reading{}, errcode.Wrap(errcode.Validation, err, "the config of this snapshot can't be read: %s",
			errcode.From(err).Message).
			With(errcode.KeyReason, errcode.ReasonConfigBroken)
	}
	if s.Broken {
		return broken(errcode.New(errcode.Validation, "it is no JSON"))
	}
	doc, err := s.Document()
	if err != nil {
		return broken(err)
	}
	if doc, err = masked(doc); err != nil {
		return broken(err)
	}
	r, err := s.reading(doc)
	if err != nil {
		return broken(err)
	}
	return r, nil
}

// Outside lists what two configs differ in beside their teams, see gatewayconfig.Outside. A changed secret is listed.
func Outside(a, b Snapshot) ([]string, error) {
	was, err := a.Document()
	if err != nil {
		return nil, err
	}
	now, err := b.Document()
	if err != nil {
		return nil, err
	}
	return gatewayconfig.Outside(was, now)
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
