// Package localagent runs the hub's agents as local processes. It starts them, reads their output, restarts them when
// they die, and leaves none behind.
package localagent

import (
	"cmp"
	"context"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/event"
	"agentflow/backend/team/roster"
	"agentflow/backend/team/topology"
	"agentflow/backend/team/trust"
	"agentflow/backend/work/task"
)

// Limits.
const (
	MaxAgents = 100
	maxID     = 200
)

// State is the state of an agent's process.
type State string

// The states.
const (
	Stopped    State = "stopped"
	Starting   State = "starting"
	Running    State = "running"
	Restarting State = "restarting" // it died and is started again at NextAt
	Stopping   State = "stopping"
	Failed     State = "failed" // it isn't restarted automatically
)

// Source is the origin of an agent's config.
type Source string

// The sources.
const (
	Drawn Source = "drawn" // the agent of the applied team with the same ID
	File  Source = "file"  // an agent-config.yaml; the hub stores a copy
)

// Agent is an agent that runs, or can run, as a local process.
type Agent struct {
	ID        topology.AgentID `json:"id"`
	Name      string           `json:"name"`
	Role      string           `json:"role,omitempty"`
	Model     string           `json:"model,omitempty"`
	Source    Source           `json:"source" enum:"drawn,file" doc:"Origin: the applied team (drawn) or an agent-config.yaml (file)."`
	Autostart bool             `json:"autostart" doc:"The process starts with the hub."`
	State     State            `json:"state" enum:"stopped,starting,running,restarting,stopping,failed"`
	URL       string           `json:"url,omitempty" doc:"URL of the agent's own API."`
	StartedAt time.Time        `json:"startedAt,omitzero"`
	NextAt    time.Time        `json:"nextAt,omitzero" doc:"Time of the next start attempt."`
	Restarts  int              `json:"restarts" doc:"Number of automatic restarts since it was last started by hand."`
	Problem   *errcode.Error   `json:"problem,omitempty" doc:"Why it failed or can't start."`
	InTeam    bool             `json:"inTeam" doc:"The agent is in the applied team, so it gets tasks."`
	Changed   bool             `json:"changed" doc:"The team's config changed since the process started."`
	Variables []Variable       `json:"variables" doc:"Environment variables that the agent's config names."`
	Use       Use              `json:"use" doc:"Tasks and tokens since the process started."`
}

// Use is the number of tasks and the cost of an agent since it was added.
type Use struct {
	Tasks  int        `json:"tasks"`
	Failed int        `json:"failed"`
	Spent  task.Spent `json:"spent"`
}

// Variable is an environment variable that an agent's config names.
type Variable struct {
	Name string `json:"name"`
	From string `json:"from" enum:"hub,environment,kept,missing" doc:"Source of the value: the hub, its environment, the keyring (kept), or missing."`
}

// Options of New.
type Options struct {
	Path    string // the file with the records of the agents
	Configs string // folder of the config files of the processes
	Roster  *roster.Roster
	Secrets Secrets

	// Trusts returns why an agent of the team can't be started until the owner has approved its access to this
	// computer. nil: all can be started. Call Trusted after a change. Applied is called with each applied team before
	// the processes are checked; nil: no call.
	Trusts    func(agent *topology.Agent) error
	Applied   func(*topology.Topology)
	Variables func() trust.Variables // that a config can name; nil: none is known to be reserved

	Environ func() []string                                            // the hub's own; os.Environ
	Command func(config string, coordinator string) (string, []string) // returns the program and its arguments
	Hub     func() (url, fingerprint string)                           // the hub's address for the processes
	Records string                                                     // see proc.Command
	Logger  *slog.Logger
	Backoff time.Duration // before the first automatic restart; 0 is 1 s
}

// Secrets saves secrets by key; config.Secrets implements it.
type Secrets interface {
	Get(key string) (string, error)
	Set(key, secret string) error
}

// Machine owns the processes. Create it with New; Run keeps them running.
type Machine struct {
	o       Options
	changes event.Topic[struct{}]

	edits   sync.Mutex // serializes edits, which can wait for the keyring
	writing sync.Mutex // serializes writes of the records: the last writer writes all

	mu      sync.Mutex // guards memory only: no slow calls while it is held
	all     map[topology.AgentID]*kept
	begin   func(*kept) // starts a keeper; nil while Run isn't running
	keepers sync.WaitGroup
}

// kept is one agent in memory.
type kept struct {
	record
	log *log

	state   State
	url     string
	place   *roster.Place // as published in the roster
	started time.Time
	next    time.Time
	died    int
	waits   bool // start it once the owner has approved it
	problem *errcode.Error
	config  string          // that it was started with
	secret  string          // shared with the hub, as long as a keeper runs
	has     map[string]bool // cache: which variables the keyring has
	stop    context.CancelCauseFunc
	done    chan struct{} // closed when its keeper has ended; nil without one
}

func newKept(r record) *kept {
	return &kept{record: r, log: newLog(), state: Stopped, has: map[string]bool{}}
}

// New reads the records of the agents. Run starts them.
func New(o Options) (*Machine, error) {
	o.Backoff = cmp.Or(o.Backoff, time.Second)
	if o.Trusts == nil {
		o.Trusts = func(*topology.Agent) error { return nil }
	}
	if o.Applied == nil {
		o.Applied = func(*topology.Topology) {}
	}
	if o.Variables == nil {
		o.Variables = func() trust.Variables { return trust.Variables{} }
	}
	m := &Machine{o: o, all: map[topology.AgentID]*kept{}}
	records, err := readRecords(o.Path)
	if err != nil {
		return nil, err
	}
	for _, r := range records {
		m.all[r.ID] = newKept(r)
	}
	return m, nil
}

// Subscribe signals each change of the agents.
func (m *Machine) Subscribe(buffer int) *event.Subscription[struct{}] {
	return m.changes.Subscribe(buffer)
}

// Agents returns all agents, sorted by ID.
func (m *Machine) Agents() []Agent {
	m.mu.Lock()
	all := make([]seen, 0, len(m.all))
	for _, id := range slices.Sorted(maps.Keys(m.all)) {
		all = append(all, m.all[id].seen())
	}
	m.mu.Unlock()
	out := make([]Agent, 0, len(all))
	for _, s := range all {
		out = append(out, m.view(s))
	}
	return out
}

// Candidate is an agent of the applied team that can run as a local process.
type Candidate struct {
	ID   topology.AgentID `json:"id" doc:"ID of the agent."`
	Name string           `json:"name"`
}

// Candidates returns the agents of the applied team that have no URL and aren't added yet.
func (m *Machine) Candidates() []Candidate {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := []Candidate{}
	for _, a := range m.o.Roster.Applied().Agents {
		if m.all[a.ID] == nil && a.URL == "" {
			out = append(out, Candidate{a.ID, cmp.Or(a.Name, string(a.ID))})
		}
	}
	return out
}

// Agent returns one agent.
func (m *Machine) Agent(id topology.AgentID) (Agent, error) {
	m.mu.Lock()
	k, err := m.get(id)
	if err != nil {
		m.mu.Unlock()
		return Agent{}, err
	}
	s := k.seen()
	m.mu.Unlock()
	return m.view(s), nil
}

func (m *Machine) get(id topology.AgentID) (*kept, error) {
	if k := m.all[id]; k != nil {
		return k, nil
	}
	return nil, errcode.New(errcode.NotFound, "no local agent process named %q", id)
}

// seen is a copy of an agent's state.
type seen struct {
	record
	state         State
	url           string
	started, next time.Time
	died          int
	problem       *errcode.Error
	config        string // that it was started with; "" without a keeper
}

// seen copies the agent's state. The caller holds m.mu.
func (k *kept) seen() seen {
	s := seen{
		record:  k.record,
		state:   k.state,
		url:     k.url,
		started: k.started,
		next:    k.next,
		died:    k.died,
		problem: k.problem,
	}
	if k.done != nil {
		s.config = k.config
	}
	return s
}

// view returns the Agent for a state. It can call the keyring, so the caller must not hold m.mu.
func (m *Machine) view(s seen) Agent {
	v := Agent{
		ID: s.ID, Name: string(s.ID), Source: s.Source, Autostart: s.Autostart, State: s.state, URL: s.url, StartedAt: s.started, NextAt: s.next,
		Restarts: s.died, Problem: s.problem, Use: s.Use, Variables: []Variable{},
	}
	if a, there := m.o.Roster.Applied().Agent(s.ID); there {
		v.InTeam = a.URL == ""
	}
	text, c, err := m.config(s.record)
	if err != nil {
		if v.Problem == nil {
			v.Problem = errcode.From(err)
		}
		return v
	}
	v.Name, v.Role, v.Model = cmp.Or(c.Agent.Name, v.Name), c.Agent.Role, c.Agent.Model
	v.Changed = s.config != "" && s.config != text
	v.Variables = m.variables(s.ID, c)
	return v
}

// Add adds the agent of the applied team with this ID or, with a config, the agent of an agent-config.yaml, whose
// name becomes its ID. It doesn't start the agent.
func (m *Machine) Add(id topology.AgentID, config string, autostart bool) (Agent, error) {
	r := record{ID: id, Source: Drawn, Autostart: autostart}
	if config != "" {
		c, err := readConfig(config)
		if err != nil {
			return Agent{}, err
		}
		r.ID, r.Source, r.Config = topology.AgentID(c.Agent.Name), File, config
	}
	m.edits.Lock()
	defer m.edits.Unlock()
	applied, there := m.o.Roster.Applied().Agent(r.ID)
	m.mu.Lock()
	is, n := m.all[r.ID] != nil, len(m.all)
	m.mu.Unlock()
	switch {
	case r.ID == "" || len(r.ID) > maxID:
		return Agent{}, errcode.New(errcode.Validation, "an agent's name has 1 to %d bytes", maxID).
			With(errcode.KeyField, "agent")
	case is:
		return Agent{}, errcode.New(errcode.Conflict, "the agent %s was already added", r.ID).
			With(errcode.KeyReason, "exists")
	case r.Source == Drawn && !there:
		return Agent{}, errcode.New(errcode.NotFound, "the applied team has no agent %s. Apply the team first.", r.ID).
			With(errcode.KeyReason, "not_applied")
	case there && applied.URL != "":
		return Agent{}, errcode.New(errcode.Conflict,
			"the agent %s is a remote agent at %s in the applied team", r.ID, applied.URL).
			With(errcode.KeyReason, "elsewhere")
	case n >= MaxAgents:
		return Agent{}, errcode.New(errcode.Conflict, "%d agents are here already: remove one first", n).
			With(errcode.KeyReason, "too_many")
	}
	k := newKept(r)
	m.mu.Lock()
	m.all[r.ID] = k
	m.mu.Unlock()
	if err := m.write(); err != nil {
		m.mu.Lock()
		delete(m.all, r.ID)
		if k.stop != nil { // it has already been started
			k.stop(errStop)
		}
		m.mu.Unlock()
		return Agent{}, err
	}
	m.tell()
	return m.Agent(r.ID)
}

// Secret returns the secret that the hub shares with a local process, by its name in the roster.
func (m *Machine) Secret(name string) (string, bool) {
	id, is := strings.CutPrefix(name, secretName)
	if !is {
		return "", false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if k := m.all[topology.AgentID(id)]; k != nil {
		return k.secret, true
	}
	return "", true
}

// secretName is the prefix of names in the roster for secrets that aren't environment variables.
const secretName = "agent here: "

// tell publishes a change.
func (m *Machine) tell() { m.changes.Publish(struct{}{}) }
