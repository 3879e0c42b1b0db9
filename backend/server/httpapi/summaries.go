package httpapi

import (
	"context"
	"reflect"
	"slices"
	"sync"

	"agentflow/backend/gateway/openclaw"
	"agentflow/backend/gateway/rollout"
	"agentflow/backend/server/httpapi/internal/templatesapi"
	"agentflow/backend/team/library"
	"agentflow/backend/team/topology"
)

// counts are the numbers of a TeamSummary. They need a diff and a lint of the whole team.
type counts struct{ agents, connections, changes, errors, warnings int }

// basis is what counts depend on.
type basis struct {
	head     library.VersionID
	revision int64
	gateway  string
	base     library.Base
	target   rollout.Target // without its Gateway
	caps     openclaw.Capabilities
}

type countedOn struct {
	basis  basis
	counts counts
}

// countCache keeps the counts of each team until something changes that they depend on. /metrics and
// every connecting window need those of all teams.
type countCache struct {
	mu   sync.Mutex
	kept map[library.ID]countedOn
}

func (c *countCache) get(id library.ID, on basis) (counts, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	k, has := c.kept[id]
	return k.counts, has && reflect.DeepEqual(k.basis, on)
}

func (c *countCache) put(id library.ID, on basis, n counts) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.kept == nil {
		c.kept = map[library.ID]countedOn{}
	}
	c.kept[id] = countedOn{on, n}
}

// keepOnly drops the counts of deleted teams.
func (c *countCache) keepOnly(all []library.Team) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.kept) <= len(all) {
		return
	}
	kept := make(map[library.ID]countedOn, len(all))
	for _, d := range all {
		if k, has := c.kept[d.ID]; has {
			kept[d.ID] = k
		}
	}
	c.kept = kept
}

func (s *Server) summary(ctx context.Context, d library.Team) (TeamSummary, error) {
	out := TeamSummary{ID: d.ID, Name: d.Name, Gateway: d.Gateway, Head: d.Head, UpdatedAt: d.UpdatedAt}
	v, err := s.Library.Version(ctx, d.ID, d.Head)
	if err != nil {
		return out, err
	}
	out.Models = modelsOf(v.Topology)
	on := basis{head: v.ID, revision: v.Revision(), gateway: d.Gateway}
	on.base = d.Bases[d.Gateway]
	if base, known := d.Base(d.Gateway); known {
		out.AppliedAt = base.AppliedAt
	}
	if target, err := s.Fleet.Target(d.Gateway); err == nil {
		on.caps = target.Gateway.Capabilities()
		target.Gateway = nil
		on.target = target
	}
	n, known := s.counted.get(d.ID, on)
	if !known {
		if n, err = s.count(ctx, d, v); err != nil {
			return out, err
		}
		s.counted.put(d.ID, on, n)
	}
	out.Agents, out.Connections, out.Changes, out.Errors, out.Warnings = n.agents, n.connections, n.changes, n.errors, n.warnings
	return out, nil
}

// modelsOf lists the models that agents name, each once.
func modelsOf(t *topology.Topology) []string {
	models := []string{}
	for i := range t.Agents {
		a := &t.Agents[i]
		models = append(append(models, a.Fallbacks...), a.Model)
	}
	slices.Sort(models)
	return slices.DeleteFunc(slices.Compact(models), func(m string) bool { return m == "" })
}

func (s *Server) count(ctx context.Context, d library.Team, v library.Version) (n counts, err error) {
	base, err := s.Library.BaseTopology(ctx, d)
	if err != nil {
		return n, err
	}
	n.agents, n.connections = templatesapi.Counts(v.Topology)
	changes, staying := s.changes(ctx, d, v)
	n.changes = len(changes) - len(staying)
	for _, p := range s.problems(d.Gateway, v.Topology, base) {
		if p.Severity == topology.SeverityError {
			n.errors++
		} else {
			n.warnings++
		}
	}
	return n, nil
}

func (s *Server) summaries(ctx context.Context) ([]TeamSummary, error) {
	all, err := s.Library.List(ctx)
	if err != nil {
		return nil, err
	}
	s.counted.keepOnly(all)
	out := make([]TeamSummary, 0, len(all))
	for _, d := range all {
		sum, err := s.summary(ctx, d)
		if err != nil {
			return nil, err
		}
		out = append(out, sum)
	}
	return out, nil
}
