package engine

import (
	"context"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"agentflow/backend/base/config"
	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/builtin"
	"agentflow/backend/store"
	"agentflow/backend/store/database"
	"agentflow/backend/team/consent"
	"agentflow/backend/team/roster"
	"agentflow/backend/team/topology"
	"agentflow/backend/team/trust"
)

// trustRules are what this computer knows that a team's requests depend on.
func (e *Engine) trustRules() trust.Rules {
	home, _ := os.UserHomeDir()
	work := e.settings.ComplexTasks()
	listed, closed := e.settings.AgentVariables()
	return trust.Rules{
		Home:      home,
		Plans:     work.Worker != "" && work.Folder == "",
		Variables: trust.Variables{Listed: listed, Providers: closed},
	}
}

// openTrust opens the record of what the owner allowed.
func (e *Engine) openTrust() (err error) {
	e.trust, err = consent.Open(consent.Options{
		Path: filepath.Join(e.opts.DataDir, "trust.json"), Rules: e.trustRules,
		Has: func(id topology.AgentID, variable string) bool {
			return os.Getenv(variable) != "" || e.agents.Keeps(id, variable)
		},
	})
	return err
}

// trusts says why an agent of the applied team can't be used yet, or nil. An agent that runs here
// as a local process was checked when it was started.
func (e *Engine) trusts(team *roster.Roster, who *topology.Agent) error {
	if at, here := team.Place(who.ID); here && at.URL == who.URL && at.SecretEnv == who.SecretEnv {
		return nil
	}
	return e.trust.Check(config.LocalGateway, team.Applied(), who)
}

// trustsFolder says why the files in an agent's workspace can't be used yet, or nil. A team names any folder as a
// workspace; one outside of the agent's own counts once the owner has allowed it with the tools that work there (TR-1).
func (e *Engine) trustsFolder(team *roster.Roster, who *topology.Agent) error {
	rules := e.trustRules()
	if who.Workspace == "" || trust.OwnFolder(who, rules.Home) {
		return nil
	}
	asks, err := trust.Of(who, rules)
	if err != nil {
		return err
	}
	if asks.Workspace == "" {
		return errcode.New(errcode.Validation, "the workspace of the agent %s isn't the agent's folder, and none of "+
			"its tools work there: allow a tool for it, or leave the workspace empty", who.ID).
			With(errcode.KeyField, "workspace").With(trust.KeyAgent, string(who.ID))
	}
	return e.trusts(team, who)
}

// followTrust has every machine look again when the owner allowed something or took it back.
// Standing permissions of an agent rest on what it was allowed, and end with it.
func (e *Engine) followTrust(ctx context.Context) {
	ctx = context.WithoutCancel(ctx)
	e.trust.OnChange(func(c consent.Change) {
		for _, id := range c.Lost {
			if c.Team != config.LocalGateway {
				break
			}
			if err := e.inbox.DropAgent(ctx, string(id)); err != nil {
				e.opts.Logger.Error("standing permissions could not be revoked", slog.String("agent", string(id)),
					slog.Any("error", err))
			}
		}
		e.tasks.Trusted()
		e.agents.Trusted()
		e.stage.Look()
	})
}

// restorer restores backups. What the owner allowed on this computer doesn't hold for what a
// backup brings.
type restorer struct {
	store.Maintenance
	trust *consent.Record
	rules func() trust.Rules
}

// Stage implements maintenanceapi.Database.
func (r restorer) Stage(ctx context.Context, from io.Reader) (database.Backup, error) {
	out, err := r.Maintenance.Stage(ctx, from)
	out.Waits.Bindings = r.trust.Count()
	if team, unread := builtin.TeamOf(out.Local); unread == nil { // the gateway says what is wrong once it runs
		out.Waits.Agents = len(trust.Team(team, r.rules()))
	}
	return out, err
}

// Restore implements maintenanceapi.Database.
func (r restorer) Restore(now time.Time) (aside string, err error) {
	if r.Staged() { // before it is decided, so that no crash leaves both
		if err := r.trust.Clear(); err != nil {
			return "", err
		}
	}
	return r.Maintenance.Restore(now)
}
