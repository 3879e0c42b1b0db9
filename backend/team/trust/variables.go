package trust

import (
	"slices"
	"strings"

	"agentflow/backend/base/errcode"
	"agentflow/backend/team/topology"
)

// Prefix begins the variables that every team may name.
const Prefix = "AGENTFLOW_AGENT_"

// ownSecret is the variable with which the hub gives an agent's process its own secret.
const ownSecret = Prefix + "SECRET"

// MinSecret is how many bytes a secret has at least that lets an agent in.
const MinSecret = 24

// Variables says which environment variables agents can be given.
type Variables struct {
	Listed    []string // agents.variables of the settings
	Providers []string // hold the keys of model providers and the tokens of gateways
}

// closed are variables and, ending with *, groups of them that are never an agent's: those of
// the hub, of databases, clouds and keys, and what a program needs to be itself.
var closed = []string{
	"PG*", "AWS_*", "AZURE_*", "ARM_*", "GOOGLE_*", "GCLOUD_*", "CLOUDSDK_*", "GCP_*", "SSH_*", "GPG_*", "KUBE*", "DOCKER_*", "VAULT_*",
	"GITHUB_*", "GH_*", "GITLAB_*", "CI_*", "NPM_*", "DBUS_*", "XDG_*", "LD_*", "DYLD_*", "LC_*", "LANG", "LANGUAGE",
	"HOME", "PATH", "PWD", "OLDPWD", "USER", "LOGNAME", "USERNAME", "SHELL", "TERM", "HOSTNAME", "TMPDIR", "TEMP", "TMP",
}

// providers are the usual names of providers' keys and addresses.
var providers = []string{
	"OPENAI_*", "ANTHROPIC_*", "CLAUDE_*", "CODEX_*", "GEMINI_*", "GOOGLE_API_KEY", "GOOGLE_GEMINI_*", "OLLAMA_*", "OPENROUTER_*", "OPENCODE_*",
	"MISTRAL_*", "GROQ_*", "DEEPSEEK_*", "XAI_*", "COHERE_*", "TOGETHER_*", "HF_*", "HUGGING_FACE_*",
}

func among(list []string, name string) bool {
	return slices.ContainsFunc(list, func(entry string) bool {
		if stem, group := strings.CutSuffix(entry, "*"); group {
			return strings.HasPrefix(name, stem)
		}
		return name == entry
	})
}

// hubs reports whether the variable is the hub's own.
func hubs(name string) bool {
	return strings.HasPrefix(name, "AGENTFLOW_") && !strings.HasPrefix(name, Prefix) || name == "PGPASSWORD"
}

// reserved reports whether the variable is the hub's own, or holds a key of a model provider or
// a token of a gateway.
func (v Variables) reserved(name string) bool {
	upper := strings.ToUpper(name)
	return hubs(upper) || among(providers, upper) ||
		slices.ContainsFunc(v.Providers, func(p string) bool { return strings.EqualFold(p, name) })
}

// InTeam says why a team can't name the variable, or nil. Windows doesn't distinguish case, so
// neither does this.
func (v Variables) InTeam(name string) error {
	upper := strings.ToUpper(name)
	listed := slices.Contains(v.Listed, name)
	switch {
	case v.reserved(name):
		return refused(
			name,
			"a team can't name the variable %s, which belongs to AgentFlow or a model provider. Put the agent's own secret into a variable such as "+Prefix+"WORKER.",
		)
	case among(closed, upper):
		return refused(
			name,
			"a team can't name the variable %s, which belongs to another program. Put the agent's own secret into a variable such as "+Prefix+"WORKER.",
		)
	case !listed && (!strings.HasPrefix(name, Prefix) || len(name) == len(Prefix)):
		return refused(
			name,
			"a team can't name the variable %s. Use a name with the prefix "+Prefix+", or list it under agents.variables in agentflow.yaml.",
		)
	}
	return nil
}

// InConfig says why a file that a person gave to an agent can't name the variable, or nil.
func (v Variables) InConfig(name string) error {
	if v.reserved(name) {
		return refused(
			name,
			"an agent can't be given the variable %s, which belongs to AgentFlow or a model provider. Use another variable.",
		)
	}
	return nil
}

func refused(name, format string) error {
	return errcode.New(errcode.Validation, format, name).With(errcode.KeyReason, ReasonRefused).With(KeyVariable, name).
		With(errcode.KeyCause, ReasonRefused)
}

// Secret says why the value can't be a secret between the hub and an agent, or nil.
func Secret(variable, value string) error {
	if len(value) >= MinSecret {
		return nil
	}
	return errcode.New(errcode.Unauthorized,
		"the secret in %s is shorter than %d bytes. Set a longer one where the hub is started.", variable, MinSecret).
		With(errcode.KeyReason, "short_secret").
		With(KeyVariable, variable)
}

// Names lists the variables that a request names, each once.
func (r Request) Names() []string {
	var out []string
	add := func(names ...string) {
		for _, n := range names {
			if n != "" && !slices.Contains(out, n) {
				out = append(out, n)
			}
		}
	}
	add(r.SecretEnv)
	for _, s := range r.Servers {
		add(s.TokenEnv)
		add(s.Env...)
	}
	return out
}

// Refused lists the variables of a request that no team can name, with why.
func (v Variables) Refused(r Request) []error {
	var out []error
	for _, name := range r.Names() {
		if err := v.InTeam(name); err != nil {
			out = append(out, err)
		} else if name == ownSecret && name != r.SecretEnv {
			out = append(out, refused(name, "an MCP server can't be given the variable %s, by which the hub knows the agent. Use another variable."))
		}
	}
	return out
}

// Secrets lists the variables that hold secrets of a team's agents, and whose.
func Secrets(t *topology.Topology) map[string][]topology.AgentID {
	out := map[string][]topology.AgentID{}
	for i := range t.Agents {
		if a := &t.Agents[i]; a.SecretEnv != "" {
			out[a.SecretEnv] = append(out[a.SecretEnv], a.ID)
		}
	}
	return out
}

// check says why an agent can't be used, whatever the owner agrees to.
func (v Variables) check(id topology.AgentID, r Request, secrets map[string][]topology.AgentID) error {
	if all := v.Refused(r); len(all) > 0 {
		return all[0]
	}
	for _, other := range secrets[r.SecretEnv] {
		if r.SecretEnv != "" && other != id {
			return errcode.New(errcode.Validation, "the agents %s and %s have the same secret, %s. Give each agent its own variable.", id, other, r.SecretEnv).
				With(errcode.KeyReason, "shared_secret").
				With(KeyVariable, r.SecretEnv)
		}
	}
	return nil
}
