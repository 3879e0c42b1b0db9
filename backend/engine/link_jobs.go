package engine

import (
	"context"
	"slices"
	"strings"
	"time"

	"agentflow/backend/gateway/client"
	"agentflow/backend/gateway/openclaw"
	"agentflow/backend/team/topology"
)

// Jobs lists the scheduled jobs that the gateway deletes with their agents, without those that it adds itself.
// Gateways that don't guard their roster leave them.
func (l *Link) Jobs(ctx context.Context) ([]openclaw.Job, error) {
	if !l.Capabilities().RosterGuard || !slices.Contains(client.CronActs(l.client.Features()), client.CronList) {
		return nil, nil
	}
	jobs, err := client.CronOf(l.client).Kept(ctx)
	var out []openclaw.Job
	for i := range jobs {
		if j := &jobs[i]; !j.Managed {
			out = append(out, openclaw.Job{Agent: topology.AgentID(j.AgentID), Name: j.Name, Entry: j.Entry})
		}
	}
	return out, err
}

// CreateAgent has the gateway create an agent that it once deleted, with its own settings for new agents. The name is
// set afterwards: the gateway makes the ID from the name that it is given first.
func (l *Link) CreateAgent(ctx context.Context, id topology.AgentID, name, workspace string) error {
	if err := l.client.AgentsCreate(ctx, string(id), workspace); err != nil || name == "" || name == string(id) {
		return err
	}
	for try := 1; ; try++ { // a gateway that hasn't loaded its changed config yet has no such agent
		err := l.client.AgentsRename(ctx, string(id), name)
		if try == deleteTries || err == nil || !strings.Contains(err.Error(), "not found") {
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(time.Duration(try) * l.deleteWait):
		}
	}
}

// ReopenAgent has the gateway use an agent again that it deleted and whose entry is back in the config.
func (l *Link) ReopenAgent(ctx context.Context, id topology.AgentID) error {
	return l.client.AgentsReopen(ctx, string(id))
}

// AddJob adds a job that Jobs listed, once.
func (l *Link) AddJob(ctx context.Context, j openclaw.Job) error {
	_, err := client.CronOf(l.client).AddKept(ctx, j.Entry)
	return err
}
