package consent

import (
	"slices"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/team/topology"
	"agentflow/backend/team/trust"
)

// State is how an agent's request stands.
type State string

// The states.
const (
	Allowed State = "allowed"
	Asked   State = "asked"   // nothing was allowed so far
	Changed State = "changed" // something else was allowed
	Refused State = "refused" // it can't be allowed: Problem says why
)

// Standing is an agent that asks for something, and whether it is allowed.
type Standing struct {
	Agent     topology.AgentID `json:"agent"`
	Name      string           `json:"name,omitempty"`
	State     State            `json:"state" enum:"allowed,asked,changed,refused" doc:"asked: not allowed yet. changed: it asks for something else than was allowed. refused: it can't be allowed."`
	Hash      string           `json:"hash" doc:"Hash of this request. Send it back to allow it."`
	Asks      []trust.Ask      `json:"asks" doc:"Each thing that the agent asks for."`
	Request   trust.Request    `json:"request" doc:"The same as the team has it. The hash covers it."`
	Unset     []string         `json:"unset,omitempty" doc:"Names of the variables it asks for that have no value where AgentFlow runs."`
	AllowedAt time.Time        `json:"allowedAt,omitzero" doc:"Time of the last permission. With the state changed, it was for another request."`
	Before    []trust.Ask      `json:"before,omitempty" doc:"What was allowed last, with the state changed."`
	Problem   *errcode.Error   `json:"problem,omitempty" doc:"Why it can't be allowed."`
}

// Standings lists the agents of a team that ask for something, in the team's order.
func (c *Record) Standings(team string, t *topology.Topology) []Standing {
	rules := c.o.Rules()
	asks := trust.Team(t, rules)
	unset := make([][]string, len(asks))
	for i, a := range asks { // before c.mu is held: a keyring can be slow
		unset[i] = c.unset(rules, a.ID, a.Request)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	out := make([]Standing, 0, len(asks))
	for i, a := range asks {
		s := Standing{
			Agent:   a.ID,
			Name:    a.Name,
			State:   Asked,
			Hash:    a.Request.Hash(),
			Asks:    a.Request.Asks(),
			Request: a.Request,
			Unset:   unset[i],
		}
		last := c.last(team, a.ID)
		switch e := c.allowed(team, a.ID, s.Hash); {
		case a.Err != nil:
			s.State, s.Problem = Refused, errcode.From(a.Err)
		case e != nil:
			s.State, s.AllowedAt = Allowed, e.At
		case last != nil:
			s.State, s.AllowedAt, s.Before = Changed, last.At, last.Request.Asks()
		}
		out = append(out, s)
	}
	return out
}

// unset lists the variables of a request that have no value here. It names none that no team can name.
func (c *Record) unset(rules trust.Rules, id topology.AgentID, r trust.Request) []string {
	var out []string
	for _, a := range r.Asks() {
		for _, name := range a.Variables {
			known := c.o.Has != nil && rules.Variables.InTeam(name) == nil
			if known && !slices.Contains(out, name) && !c.o.Has(id, name) {
				out = append(out, name)
			}
		}
	}
	return out
}

// last finds what an agent was allowed last; c.mu is held.
func (c *Record) last(team string, id topology.AgentID) *Entry {
	for i := len(c.entries) - 1; i >= 0; i-- {
		if e := &c.entries[i]; e.Team == team && e.Agent == id {
			return e
		}
	}
	return nil
}

// Former lists what is allowed to agents of a team that ask for nothing of the kind any more.
func (c *Record) Former(team string, t *topology.Topology) []Entry {
	c.mu.Lock()
	defer c.mu.Unlock()
	asks := map[topology.AgentID]bool{}
	for _, a := range trust.Team(t, c.o.Rules()) {
		asks[a.ID] = true
	}
	out := []Entry{}
	for _, e := range c.entries {
		if e.Team == team && !asks[e.Agent] {
			out = append(out, e)
		}
	}
	return out
}

// Common is what a saved team has in common with the applied team. A zero Common is nothing.
type Common struct {
	Same *topology.Topology // agents that both have since the two were the same
	Kept *topology.Topology // agents of the applied team alone, which an apply of the saved team keeps
}

// covering returns a function that reports whether a permission of the applied team holds for a saved team's agent.
func (c *Record) covering(common Common) func(team string, id topology.AgentID, hash string, given *Entry) bool {
	same, kept := c.requests(common.Same), c.requests(common.Kept)
	return func(team string, id topology.AgentID, hash string, given *Entry) bool {
		return kept[id] == hash || same[id] == hash && given.From == team
	}
}

// StandingsOf is Standings for a saved team that the built-in gateway runs. An agent that it has in common with the
// applied team, with the same request, stands as it does there. Permissions that were given to another saved team
// don't count, however alike the two agents are.
func (c *Record) StandingsOf(team, applied string, t *topology.Topology, common Common) []Standing {
	out := c.Standings(team, t)
	holds := c.covering(common)
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range out {
		s := &out[i]
		if s.State == Refused {
			continue
		}
		if e := c.allowed(applied, s.Agent, s.Hash); e != nil && holds(team, s.Agent, s.Hash, e) {
			s.State, s.AllowedAt, s.Before = Allowed, e.At, nil
		}
	}
	return out
}

// HandOver is called before a saved team is applied to the built-in gateway: what the team is allowed counts for the
// applied team from then on, and what the applied team is allowed for an agent that the saved team keeps counts for the
// saved team. A permission that was given for an agent of another team ends, where this team brings an agent with the
// same ID and request.
func (c *Record) HandOver(team, applied string, t *topology.Topology, common Common) error {
	holds, asks := c.covering(common), c.requests(t)
	now := time.Now().UTC()
	var lost []topology.AgentID
	changed := false
	err := c.edit(func(all []Entry) []Entry {
		has := func(in string, id topology.AgentID, hash string) int {
			return slices.IndexFunc(all, func(e Entry) bool { return e.Team == in && e.Agent == id && e.Hash == hash })
		}
		for id, hash := range asks {
			own, there := has(team, id, hash), has(applied, id, hash)
			switch {
			case own < 0 && there < 0:
			case there < 0:
				e := Entry{Team: applied, Agent: id, Hash: hash, At: now, Request: all[own].Request, From: team}
				all, changed = bounded(append(all, e), e), true
			case own >= 0 || holds(team, id, hash, &all[there]):
				if all[there].From != team {
					all[there].From, changed = team, true
				}
				if own < 0 { // the rooms of the saved team check its own permissions
					e := Entry{Team: team, Agent: id, Hash: hash, At: all[there].At, Request: all[there].Request}
					all, changed = bounded(append(all, e), e), true
				}
			default:
				all, changed = slices.Delete(all, there, there+1), true
				lost = append(lost, id)
			}
		}
		return all
	})
	if err != nil || !changed {
		return err
	}
	slices.Sort(lost)
	c.tell(Change{Team: applied, Lost: lost})
	return nil
}

// requests returns the hash of what each agent of a team asks for.
func (c *Record) requests(t *topology.Topology) map[topology.AgentID]string {
	out := map[topology.AgentID]string{}
	if t == nil {
		return out
	}
	for _, a := range trust.Team(t, c.o.Rules()) {
		if a.Err == nil {
			out[a.ID] = a.Request.Hash()
		}
	}
	return out
}
