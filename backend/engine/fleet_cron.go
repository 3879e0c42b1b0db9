package engine

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"agentflow/backend/gateway/client"
	"agentflow/backend/server/httpapi"
	"agentflow/backend/server/httpapi/cronapi"
)

// remoteRPC are the methods of a gateway that the hub is linked to.
type remoteRPC struct{ *client.Client }

// Cron implements httpapi.RPC.
func (r remoteRPC) Cron() (cronapi.Jobs, error) { return client.CronOf(r.Client), nil }

// cronWatch knows which agents of a gateway have enabled cron jobs, and tells the pages when a job changed. The jobs
// themselves stay at the gateway.
type cronWatch struct {
	fleet *Fleet
	m     *member
	again chan struct{} // the jobs must be read again

	mu     sync.Mutex
	agents []string
	off    bool // the scheduler
	at     time.Time
}

func newCronWatch(f *Fleet, m *member) *cronWatch {
	return &cronWatch{fleet: f, m: m, again: make(chan struct{}, 1), agents: []string{}}
}

func (w *cronWatch) readAgain() {
	select {
	case w.again <- struct{}{}:
	default: // they are to be read already
	}
}

// read reads the jobs, and has the pages read them, too.
func (w *cronWatch) read(ctx context.Context) {
	if !slices.Contains(client.CronActs(w.m.client.Features()), client.CronList) {
		return
	}
	jobs, err := client.CronOf(w.m.client).List(ctx)
	if err != nil && ctx.Err() == nil {
		w.fleet.log.WarnContext(ctx, "the gateway's cron jobs couldn't be read",
			slog.String("gateway", w.m.conf.Name), slog.Any("error", err))
	}
	agents := []string{}
	for i := range jobs {
		if j := &jobs[i]; j.Enabled && !j.Managed && j.AgentID != "" && !slices.Contains(agents, j.AgentID) {
			agents = append(agents, j.AgentID)
		}
	}
	slices.Sort(agents)
	off, err := client.CronOf(w.m.client).Off(ctx)
	if err != nil && ctx.Err() == nil {
		w.fleet.log.WarnContext(ctx, "it couldn't be read whether the gateway's scheduler is on",
			slog.String("gateway", w.m.conf.Name), slog.Any("error", err))
	}
	w.set(agents, off, time.Now().UTC())
	w.fleet.topic.Publish(struct{}{})
}

// lost forgets what was known: without the link a job can change unheard.
func (w *cronWatch) lost() { w.set([]string{}, false, time.Time{}) }

func (w *cronWatch) set(agents []string, off bool, at time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.agents, w.off, w.at = agents, off, at
}

// view is what the API shows; nil: the gateway offers no cron jobs.
func (w *cronWatch) view() *httpapi.GatewayCron {
	acts := client.CronActs(w.m.client.Features())
	if len(acts) == 0 {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return &httpapi.GatewayCron{Acts: acts, Agents: w.agents, Off: w.off, ReadAt: w.at}
}
