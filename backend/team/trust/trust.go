// Package trust says what an agent of a team asks of this computer: commands, variables,
// folders, addresses, and tools that act without a question. A team can come from anybody, so
// none of it counts until the owner has allowed exactly that. It is pure.
package trust

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/strictjson"
	"agentflow/backend/team/topology"
)

// Why an agent can't be used, as details.reason and as a cause.
const (
	ReasonWaits   = "waits_for_trust"  // the owner has not allowed what it asks for
	ReasonRefused = "variable_refused" // it names a variable that no team may name
	ReasonMoved   = "trust_moved"      // what is to be allowed is not what was shown

	KeyAgent    = "agent"
	KeyVariable = "variable"
)

// The keys of an agent that are not part of a team, and that its process reads.
const (
	keyServers  = "mcpServers"
	keyPolicy   = "mcpPolicy"
	keySecurity = "security"
	keyOptions  = "options" // model options in rooms; they need no permission
)

// Keys are the keys of an agent that a gateway doesn't know and this program reads.
var Keys = []string{keyServers, keyPolicy, keySecurity, keyOptions}

// Reads reports whether the program reads the key at a path such as agents[0].mcpServers.
func Reads(path string) bool {
	return slices.Contains(Keys, path[strings.LastIndexByte(path, '.')+1:])
}

// Request is everything that one agent asks of this computer, under the names that a team file
// has for it. Its hash covers exactly this, and a process is started with exactly this.
type Request struct {
	Servers     []Server  `json:"mcpServers,omitempty"`
	Policy      *Policy   `json:"mcpPolicy,omitempty"`
	Security    *Security `json:"security,omitempty"`
	URL         string    `json:"url,omitempty"`
	SecretEnv   string    `json:"secretEnv,omitempty"`
	Fingerprint string    `json:"fingerprint,omitempty"`
	Workspace   string    `json:"workspace,omitempty" doc:"Workspace, if it's outside the agent's own folder and used."`
	Tools       []string  `json:"tools,omitempty" doc:"Tools that work in the workspace."`
}

// Server is an MCP server: a command that is started, or an address.
type Server struct {
	Name     string   `json:"name"`
	Command  []string `json:"command,omitempty"`
	Env      []string `json:"env,omitempty" doc:"Names of environment variables that the command gets."`
	URL      string   `json:"url,omitempty"`
	TokenEnv string   `json:"tokenEnv,omitempty" doc:"Name of the environment variable that is sent to the URL."`
}

// Policy says which tools act without a question.
type Policy struct {
	Default string            `json:"default,omitempty"`
	Tools   map[string]string `json:"tools,omitempty"`
}

// auto is the policy of a tool that acts without a question.
const auto = "auto"

// Security bounds what the process of an agent does.
type Security struct {
	AllowedPaths            []string `json:"allowedPaths,omitempty"`
	BlockedCommands         []string `json:"blockedCommands,omitempty"`
	AskConfirmationCommands []string `json:"askConfirmationCommands,omitempty"`
	AllowedAddresses        []string `json:"allowedAddresses,omitempty"`
}

// Rules are what this computer knows that a request depends on.
type Rules struct {
	Home      string // of the person; "": not known
	Plans     bool   // complex tasks are worked in the agents' workspaces
	Variables Variables
}

// Of returns what the agent asks for. An error means that part of it can't be read in exactly
// one way, so it can't be shown, allowed or used.
func Of(a *topology.Agent, rules Rules) (Request, error) {
	r := Request{URL: a.URL, SecretEnv: a.SecretEnv, Fingerprint: a.Fingerprint}
	for _, part := range []struct {
		key  string
		into any
	}{{keyServers, &r.Servers}, {keyPolicy, &r.Policy}, {keySecurity, &r.Security}} {
		raw, has := a.Extra.Get(part.key)
		if !has {
			continue
		}
		if err := strictjson.Decode(raw, part.into); err != nil {
			return Request{}, errcode.New(errcode.Validation,
				"%s of the agent %s can't be read: %s. Correct it in the team.", part.key, a.ID, err).
				With(errcode.KeyField, "extra."+part.key).
				With(KeyAgent, string(a.ID))
		}
	}
	if a.Workspace != "" && !OwnFolder(a, rules.Home) && (rules.Plans || len(allowed(a)) > 0) {
		r.Workspace, r.Tools = a.Workspace, slices.Clone(allowed(a))
	}
	return r, nil
}

// OwnFolder reports whether the agent's workspace is its own folder, as a gateway makes one.
func OwnFolder(a *topology.Agent, home string) bool {
	id := string(a.ID)
	if id == "" || a.ID.IsPath() {
		return false
	}
	given := path.Clean(strings.ReplaceAll(a.Workspace, `\`, "/"))
	folder := ".openclaw/workspace-" + id
	return given == "~/"+folder || home != "" && given == path.Join(strings.ReplaceAll(home, `\`, "/"), folder)
}

// Needs reports whether the owner has to agree. Restrictions alone need no agreement.
func (r Request) Needs() bool {
	return len(r.Servers) > 0 || r.URL != "" || r.SecretEnv != "" || r.Workspace != "" || r.Unasked() ||
		r.Security != nil && len(r.Security.AllowedPaths) > 0
}

// Unasked reports whether a tool acts without a question.
func (r Request) Unasked() bool {
	if r.Policy == nil {
		return false
	}
	if r.Policy.Default == auto {
		return true
	}
	for _, is := range r.Policy.Tools {
		if is == auto {
			return true
		}
	}
	return false
}

// Hash names exactly this request.
func (r Request) Hash() string {
	data, err := json.Marshal(r) // the keys of maps are sorted, the fields have one order
	if err != nil {
		return "" // strings alone: it cannot fail
	}
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// Agent is one agent of a team with what it asks for.
type Agent struct {
	ID      topology.AgentID
	Name    string
	Request Request
	Err     error // it can't be used, even if a person agrees
}

// Team returns the agents that ask for something, in the team's order.
func Team(t *topology.Topology, rules Rules) []Agent {
	var out []Agent
	if t == nil {
		return nil
	}
	secrets := Secrets(t)
	for i := range t.Agents {
		if a, asks := One(&t.Agents[i], rules, secrets); asks {
			out = append(out, a)
		}
	}
	return out
}

// One returns what one agent of a team asks for, if it does. secrets are those of its team.
func One(a *topology.Agent, rules Rules, secrets map[string][]topology.AgentID) (out Agent, asks bool) {
	if Quiet(a) {
		return out, false
	}
	out = Agent{ID: a.ID, Name: a.Name}
	if out.Request, out.Err = Of(a, rules); out.Err != nil {
		return out, true
	}
	if !out.Request.Needs() {
		return out, false
	}
	out.Err = rules.Variables.check(a.ID, out.Request, secrets)
	return out, true
}

// Quiet reports whether an agent can't ask for anything, fast.
func Quiet(a *topology.Agent) bool {
	return a.URL == "" && a.SecretEnv == "" && a.Workspace == "" && len(a.Extra) == 0
}

// Same reports whether two agents ask for the same.
func Same(a, b *topology.Agent) bool {
	return a.ID == b.ID && a.URL == b.URL && a.SecretEnv == b.SecretEnv && a.Fingerprint == b.Fingerprint && a.Workspace == b.Workspace &&
		slices.Equal(allowed(a), allowed(b)) &&
		a.Extra.Equal(b.Extra)
}

func allowed(a *topology.Agent) []string {
	if a.Tools == nil {
		return nil
	}
	return a.Tools.Allow
}
