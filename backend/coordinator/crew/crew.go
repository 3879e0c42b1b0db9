// Package crew says who of the applied team may take a task, and who can (requirements CO-3,
// AG-1): the first is drawn, the second is a matter of models and tools.
package crew

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"slices"
	"strings"
	"sync"

	"agentflow/backend/a2a/peer"
	"agentflow/backend/errcode"
	"agentflow/backend/llm"
	"agentflow/backend/roster"
	"agentflow/backend/sandbox"
	"agentflow/backend/task"
	"agentflow/backend/topology"
	"agentflow/backend/trust"
	"agentflow/backend/worker"
)

// Models asks language models and knows which can be asked.
type Models interface {
	worker.Models
	Check(m llm.Model) error
}

// Crew is the applied team as those who work. Make it with New.
type Crew struct {
	team    *roster.Roster
	models  Models
	getenv  func(string) string
	http    *http.Client
	sandbox sandbox.Settings
	trusts  func(*topology.Agent) error

	mu     sync.Mutex
	pinned map[string]*http.Client // to agents elsewhere, by fingerprint
}

// New returns the Crew of a roster. Secrets of agents elsewhere are found by getenv; client is
// how they are reached; held is the sandbox for commands of agents within the hub.
func New(team *roster.Roster, models Models, getenv func(string) string, client *http.Client, held sandbox.Settings) *Crew {
	return &Crew{
		team: team, models: models, getenv: getenv, http: client, sandbox: held, pinned: map[string]*http.Client{},
		trusts: func(*topology.Agent) error { return nil },
	}
}

// Trusting returns the same crew, of which no agent is used that trusts says something against.
func (c *Crew) Trusting(trusts func(*topology.Agent) error) *Crew {
	if trusts != nil {
		c.trusts = trusts
	}
	return c
}

// Trusted says why an agent can't be used until the owner has allowed what it asks for, or nil.
func (c *Crew) Trusted(who *topology.Agent) error { return c.trusts(who) }

// coordinatorRole is the role whose agents stand for the hub: whom they may command, the
// hub gives tasks to.
const coordinatorRole = "coordinator"

// Coordinators lists the team's agents that stand for the hub.
func (c *Crew) Coordinators() []topology.AgentID {
	team := c.team.Team().Topology
	var out []topology.AgentID
	for i := range team.Agents {
		if strings.EqualFold(team.Agents[i].Role, coordinatorRole) {
			out = append(out, team.Agents[i].ID)
		}
	}
	return out
}

// May lists the agents that the team's connections let the hub give tasks to, in the
// order of the team. A team without a Coordinator is commanded by the hub itself; a
// Coordinator who is alone does the work.
func (c *Crew) May() []topology.Agent {
	team, from := c.team.Team().Topology.Agents, c.Coordinators()
	if ownHand(from, team) {
		return team
	}
	var out []topology.Agent
	for i := range team {
		if c.commander(from, team[i].ID) != "" {
			out = append(out, team[i])
		}
	}
	return out
}

// ownHand reports whether the hub commands the team itself.
func ownHand(coordinators []topology.AgentID, team []topology.Agent) bool {
	return len(coordinators) == 0 || len(coordinators) == len(team)
}

// Commander returns the Coordinator along whose connection the hub gives an agent tasks, or "".
func (c *Crew) Commander(to topology.AgentID) topology.AgentID {
	return c.commander(c.Coordinators(), to)
}

func (c *Crew) commander(coordinators []topology.AgentID, to topology.AgentID) topology.AgentID {
	for _, from := range coordinators {
		if c.team.MayCommand(from, to) {
			return from
		}
	}
	return ""
}

// Wanted returns who shall do the task next, "" for whoever may and is free.
func (c *Crew) Wanted(t *task.Task) topology.AgentID {
	switch {
	case t.Reviewed():
		return c.Reviewer(t)
	case t.Review != nil:
		return topology.AgentID(t.Review.By)
	}
	w, _ := t.Wishes() // whoever submitted it had them checked
	return topology.AgentID(w.Agent)
}

// Takers lists who may take a task: those whom the hub may command; of what an agent gave on,
// the one that is wanted, if the giver may command it; of a result, its reviewer.
func (c *Crew) Takers(may []topology.Agent, wanted, giver topology.AgentID, review bool) []topology.Agent {
	if giver == "" && !review {
		return may
	}
	a, there := c.team.Agent(wanted)
	if !there && review {
		return c.team.Team().Topology.Agents // whoever gets it finds that there is no reviewer any more
	}
	if !there || !review && !c.team.MayCommand(giver, wanted) {
		return nil
	}
	return []topology.Agent{a}
}

// Reviewer returns who is to look at the task's result next, or "": those from whom a review
// connection leads to who did it. Who waits for the result itself will look at it anyway.
func (c *Crew) Reviewer(t *task.Task) topology.AgentID {
	if !t.Reviewed() {
		return ""
	}
	team := c.team.Team().Topology
	for i := range team.Agents {
		a := &team.Agents[i]
		reviews := slices.ContainsFunc(a.Connections, func(c topology.Connection) bool {
			return c.Type == topology.Review && string(c.TargetID) == t.Review.By
		})
		waits := t.Trace != nil && slices.Contains(t.Trace.Chain, string(a.ID))
		if reviews && !waits && string(a.ID) != t.Review.By && !slices.Contains(t.Review.Accepted, string(a.ID)) && !slices.Contains(t.Review.Silent, string(a.ID)) {
			return a.ID
		}
	}
	return ""
}

// Mates lists to whom an agent may give parts of its task.
func (c *Crew) Mates(by topology.AgentID) []worker.Mate {
	var out []worker.Mate
	team := c.team.Team().Topology
	for i := range team.Agents {
		to := &team.Agents[i]
		if c.team.MayCommand(by, to.ID) {
			out = append(out, worker.Mate{ID: string(to.ID), Name: to.Name, Role: to.Role})
		}
	}
	return out
}

// Forbidden says which connection is missing for a task that has been validated, or nil.
func (c *Crew) Forbidden(t task.Task) *errcode.Error {
	team := c.team.Team().Topology
	if len(team.Agents) == 0 {
		return nil // nobody is there yet
	}
	from := c.Coordinators()
	own := ownHand(from, team.Agents)
	may := func(id topology.AgentID) bool { return own || c.commander(from, id) != "" }
	w, _ := t.Wishes() // Validate has read them
	wanted := topology.AgentID(w.Agent)
	if wanted == "" {
		if !slices.ContainsFunc(team.Agents, func(a topology.Agent) bool { return may(a.ID) }) {
			return task.Unconnected(c.names(), "")
		}
		return nil
	}
	_, there := team.Agent(wanted)
	if there && may(wanted) {
		return nil
	}
	if !there {
		return errcode.New(errcode.NotFound, "there is no agent %s in the applied team", wanted).With(errcode.KeyCause, task.CauseUnknown).With(task.KeyAgent, w.Agent)
	}
	return task.Unconnected(c.names(), w.Agent)
}

// names lists the team's Coordinators for a message.
func (c *Crew) names() []string {
	var out []string
	for _, id := range c.Coordinators() {
		out = append(out, string(id))
	}
	return out
}

// Able reports whether an agent can do the kind of work at all. An agent elsewhere says so
// itself when it is asked.
func (c *Crew) Able(a *topology.Agent, typ task.Type) bool {
	if a.URL != "" {
		return true
	}
	if (typ == task.CommandExecution || typ == task.FileOperation) && !c.Here(a).Can(string(typ)) {
		return false
	}
	return c.models.Check(llm.Model(a.Model)) == nil
}

// Unable says why an agent cannot do the kind of work.
func (c *Crew) Unable(a *topology.Agent, typ task.Type) error {
	if err := c.models.Check(llm.Model(a.Model)); err != nil {
		return err
	}
	return errcode.New(errcode.Forbidden, "%s has no tool for %s", a.ID, typ).With(errcode.KeyCause, task.CauseNoTool).With(task.KeyAgent, string(a.ID)).With("type", string(typ))
}

// Here is an agent of the hub's own.
func (c *Crew) Here(who *topology.Agent) *worker.Here {
	w := &worker.Here{Model: worker.Model{Models: c.models, Name: string(who.ID), Model: llm.Model(who.Model), Persona: who.Persona, Temperature: who.Temperature}, Workspace: who.Workspace, Sandbox: c.sandbox}
	if who.MaxTokens != nil {
		w.MaxTokens = *who.MaxTokens
	}
	if who.Tools != nil {
		w.Allowed = who.Tools.Allow
	}
	return w
}

// BySecret returns the agent elsewhere whose secret it is. The time it takes does not
// tell how much of a secret was right.
func (c *Crew) BySecret(secret string) (string, bool) {
	given := sha256.Sum256([]byte(secret))
	found := ""
	team := c.team.Team().Topology
	for i := range team.Agents {
		a := &team.Agents[i]
		if a.SecretEnv == "" || peer.Speaks(a.URL) { // what an A2A agent is told opens its own door, not the hub's
			continue
		}
		want := c.getenv(a.SecretEnv)
		is := sha256.Sum256([]byte(want))
		if c.trusts(a) == nil && trust.Secret(a.SecretEnv, want) == nil && subtle.ConstantTimeCompare(given[:], is[:]) == 1 {
			found = string(a.ID)
		}
	}
	return found, found != ""
}
