// Package eligibility decides which agents of the applied team are allowed to take a task, and which are able to
// (requirements CO-3, AG-1). Connections allow; models and tools enable.
package eligibility

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"slices"
	"sync"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/sandbox"
	"agentflow/backend/model/llm"
	"agentflow/backend/model/tool"
	"agentflow/backend/model/tool/mcp"
	"agentflow/backend/team/roster"
	"agentflow/backend/team/topology"
	"agentflow/backend/team/trust"
	"agentflow/backend/work/a2aclient"
	"agentflow/backend/work/gatewayagent"
	"agentflow/backend/work/task"
	"agentflow/backend/work/worker"
)

// Models calls language models and reports which are available.
type Models interface {
	worker.Models
	Check(m llm.Model) error
}

// Checker is the applied team, as the coordinator uses it. Create it with New.
type Checker struct {
	team    *roster.Roster
	models  Models
	getenv  func(string) string
	http    *http.Client
	sandbox sandbox.Settings
	trusts  func(*topology.Agent) error
	added   gatewayagent.Gateways // nil: none

	mu     sync.Mutex
	pinned map[string]*http.Client // clients for remote agents, by fingerprint
}

// New returns the Checker of a roster. getenv returns the secrets of remote agents, client connects to them, and held is
// the sandbox for commands of agents in the hub.
func New(
	team *roster.Roster,
	models Models,
	getenv func(string) string,
	client *http.Client,
	held sandbox.Settings,
) *Checker {
	return &Checker{
		team: team, models: models, getenv: getenv, http: client, sandbox: held, pinned: map[string]*http.Client{},
		trusts: func(*topology.Agent) error { return nil },
	}
}

// Trusting sets the check that decides which agents can be used, and returns the crew.
func (c *Checker) Trusting(trusts func(*topology.Agent) error) *Checker {
	if trusts != nil {
		c.trusts = trusts
	}
	return c
}

// With sets the added gateways, and returns the checker.
func (c *Checker) With(added gatewayagent.Gateways) *Checker {
	c.added = added
	return c
}

// Trusted returns why an agent can't be used until the owner has approved it, or nil. What an agent of a gateway does
// there is the gateway's matter.
func (c *Checker) Trusted(who *topology.Agent) error {
	if gatewayagent.Speaks(who.URL) {
		return nil
	}
	return c.trusts(who)
}

// Coordinators lists the agents that receive the team's tasks.
func (c *Checker) Coordinators() []topology.AgentID {
	return topology.Coordinators(c.team.Team().Topology)
}

// May lists the agents that the team lets the hub assign tasks to, in the team's order.
func (c *Checker) May() []topology.Agent {
	return topology.Assignable(c.team.Team().Topology)
}

// receivers narrows may to the agents that receive a task for the team: the Coordinators that can do this type of work,
// or else those whose model no provider has. A Coordinator that has no tools for it, or that names no model, can only
// pass the task on, so they are the agents that it can delegate to.
func (c *Checker) receivers(may []topology.Agent, typ task.Type) []topology.Agent {
	var leads, mute, rest []topology.Agent
	for i := range may {
		switch {
		case !topology.IsCoordinator(may[i].Role):
			rest = append(rest, may[i])
		case c.Eligible(&may[i], typ):
			leads = append(leads, may[i])
		case may[i].Model != "" && c.equipped(&may[i], typ):
			mute = append(mute, may[i])
		}
	}
	switch {
	case len(leads) > 0:
		return leads
	case len(mute) > 0: // nobody else does their work unasked: the task waits and says which model is missing
		return mute
	case len(rest) > 0:
		return rest
	}
	return may
}

// Commander returns the Coordinator whose Delegate connection allows the agent to get tasks from the hub, or "".
func (c *Checker) Commander(to topology.AgentID) topology.AgentID {
	return c.commander(c.Coordinators(), to)
}

func (c *Checker) commander(coordinators []topology.AgentID, to topology.AgentID) topology.AgentID {
	for _, from := range coordinators {
		if c.team.MayCommand(from, to) {
			return from
		}
	}
	return ""
}

// Wanted returns the agent that must run the task next, or "" for any allowed and idle one.
func (c *Checker) Wanted(t *task.Task) topology.AgentID {
	switch {
	case t.Reviewed():
		return c.Reviewer(t)
	case t.Review != nil:
		return topology.AgentID(t.Review.By)
	}
	w, _ := t.Options() // already validated by Submit
	return topology.AgentID(w.Agent)
}

// Candidates lists the agents that can take a task. For a subtask, that is the requested agent if the giver may delegate
// to it; for a review, the reviewer; for a task for the team, its receivers; otherwise, all of may.
func (c *Checker) Candidates(
	may []topology.Agent, wanted, giver topology.AgentID, review bool, typ task.Type,
) []topology.Agent {
	if giver == "" && !review {
		if a, is := c.atGateway(wanted); is {
			return []topology.Agent{a}
		}
		if wanted == "" {
			return c.receivers(may, typ)
		}
		return may
	}
	a, there := c.team.Agent(wanted)
	if !there && review {
		return c.team.Team().Topology.Agents // the agent that gets it finds out that the reviewer has left the team
	}
	if !there || !review && !c.team.MayCommand(giver, wanted) {
		return nil
	}
	return []topology.Agent{a}
}

// Reviewer returns the next reviewer of the task's result, or "". Reviewers have a Review connection to the agent
// that did the work. An agent that waits for the result is skipped, because it checks the result anyway.
func (c *Checker) Reviewer(t *task.Task) topology.AgentID {
	if !t.Reviewed() {
		return ""
	}
	team := c.team.Team().Topology
	for i := range team.Agents {
		a := &team.Agents[i]
		reviews := slices.ContainsFunc(a.Connections, func(c topology.Connection) bool {
			return string(c.TargetID) == t.Review.By && topology.KindOf(c.Type).Reviews
		})
		waits := t.Trace != nil && slices.Contains(t.Trace.Chain, string(a.ID))
		if reviews && !waits && string(a.ID) != t.Review.By && !slices.Contains(t.Review.Accepted, string(a.ID)) && !slices.Contains(t.Review.Silent, string(a.ID)) {
			return a.ID
		}
	}
	return ""
}

// Peers lists the agents that an agent can delegate subtasks to.
func (c *Checker) Peers(by topology.AgentID) []worker.Peer {
	var out []worker.Peer
	team := c.team.Team().Topology
	for i := range team.Agents {
		to := &team.Agents[i]
		if c.team.MayCommand(by, to.ID) {
			out = append(out, worker.Peer{ID: string(to.ID), Name: to.Name, Role: to.Role})
		}
	}
	return out
}

// Forbidden returns which connection a validated task lacks, or nil.
func (c *Checker) Forbidden(t task.Task) *errcode.Error {
	if w, _ := t.Options(); c.namesGateway(topology.AgentID(w.Agent)) { // already validated
		if t.Caller != (task.Origin{}) {
			return gatewayagent.OwnersOnly(topology.AgentID(w.Agent))
		}
		return c.missing(topology.AgentID(w.Agent))
	}
	team := c.team.Team().Topology
	if len(team.Agents) == 0 {
		return nil // no team is applied yet
	}
	w, _ := t.Options() // already validated
	wanted := topology.AgentID(w.Agent)
	if wanted == "" {
		return nil
	}
	_, there := team.Agent(wanted)
	if there && slices.ContainsFunc(c.May(), func(a topology.Agent) bool { return a.ID == wanted }) {
		return nil
	}
	if !there {
		return task.NotInTeam(w.Agent)
	}
	return task.Unconnected(c.names(), w.Agent)
}

// names lists the IDs of the Coordinators, for an error message.
func (c *Checker) names() []string {
	var out []string
	for _, id := range c.Coordinators() {
		out = append(out, string(id))
	}
	return out
}

// Eligible reports whether an agent can do this type of work. A remote agent decides that itself when it is asked.
func (c *Checker) Eligible(a *topology.Agent, typ task.Type) bool {
	if gatewayagent.Speaks(a.URL) {
		return gatewayagent.Can(typ)
	}
	if a.URL != "" {
		return true
	}
	return c.equipped(a, typ) && c.models.Check(llm.Model(a.Model)) == nil
}

// equipped reports whether an agent in the hub has the tools for this type of work.
func (c *Checker) equipped(a *topology.Agent, typ task.Type) bool {
	info, _ := task.TypeOf(typ)
	return info.ToolKind == "" || c.local(a).Can(string(typ))
}

// Ineligible returns why an agent can't do this type of work.
func (c *Checker) Ineligible(a *topology.Agent, typ task.Type) error {
	if err := c.models.Check(llm.Model(a.Model)); err != nil && !gatewayagent.Speaks(a.URL) {
		return err
	}
	return errcode.New(errcode.Forbidden, "%s has no tool for %s", a.ID, typ).
		With(errcode.KeyCause, task.CauseNoTool).
		With(task.KeyAgent, string(a.ID)).
		With("type", string(typ))
}

// Local returns the worker of an agent in the hub, with the MCP servers that the owner has approved.
func (c *Checker) Local(who *topology.Agent) (*worker.Local, error) {
	w := c.local(who)
	asks, err := trust.Of(who, trust.Rules{}) // what the owner approved is what is started
	if err != nil {
		return nil, err
	}
	for _, s := range asks.Servers {
		w.Servers = append(w.Servers, mcp.Entry(s))
	}
	if p := asks.Policy; p != nil {
		w.Policies.Default = tool.Policy(p.Default)
		for name, is := range p.Tools {
			w.Policies = w.Policies.With(name, tool.Policy(is))
		}
	}
	w.Getenv = c.getenv
	return w, w.Policies.Check()
}

func (c *Checker) local(who *topology.Agent) *worker.Local {
	w := &worker.Local{
		Model: worker.Model{
			Models:      c.models,
			Name:        string(who.ID),
			Model:       llm.Model(who.Model),
			Persona:     who.Persona,
			Temperature: who.Temperature,
		},
		Workspace: who.Workspace,
		Sandbox:   c.sandbox,
	}
	if who.MaxTokens != nil {
		w.MaxTokens = *who.MaxTokens
	}
	if who.Tools != nil {
		w.Allowed = who.Tools.Allow
	}
	return w
}

// BySecret returns the remote agent with this secret. It compares in constant time.
func (c *Checker) BySecret(secret string) (string, bool) {
	given := sha256.Sum256([]byte(secret))
	found := ""
	team := c.team.Team().Topology
	for i := range team.Agents {
		a := &team.Agents[i]
		if a.SecretEnv == "" || a2aclient.Speaks(a.URL) { // the secret of an A2A agent protects that agent, not the hub
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
