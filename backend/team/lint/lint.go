// Package lint finds what is wrong with a team before a gateway does, or before it
// costs money. It is pure: what a gateway knows comes in as Rules.
package lint

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"agentflow/backend/team/gatewayschema"
	"agentflow/backend/team/topology"
	"agentflow/backend/team/trust"
)

// The codes of problems. They never change; the window translates by them.
const (
	UnknownTarget       = "unknown_target"
	DuplicateID         = "duplicate_id"
	BadID               = "bad_id"
	MissingID           = "missing_id"
	MissingModel        = "missing_model"
	UnknownModel        = "unknown_model"
	UnknownProvider     = "unknown_provider"
	UnofferedModel      = "unoffered_model"
	SecretInClear       = "secret_in_clear"
	UnreachableAgent    = "unreachable_agent"
	NoReceiver          = "no_receiver"
	DelegationCycle     = "delegation_cycle"
	SharedWorkspace     = "shared_workspace"
	UnknownKey          = "unknown_key"
	SelfConnection      = "self_connection"
	DuplicateConnection = "duplicate_connection"
	Ownership           = "ownership"
	DroppedAgents       = "dropped_agents"
	EmptyName           = "empty_name"
	UnknownMember       = "unknown_member"
	EmptyGroup          = "empty_group"
	RefusedKey          = "refused_key"
	RefusedValue        = "refused_value"
	RunsCommands        = "runs_commands"
	SendsSecret         = "sends_secret"
	SendsToken          = "sends_token"
	ActsUnasked         = "acts_unasked"
	WritesOutside       = "writes_outside"
	RefusedVariable     = "refused_variable"
	SharedSecret        = "shared_secret"
	UnreadableKey       = "unreadable_key"
	BoundToNobody       = "bound_to_nobody"
	UnknownChannel      = "unknown_channel"
	UnknownAccount      = "unknown_account"
	ShadowedBinding     = "shadowed_binding"
	MessagesOff         = "messages_off"
	MessagesHidden      = "messages_hidden"
	MessagesNotAllowed  = "messages_not_allowed"
	MessagesOpen        = "messages_open"
	HiddenCharacters    = "hidden_characters"
	SilencedHeartbeat   = "silenced_heartbeat"
	DifferingBlock      = "differing_block"
)

// NewestIDs is what OpenClaw accepts as the id of an agent from 2026.8 on. Older ones
// take any text and rewrite it.
var NewestIDs = regexp.MustCompile(`^[a-z0-9_][a-z0-9_-]{0,63}$`)

// Rules say what the gateway that the team is meant for knows and demands. The zero
// value checks what holds everywhere.
type Rules struct {
	IDPattern       *regexp.Regexp        // nil: any text
	DefaultModel    string                // of agents that name none; "": none, each must name one
	DefaultProvider string                // of models named without a provider
	Models          []string              // that the gateway lists, provider/model; nil: not known. It may take others
	Providers       []string              // all that a model can name; nil: not known
	Offered         map[string][]string   // models that providers list, which need not be all they have; by provider
	KnownKeys       []string              // keys of an agent that the gateway knows besides the team's; nil: do not check
	Schema          *gatewayschema.Schema // of an agent, by a gateway that refuses what is not in it; nil: not known
	NeedsOwnership  bool                  // the gateway demands agents.ownership, and it is not set there yet
	RosterGuard     bool                  // the gateway refuses a write that leaves agents out
	BaseAgents      []topology.AgentID
	Config          json.RawMessage // of the gateway, for its channels and messages; nil: not known
	OpenClaw        bool            // see messages and heartbeats for what follows from that
	OptInMessages   bool            // the gateway permits messages only if its config does, as releases before 2026.8
	BaseMessages    topology.Extra  // what the team last read of it; what isn't in the team any more is removed
	Trust           trust.Rules     // what this computer knows that requests of agents depend on
}

// Check returns the problems of a team: of each agent in the order of the team, then of the
// team. It takes linear time. That communication and review stay in the team is
// no problem and is not among them.
func Check(t *topology.Topology, rules Rules) []topology.Problem {
	c := checker{t: t, rules: rules, first: map[topology.AgentID]int{}, problems: []topology.Problem{},
		seen: map[string]int{}}
	if t == nil {
		c.t = &topology.Topology{}
	}
	for i := range c.t.Agents {
		if _, twice := c.first[c.t.Agents[i].ID]; !twice {
			c.first[c.t.Agents[i].ID] = i
		}
	}
	c.models, c.byName = set(rules.Models), firstNamed(c.t.Agents)
	c.keys = set(rules.KnownKeys)
	c.reach()
	workspaces, secrets := map[string]int{}, trust.Secrets(c.t)
	for i := range c.t.Agents {
		a := &c.t.Agents[i]
		c.identity(i, a)
		c.sameName(i, a)
		c.model(a)
		c.connections(a)
		c.unreachable(i, a)
		c.noReceiver(i, a)
		c.workspace(workspaces, i, a)
		c.agentKeys(a)
		c.refused(a)
		c.agentSecrets(a)
		c.agentHidden(a)
		c.asks(a, secrets)
	}
	c.cycles()
	c.team()
	return c.problems
}

type checker struct {
	t        *topology.Topology
	rules    Rules
	first    map[topology.AgentID]int
	byName   map[string]int
	models   map[string]bool
	keys     map[string]bool
	problems []topology.Problem
	seen     map[string]int            // ids of problems
	hasChain bool                      // somebody may command somebody
	called   []bool                    // somebody may command it, or it reviews or talks
	lead     int                       // the agent that noReceiver names; -1: none
	bound    map[topology.AgentID]bool // a binding gives it messages of a channel
}

func set(list []string) map[string]bool {
	if list == nil {
		return nil
	}
	m := make(map[string]bool, len(list))
	for _, s := range list {
		m[s] = true
	}
	return m
}

// add completes a problem and keeps it. Its ID is its code and place; of several at
// one place each has its own.
func (c *checker) add(severity topology.Severity, code, place string, p topology.Problem, params ...string) {
	p.Severity, p.Code, p.ID = severity, code, code+":"+place
	if c.seen[p.ID]++; c.seen[p.ID] > 1 {
		p.ID = fmt.Sprintf("%s#%d", p.ID, c.seen[p.ID])
	}
	p.Params = make(map[string]string, len(params)/2)
	for i := 0; i+1 < len(params); i += 2 {
		p.Params[params[i]] = params[i+1]
	}
	p.Message, p.Remedy = write(texts[code].message, p.Params), write(texts[code].remedy, p.Params)
	c.problems = append(c.problems, p)
}

// at is add for a problem of an agent, whose name every text may use.
func (c *checker) at(a *topology.Agent, severity topology.Severity, code, field string, params ...string) {
	place := string(a.ID)
	if field != "" {
		place += ":" + field
	}
	c.add(severity, code, place, topology.Problem{Subject: topology.SubjectAgent, Agent: a.ID, Field: field},
		append(params, "agent", called(a))...)
}

// nameless stands for an agent without a name and an id.
const nameless = "An agent"

func called(a *topology.Agent) string {
	if name := strings.TrimSpace(a.Name); name != "" {
		return name
	}
	if a.ID == "" {
		return nameless
	}
	return string(a.ID)
}

func (c *checker) identity(i int, a *topology.Agent) {
	switch {
	case a.ID == "":
		c.at(a, topology.SeverityError, MissingID, "id")
	case c.first[a.ID] != i:
		c.at(a, topology.SeverityError, DuplicateID, "id", "id", string(a.ID))
	case a.ID.IsPath(), c.rules.IDPattern != nil && !c.rules.IDPattern.MatchString(string(a.ID)):
		c.at(a, topology.SeverityError, BadID, "id", "id", string(a.ID), "bad", badCharacters(a.ID),
			"suggestion", string(topology.SlugID(string(a.ID))))
	}
	if strings.TrimSpace(a.Name) == "" && a.ID != "" {
		c.at(a, topology.SeverityWarning, EmptyName, "name", "id", string(a.ID))
	}
}

// badCharacters lists what no gateway takes in an id, each once, quoted.
func badCharacters(id topology.AgentID) string {
	var bad []string
	seen := map[rune]bool{}
	for i, r := range string(id) {
		ok := r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '_' || r == '-' && i > 0
		if !ok && !seen[r] && len(bad) < 8 {
			seen[r] = true
			bad = append(bad, fmt.Sprintf("%q", string(r)))
		}
	}
	if len(bad) == 0 && len(id) > 64 {
		return fmt.Sprintf("%d characters", len(id))
	}
	return strings.Join(bad, " ")
}

// inheritsModel reports whether every agent of an OpenClaw gateway inherits a model. The built-in gateway has no
// defaults.
func (c *checker) inheritsModel() bool {
	_, has := c.t.Defaults.Get("model")
	return has && c.keys == nil
}

// model checks the models of agents that run here; an agent with a URL brings its own.
func (c *checker) model(a *topology.Agent) {
	if a.URL != "" {
		return
	}
	if strings.TrimSpace(a.Model) != "" {
		c.named(a, "model", a.Model)
	} else if c.rules.DefaultModel == "" && !c.inheritsModel() {
		c.at(a, topology.SeverityError, MissingModel, "model")
	}
	for _, m := range a.Fallbacks {
		c.named(a, "fallbacks", m)
	}
}

// named checks a model that an agent names. A provider that lists nothing, or wasn't asked,
// may have any model. What isn't found is a warning only: what a gateway or a provider lists
// need not be all it has, and a person may add the provider after the team.
func (c *checker) named(a *topology.Agent, field, model string) {
	provider, name, full := strings.Cut(model, "/")
	if !full {
		provider, name = c.rules.DefaultProvider, model
	}
	listed := c.rules.Offered[provider]
	switch {
	case full && c.rules.Providers != nil && !slices.Contains(c.rules.Providers, provider):
		c.at(a, topology.SeverityWarning, UnknownProvider, field, "model", model, "provider", provider)
	case !c.knowsModel(model):
		c.at(a, topology.SeverityWarning, UnknownModel, field, "model", model)
	case len(listed) > 0 && !slices.Contains(listed, name):
		c.at(a, topology.SeverityWarning, UnofferedModel, field, "model", model, "provider", provider)
	}
}

func (c *checker) knowsModel(m string) bool {
	if c.models == nil || c.models[m] || m == c.rules.DefaultModel {
		return true
	}
	if !strings.Contains(m, "/") { // the gateway has a default provider, which it doesn't name
		return slices.ContainsFunc(c.rules.Models, func(known string) bool { return strings.HasSuffix(known, "/"+m) })
	}
	return c.rules.DefaultProvider != "" && c.models[strings.TrimPrefix(m, c.rules.DefaultProvider+"/")]
}

func (c *checker) connections(a *topology.Agent) {
	type key struct {
		kind   topology.Kind
		target topology.AgentID
	}
	drawn := make(map[key]bool, len(a.Connections))
	for _, conn := range a.Connections {
		k := key{conn.Type, conn.TargetID}
		code, severity := "", topology.SeverityWarning
		_, known := c.first[conn.TargetID]
		switch {
		case drawn[k]:
			code = DuplicateConnection
		case !known:
			code, severity = UnknownTarget, topology.SeverityError
		case conn.TargetID == a.ID:
			code = SelfConnection
		}
		drawn[k] = true
		if code == "" {
			continue
		}
		target := string(conn.TargetID)
		if known {
			target = called(&c.t.Agents[c.first[conn.TargetID]])
		}
		c.add(severity, code, fmt.Sprintf("%s:%s:%s", a.ID, conn.Type, conn.TargetID),
			topology.Problem{Subject: topology.SubjectConnection, Agent: a.ID, Target: conn.TargetID, Kind: conn.Type},
			"agent", called(a), "target", target, "kind", string(conn.Type))
	}
}

// agentKeys reports unknown keys, where the gateway's are known.
func (c *checker) agentKeys(a *topology.Agent) {
	if c.keys == nil {
		return
	}
	for _, f := range a.Extra {
		if !c.keys[f.Key] && !slices.Contains(trust.Keys, f.Key) {
			c.at(a, topology.SeverityWarning, UnknownKey, "extra."+f.Key, "key", f.Key)
		}
	}
	for _, conn := range a.Connections {
		for _, f := range conn.Extra {
			c.add(topology.SeverityWarning, UnknownKey, fmt.Sprintf("%s:%s:%s:%s", a.ID, conn.Type, conn.TargetID, f.Key),
				topology.Problem{Subject: topology.SubjectConnection, Agent: a.ID, Target: conn.TargetID, Kind: conn.Type, Field: "extra." + f.Key},
				"agent", called(a), "key", f.Key)
		}
	}
}

// refused reports what the gateway's own schema does not permit.
func (c *checker) refused(a *topology.Agent) {
	if c.rules.Schema == nil {
		return
	}
	for _, f := range a.Extra {
		c.rules.Schema.Check(f.Key, f.Value, func(r gatewayschema.Refusal) {
			if r.Unknown {
				c.at(a, topology.SeverityWarning, RefusedKey, "extra."+f.Key, "key", r.Path)
				return
			}
			c.at(a, topology.SeverityWarning, RefusedValue, "extra."+f.Key, "key", r.Path, "allowed",
				strings.Join(r.Allowed, ", "))
		})
	}
}

func (c *checker) teamName() string { return cmp.Or(c.t.Name, "The team") }

// groups are only on the canvas, so what is wrong with one stops nothing.
func (c *checker) groups() {
	holds := map[string]bool{}
	for _, g := range c.t.Groups {
		for _, id := range g.Members {
			if _, drawn := c.first[id]; drawn {
				holds[g.ID], holds[g.Parent] = true, true
			} else {
				c.add(topology.SeverityWarning, UnknownMember, "group "+g.ID+":"+string(id),
					topology.Problem{Subject: topology.SubjectGroup, Item: g.ID, Target: id, Field: "members"}, "group", cmp.Or(g.Name, g.ID), "target", string(id))
			}
		}
	}
	for _, g := range c.t.Groups {
		if !holds[g.ID] {
			c.add(topology.SeverityWarning, EmptyGroup, "group "+g.ID,
				topology.Problem{Subject: topology.SubjectGroup, Item: g.ID}, "group", cmp.Or(g.Name, g.ID))
		}
	}
}

func (c *checker) team() {
	team := func(severity topology.Severity, code string, p topology.Problem, params ...string) {
		p.Subject = topology.SubjectTeam
		c.add(severity, code, "team"+p.Field, p, params...)
	}
	if c.keys != nil {
		for _, f := range c.t.Extra {
			team(topology.SeverityWarning, UnknownKey, topology.Problem{Field: "extra." + f.Key}, "agent", c.teamName(),
				"key", f.Key)
		}
	}
	c.teamSecrets()
	c.groups()
	c.routes()
	c.broadcast()
	c.messages()
	c.heartbeats()
	c.sharedBlocks()
	if c.rules.NeedsOwnership && len(c.t.Agents) > 1 {
		team(topology.SeverityWarning, Ownership, topology.Problem{}, "count", fmt.Sprint(len(c.t.Agents)))
	}
	if !c.rules.RosterGuard {
		return
	}
	var gone []topology.AgentID
	var names []string
	for _, id := range c.rules.BaseAgents {
		if _, drawn := c.first[id]; !drawn {
			gone, names = append(gone, id), append(names, string(id))
		}
	}
	if len(gone) > 0 {
		team(topology.SeverityWarning, DroppedAgents, topology.Problem{Path: gone}, "agents", strings.Join(names, ", "),
			"count", fmt.Sprint(len(gone)))
	}
}
