package engine

import (
	"context"
	"slices"

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

// AddJob adds a job that Jobs listed, once. Its agent is in the config again, but the gateway may still treat it as
// deleted, and then takes no job for it.
func (l *Link) AddJob(ctx context.Context, j openclaw.Job) error {
	if err := l.client.AgentsReopen(ctx, string(j.Agent)); err != nil {
		return err
	}
	_, err := client.CronOf(l.client).AddKept(ctx, j.Entry)
	return err
}
