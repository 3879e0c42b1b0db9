package engine

import (
	"os"
	"path/filepath"

	"agentflow/backend/base/config"
	"agentflow/backend/base/errcode"
	"agentflow/backend/base/netlisten"
	"agentflow/backend/base/proc"
	"agentflow/backend/team/roster"
	"agentflow/backend/team/topology"
	"agentflow/backend/team/trust"
	"agentflow/backend/work/localagent"
)

// localAgents makes the machine that owns agent processes: each is this program again.
func (e *Engine) localAgents(team *roster.Roster, secrets *config.Secrets) (*localagent.Machine, error) {
	program := e.opts.Program
	if program == "" {
		var err error
		if program, err = os.Executable(); err != nil {
			return nil, errcode.Wrap(errcode.Internal, err, "this program cannot be found, so it cannot run agents")
		}
	}
	dir := e.opts.DataDir
	return localagent.New(localagent.Options{
		Path: filepath.Join(
			dir,
			"agents.json",
		),
		Configs: filepath.Join(dir, "agents"),
		Roster:  team,
		Secrets: secrets,
		Environ: os.Environ,
		Command: func(file, hub string) (string, []string) {
			args := []string{"agent", "start", "--json", "--port", "0", "--config", file, "--coordinator", hub, "--data", dir}
			if netlisten.Readable(hub) { // the hub listens without TLS, so its owner accepted that
				args = append(args, "--insecure-http")
			}
			return program, args
		},
		Trusts:    func(who *topology.Agent) error { return e.trust.Check(config.LocalGateway, team.Applied(), who) },
		Applied:   func(t *topology.Topology) { e.trust.Applied(config.LocalGateway, t) },
		Variables: func() trust.Variables { return e.trustRules().Variables },

		Hub:     func() (string, string) { return netlisten.LocalAddress(e.URL()), e.listener.Fingerprint() },
		Records: proc.Records(dir), Logger: e.opts.Logger,
	})
}

// secret is what an agent in a process is known by: of one that runs here, or of the environment.
func (e *Engine) secret(name string) string {
	if s, here := e.agents.Secret(name); here {
		return s
	}
	if e.trustRules().Variables.InTeam(name) != nil {
		return "" // whatever a team says
	}
	return os.Getenv(name)
}
