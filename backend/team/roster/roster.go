// Package roster contains the applied team: its agents, and which of them can delegate to which. The built-in gateway
// writes it; all others read it.
package roster

import (
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"agentflow/backend/base/event"
	"agentflow/backend/team/topology"
)

// Team is the applied team at one moment. It is read-only.
type Team struct {
	Hash     string             `json:"hash"` // of the config it was read from
	Topology *topology.Topology `json:"topology"`
}

// Place is the address of an agent that runs as a local process of the hub.
type Place struct {
	URL, SecretEnv, Fingerprint string

	Gone bool // the process has ended and will be replaced
}

// Roster contains the current Team. The zero value is empty. Readers never block.
type Roster struct {
	now     atomic.Pointer[state]
	writing sync.Mutex
	places  map[topology.AgentID]Place
	changes event.Topic[Team]
}

type state struct {
	team    Team // with the places
	places  map[topology.AgentID]Place
	applied *topology.Topology
	agents  map[topology.AgentID]*topology.Agent
}

// Apply sets the applied team and publishes it to all subscribers. The caller must not change t afterwards.
func (r *Roster) Apply(hash string, t *topology.Topology) {
	r.writing.Lock()
	defer r.writing.Unlock()
	r.put(hash, t)
}

// Put sets the address of an agent's local process; nil removes it. It survives changes of the team, but a URL in the
// config takes precedence.
func (r *Roster) Put(id topology.AgentID, at *Place) {
	r.writing.Lock()
	defer r.writing.Unlock()
	r.places = maps.Clone(r.places)
	if at == nil {
		delete(r.places, id)
	} else {
		if r.places == nil {
			r.places = map[topology.AgentID]Place{}
		}
		r.places[id] = *at
	}
	if s := r.now.Load(); s != nil {
		r.put(s.team.Hash, s.applied)
	}
}

func (r *Roster) put(hash string, applied *topology.Topology) {
	t := applied
	if len(r.places) > 0 {
		placed := *applied
		placed.Agents = slices.Clone(applied.Agents)
		for i := range placed.Agents {
			a := &placed.Agents[i]
			if at, is := r.places[a.ID]; is && a.URL == "" {
				a.URL, a.SecretEnv, a.Fingerprint = at.URL, at.SecretEnv, at.Fingerprint
			}
		}
		t = &placed
	}
	s := &state{
		team:    Team{Hash: hash, Topology: t},
		places:  r.places,
		applied: applied,
		agents:  make(map[topology.AgentID]*topology.Agent, len(t.Agents)),
	}
	for i := range t.Agents {
		s.agents[t.Agents[i].ID] = &t.Agents[i]
	}
	r.now.Store(s)
	r.changes.Publish(s.team)
}

// Applied returns the team as configured, without the addresses set by Put.
func (r *Roster) Applied() *topology.Topology {
	if s := r.now.Load(); s != nil {
		return s.applied
	}
	return &topology.Topology{}
}

// Team returns the applied team, or an empty one.
func (r *Roster) Team() Team {
	if s := r.now.Load(); s != nil {
		return s.team
	}
	return Team{Topology: &topology.Topology{}}
}

// Agent returns the agent with this ID, and whether there is one.
func (r *Roster) Agent(id topology.AgentID) (topology.Agent, bool) {
	if s := r.now.Load(); s != nil {
		if a, ok := s.agents[id]; ok {
			return a.Clone(), true
		}
	}
	return topology.Agent{}, false
}

// Place returns the address of the agent's local process, and whether it has one.
func (r *Roster) Place(id topology.AgentID) (Place, bool) {
	s := r.now.Load()
	if s == nil || s.agents[id] == nil {
		return Place{}, false
	}
	at, is := s.places[id]
	return at, is && s.agents[id].URL == at.URL
}

// MayCommand reports whether one agent can delegate to another. Both must be in the team and differ, and the first
// must have a Delegate connection to the second or be allowed any.
func (r *Roster) MayCommand(from, to topology.AgentID) bool {
	s := r.now.Load()
	if s == nil || s.agents[from] == nil || s.agents[to] == nil {
		return false
	}
	return s.agents[from].CanDelegate(to)
}

// Changes subscribes to each team that is applied from now on. The reader closes the subscription.
func (r *Roster) Changes(buffer int) *event.Subscription[Team] { return r.changes.Subscribe(buffer) }
