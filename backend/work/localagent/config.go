package localagent

import (
	"cmp"
	"crypto/rand"
	"encoding/json"
	"os"
	"slices"
	"strings"

	"agentflow/backend/base/errcode"
	"agentflow/backend/model/tool/files"
	"agentflow/backend/team/topology"
	"agentflow/backend/team/trust"
	"agentflow/backend/work/agentprocess"
)

// ConfigName is what errors call the text of an agent's config.
const ConfigName = "agent-config.yaml"

const (
	ownSecret   = "AGENTFLOW_AGENT_SECRET" //nolint:gosec // the name of a variable, not a secret
	fingerprint = "AGENTFLOW_FINGERPRINT"
)

// theHubs are variables of the hub that its agents must not have, because they give the owner's access.
var theHubs = []string{"AGENTFLOW_TOKEN", "AGENTFLOW_GATEWAY_TOKEN", "AGENTFLOW_DATABASE", "PGPASSWORD", ownSecret,
	fingerprint}

func secretKey(id topology.AgentID, variable string) string {
	return "agent " + string(id) + " " + variable
}

func readConfig(text string) (*agentprocess.Config, error) {
	return agentprocess.ReadConfig([]byte(text), ConfigName)
}

// config returns the config that the agent would be started with now, as text and parsed.
func (m *Machine) config(r record) (string, *agentprocess.Config, error) {
	text := r.Config
	var a *topology.Agent
	if r.Source == Drawn {
		var there bool
		a, there = m.o.Roster.Applied().Agent(r.ID)
		if !there {
			return "", nil, errcode.New(errcode.NotFound,
				"there is no agent %s in the applied team any more: apply a team that has it, or remove it here", r.ID).
				With(errcode.KeyReason, "not_applied")
		}
		var err error
		if text, err = drawnConfig(a); err != nil {
			return "", nil, err
		}
	}
	c, err := readConfig(text)
	if err != nil {
		return text, c, err
	}
	if r.Source == Drawn {
		return text, c, m.o.Trusts(a)
	}
	return text, c, m.given(c)
}

// given returns which variable a config from a person must not name, or nil.
func (m *Machine) given(c *agentprocess.Config) error {
	rules := m.o.Variables()
	for _, name := range names(c) {
		if err := rules.InConfig(name); err != nil {
			return err
		}
	}
	return nil
}

func names(c *agentprocess.Config) []string {
	coordinators, others := named(c)
	return append(coordinators, others...)
}

// builtin are the tools that a process has in its allowed folders, with the kind that a team calls them by.
var builtin = []struct{ name, kind string }{
	{
		"file_read",
		"files",
	},
	{"file_write", "files"},
	{"file_list", "files"},
	{"file_search", "files"},
	{"shell_exec", "shell"},
}

// drawnConfig returns the agent-config.yaml of an agent of the team, as JSON, which is also YAML. The process has the
// same permissions as an agent in the hub: its tools in its workspace, with an approval for each use.
func drawnConfig(a *topology.Agent) (string, error) {
	about := map[string]any{"name": cmp.Or(a.Name, string(a.ID))}
	for key, text := range map[string]string{"role": a.Role, "description": a.Description, "model": a.Model, "persona": a.Persona} {
		if text != "" {
			about[key] = text
		}
	}
	if a.Temperature != nil {
		about["temperature"] = *a.Temperature
	}
	if a.MaxTokens != nil {
		about["maxTokens"] = *a.MaxTokens
	}
	asks, err := trust.Of(a, trust.Rules{}) // what the owner approved is what is started
	if err != nil {
		return "", err
	}
	if len(asks.Servers) > 0 {
		about["mcpServers"] = asks.Servers
	}
	if asks.Policy != nil {
		about["mcpPolicy"] = asks.Policy
	}
	if asks.Security != nil {
		about["security"] = asks.Security
	}
	if _, own := about["security"]; !own && a.Workspace != "" && a.Tools != nil && len(a.Tools.Allow) > 0 {
		about["security"] = map[string]any{"allowedPaths": []string{a.Workspace}}
		if _, own := about["mcpPolicy"]; !own {
			about["mcpPolicy"] = map[string]any{"default": "ask", "tools": denied(a.Tools.Allow)}
		}
	}
	data, err := json.MarshalIndent(map[string]any{"agent": about}, "", "  ")
	if err != nil {
		return "", errcode.Wrap(errcode.Internal, err, "the config of %s cannot be written", a.ID)
	}
	return string(data), nil
}

// makeFolder creates the workspace of an agent of the team if it is the agent's own folder, is missing, and the agent's
// tools work there. In the hub, the first use of a tool creates it. Other folders must exist.
func (m *Machine) makeFolder(r record, c *agentprocess.Config) error {
	a, there := m.o.Roster.Applied().Agent(r.ID)
	home, _ := os.UserHomeDir() // "" is the home of no folder
	if r.Source != Drawn || !there || !trust.OwnFolder(a, home) ||
		!slices.Contains(c.Agent.Security.AllowedPaths, a.Workspace) {
		return nil
	}
	return files.CreateWorkspace(a.Workspace)
}

func denied(allowed []string) map[string]string {
	out := map[string]string{}
	for _, t := range builtin {
		if !slices.Contains(allowed, t.name) && !slices.Contains(allowed, t.kind) {
			out[t.name] = "deny"
		}
	}
	return out
}

// named returns the variables that a config names, those of Coordinators first.
func named(c *agentprocess.Config) (coordinators, others []string) {
	add := func(list *[]string, names ...string) {
		for _, n := range names {
			if n != "" && !slices.Contains(coordinators, n) && !slices.Contains(others, n) {
				*list = append(*list, n)
			}
		}
	}
	for _, from := range c.Callers {
		if topology.IsCoordinator(from.Role) {
			add(&coordinators, from.SecretEnv)
		}
	}
	for _, from := range c.Callers {
		add(&others, from.SecretEnv)
	}
	for _, t := range c.Agent.TargetAgents {
		add(&others, t.SecretEnv)
	}
	for _, s := range c.Agent.MCPServers {
		add(&others, append([]string{s.TokenEnv}, s.Env...)...)
	}
	return coordinators, others
}

// between returns the variables of the secrets that a config's agent shares with other agents.
func between(c *agentprocess.Config) (names []string) {
	for _, from := range c.Callers {
		names = append(names, from.SecretEnv)
	}
	for _, to := range c.Agent.TargetAgents {
		names = append(names, to.SecretEnv)
	}
	return names
}

// names reports whether the agent's config names the variable.
func (m *Machine) names(r record, variable string) bool {
	_, c, err := m.config(r)
	if err != nil {
		return false
	}
	coordinators, others := named(c)
	return slices.Contains(coordinators, variable) || slices.Contains(others, variable)
}

// variables returns where the values of the config's variables come from. It can call the keyring.
func (m *Machine) variables(id topology.AgentID, c *agentprocess.Config) []Variable {
	out := []Variable{}
	coordinators, others := named(c)
	for i, name := range append(coordinators, others...) {
		from := "missing"
		if _, is := m.fromHub(name); is {
			from = "environment"
		} else if m.Keeps(id, name) {
			from = "kept"
		} else if i == 0 && len(coordinators) > 0 {
			from = "hub"
		}
		out = append(out, Variable{name, from})
	}
	return out
}

// Keeps reports whether the keyring has the value of an agent's variable. The keyring is slow, so the answer is cached,
// and m.mu isn't held during the call.
func (m *Machine) Keeps(id topology.AgentID, name string) bool {
	m.mu.Lock()
	k := m.all[id]
	has, known := false, k == nil // the agent has been removed
	if k != nil {
		has, known = k.has[name]
	}
	m.mu.Unlock()
	if known {
		return has
	}
	v, err := m.o.Secrets.Get(secretKey(id, name))
	has = err == nil && v != ""
	m.mu.Lock()
	defer m.mu.Unlock()
	if now, known := k.has[name]; known { // it was set meanwhile
		return now
	}
	k.has[name] = has
	return has
}

// fromHub returns a variable of the hub's environment that an agent can have.
func (m *Machine) fromHub(name string) (string, bool) {
	if slices.Contains(theHubs, name) {
		return "", false
	}
	for _, kv := range m.o.Environ() {
		if n, v, _ := strings.Cut(kv, "="); n == name && v != "" {
			return v, true
		}
	}
	return "", false
}

// environment returns the environment that an agent is started with, and the secret it shares with the hub: its
// current one or a new one. Secrets of other agents are left out.
func (m *Machine) environment(
	id topology.AgentID,
	c *agentprocess.Config,
	has string,
	all []record,
) (env []string, secret string) {
	coordinators, others := named(c)
	hidden := slices.Clone(theHubs)
	for _, a := range m.o.Roster.Applied().Agents {
		if a.SecretEnv != "" && !slices.Contains(coordinators, a.SecretEnv) && !slices.Contains(others, a.SecretEnv) {
			hidden = append(hidden, a.SecretEnv)
		}
	}
	for _, other := range all {
		if _, theirs, err := m.config(other); err == nil {
			hidden = append(hidden, slices.DeleteFunc(between(theirs), func(n string) bool { return slices.Contains(coordinators, n) || slices.Contains(others, n) })...)
		}
	}
	for _, kv := range m.o.Environ() {
		if n, _, _ := strings.Cut(kv, "="); !slices.Contains(hidden, n) {
			env = append(env, kv)
		}
	}
	if secret = has; secret == "" {
		secret = rand.Text() + rand.Text()
	}
	for i, name := range append(coordinators, others...) {
		value, is := m.fromHub(name)
		if !is {
			value, _ = m.o.Secrets.Get(secretKey(id, name)) // the process reports a missing value
		}
		if i == 0 && len(coordinators) > 0 { // the hub is that Coordinator
			if value == "" {
				value = secret
			}
			secret = value
		}
		if value != "" && !is {
			env = append(env, name+"="+value)
		}
	}
	env = append(env, ownSecret+"="+secret)
	if _, pin := m.o.Hub(); pin != "" {
		env = append(env, fingerprint+"="+pin)
	}
	return env, secret
}

// hidden returns a replacer that masks secrets in the agent's log.
func hidden(env []string, c *agentprocess.Config, secret string) *strings.Replacer {
	coordinators, others := named(c)
	pairs := []string{secret, "…"}
	for _, kv := range env {
		if n, v, _ := strings.Cut(kv, "="); len(v) >= 4 && (slices.Contains(coordinators, n) || slices.Contains(others, n)) {
			pairs = append(pairs, v, "…")
		}
	}
	return strings.NewReplacer(pairs...)
}
