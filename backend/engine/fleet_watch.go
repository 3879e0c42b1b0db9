package engine

import (
	"context"
	"encoding/json"
	"log/slog"
	"time"

	"agentflow/backend/base/config"
	"agentflow/backend/gateway/builtin"
	"agentflow/backend/gateway/client"
	"agentflow/backend/gateway/rollout"
	"agentflow/backend/team/library"
	"agentflow/backend/team/topology"
)

func (f *Fleet) watch(ctx context.Context, m *member) {
	for ctx.Err() == nil {
		f.watchOnce(ctx, m)
	}
}

// watchOnce follows a link until ctx ends or a subscription lagged.
func (f *Fleet) watchOnce(ctx context.Context, m *member) {
	states := m.client.StatusEvents(64)
	defer states.Close()
	facts := m.client.Events(256)
	defer facts.Close()
	look := time.NewTicker(f.driftEvery)
	defer look.Stop()
	var active map[string]time.Time
	m.learned = "" // what a lagged subscription missed is read again
	if m.client.Status().State == client.StateConnected {
		m.asks.read(ctx)
		m.cron.readAgain()
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-look.C:
			if m.client.Status().State == client.StateConnected {
				m.asks.read(ctx) // a slow reader misses events
				f.lookForDrift(ctx, m, false)
				active = f.lookForSaid(ctx, m, active)
				f.lookAtFiles(ctx, m.conf.Name)
			}
		case <-m.look:
			f.lookForDrift(ctx, m, false)
		case <-m.asks.again:
			m.asks.read(ctx)
		case <-m.cron.again:
			m.cron.read(ctx)
		case s, ok := <-states.C():
			if !ok {
				return
			}
			if s.State != client.StateConnected {
				m.asks.lost()
				m.cron.lost()
			} else {
				m.asks.read(ctx)
				m.cron.readAgain()
				f.lookForDrift(ctx, m, true)
				m.link.askReadOnly(ctx)
				f.learnSchema(ctx, m)
				active = f.lookForSaid(ctx, m, nil)
				f.said(m.conf.Name, "")
			}
			f.moved()
			f.topic.Publish(struct{}{})
		case e, ok := <-facts.C():
			if !ok {
				f.said(m.conf.Name, "")
				return
			}
			f.hear(m.conf.Name, e)
			m.asks.hear(ctx, e)
			if client.CronChanged(e) {
				m.cron.readAgain()
			}
			if hash, ok := changedHash(e); ok {
				m.cron.readAgain() // it can switch the scheduler on or off
				f.lookForDrift(ctx, m, f.compare(m, hash))
			}
		}
	}
}

// changedHash returns the new hash of an event that tells of a changed config.
func changedHash(e client.Event) (string, bool) {
	if e.Name != "config.changed" {
		return "", false
	}
	var changed struct {
		Hash string `json:"hash"`
	}
	return changed.Hash, json.Unmarshal(e.Payload, &changed) == nil && changed.Hash != ""
}

// driftEvery is how often a gateway is checked for changes that it may not report: edits of
// its config file and of workspace files and, if it has no chat events, new messages.
const driftEvery = time.Minute

// lookForDrift reads the gateway's config, and keeps it unless it is the one kept last. The next look makes up for
// one that fails. The agents and the models are read if the config isn't the one that they were read for.
func (f *Fleet) lookForDrift(ctx context.Context, m *member, moved bool) {
	cfg, err := f.readConfig(ctx, m)
	if err == nil {
		f.compare(m, cfg.Hash)
		f.keepConfig(ctx, m, cfg) // first: a gateway whose config was replaced can restart at any moment
		moved = moved || m.learned != cfg.Hash
	}
	if moved && f.relearn(ctx, m) {
		m.learned = cfg.Hash
	}
}

// readConfig reads the gateway's config. It reads again if a config was kept meanwhile: an apply can have ended in
// between, and the answer can be from before it.
func (f *Fleet) readConfig(ctx context.Context, m *member) (client.Config, error) {
	for {
		kept := f.keptHash(m.conf.Name)
		cfg, err := m.client.ConfigGet(ctx)
		if err != nil || f.keptHash(m.conf.Name) == kept {
			return cfg, err
		}
	}
}

// keptHash returns the hash of the config that was kept last, or "" if none was since the hub started.
func (f *Fleet) keptHash(gateway string) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.kept[gateway]
}

// keepConfig keeps a config and compares it with the one before (OC-4), unless it was kept last. That it was seen
// isn't enough: a review reads the config too, and nothing is kept while an apply runs.
func (f *Fleet) keepConfig(ctx context.Context, m *member, cfg client.Config) {
	if cfg.Hash == f.keptHash(m.conf.Name) {
		return
	}
	if err := f.saw(ctx, m.conf.Name, snapshotOf(cfg), !cfg.Valid); err != nil && ctx.Err() == nil {
		f.log.WarnContext(ctx, "a changed config of the gateway was not kept",
			slog.String("gateway", m.conf.Name), slog.Any("error", err))
	}
}

// lookAtFiles keeps workspace files that changed, see rollout.LookAtFiles.
func (f *Fleet) lookAtFiles(ctx context.Context, gateway string) {
	var agents []topology.AgentID
	for _, a := range f.Agents() {
		if a.Gateway == gateway {
			agents = append(agents, topology.AgentID(a.ID))
		}
	}
	if err := f.looksAt(ctx, gateway, agents...); err != nil && ctx.Err() == nil {
		f.log.WarnContext(ctx, "changed workspace files of the gateway were not kept",
			slog.String("gateway", gateway), slog.Any("error", err))
	}
}

// relearn asks for the agents and the models of a gateway whose config has changed. It reports whether it knows them.
func (f *Fleet) relearn(ctx context.Context, m *member) bool {
	known := f.learnAgents(ctx, m)
	f.learnModels(ctx, m)
	f.moved()
	f.topic.Publish(struct{}{})
	return known
}

// lookForSaid tells in which sessions something was said since they were active as known, at
// a gateway that has no events for it, and returns when each was active last.
func (f *Fleet) lookForSaid(ctx context.Context, m *member, known map[string]time.Time) map[string]time.Time {
	if m.client.Features().Events {
		return nil
	}
	list, err := m.client.SessionsList(ctx, client.SessionsQuery{})
	if err != nil {
		return known
	}
	active := make(map[string]time.Time, len(list))
	for _, s := range list {
		active[s.SessionKey] = s.ActiveAt
		if known != nil && !s.ActiveAt.Equal(known[s.SessionKey]) {
			f.said(m.conf.Name, s.SessionKey)
		}
	}
	return active
}

// compare notes the hash of the gateway's config, and whether it is still the one that
// was read. It reports whether the hash is another one than before.
func (f *Fleet) compare(m *member, hash string) (moved bool) {
	f.mu.Lock()
	drift := m.seen != "" && m.seen != hash
	moved = m.now != hash
	changed := m.drift != drift || moved
	m.drift, m.now = drift, hash
	f.mu.Unlock()
	if changed {
		f.topic.Publish(struct{}{})
	}
	return moved
}

// watchLocal tells when the config of the hub's own gateway changes.
func (f *Fleet) watchLocal(ctx context.Context) {
	for ctx.Err() == nil {
		f.watchLocalOnce(ctx)
	}
}

func (f *Fleet) watchLocalOnce(ctx context.Context) {
	facts := f.local.Events(64)
	defer facts.Close()
	look := time.NewTicker(f.driftEvery)
	defer look.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-look.C:
			f.lookAtFiles(ctx, config.LocalGateway)
		case e, ok := <-facts.C():
			if !ok {
				f.said(config.LocalGateway, "")
				f.keepLocal(ctx) // what was missed can be a change of it
				return
			}
			f.hear(config.LocalGateway, asEvent(e))
			if e.Name == builtin.EventConfigChanged {
				f.topic.Publish(struct{}{})
				f.keepLocal(ctx)
			}
		}
	}
}

// keepLocal keeps the config of the built-in gateway, as keepConfig.
func (f *Fleet) keepLocal(ctx context.Context) {
	snap, err := f.local.ConfigGet(ctx)
	if err == nil {
		err = f.saw(ctx, config.LocalGateway, snap, false)
	}
	if err != nil && ctx.Err() == nil {
		f.log.WarnContext(ctx, "a changed config of the built-in gateway was not kept", slog.Any("error", err))
	}
}

// guardBy hands changed configs to the machine that keeps them, and shows its alarms.
func (f *Fleet) guardBy(m *rollout.Machine) {
	m.OnAlarm = func(string) { f.topic.Publish(struct{}{}) }
	m.OnKept = func(gateway, hash string) {
		f.mu.Lock()
		f.kept[gateway] = hash
		f.mu.Unlock()
		f.topic.Publish(struct{}{})
	}
	m.OnFile = func(gateway string, newest library.FileID) {
		f.mu.Lock()
		f.files[gateway] = newest
		f.mu.Unlock()
		f.topic.Publish(struct{}{})
	}
	f.saw = m.Saw
	f.looksAt = func(ctx context.Context, gateway string, agents ...topology.AgentID) error {
		return rollout.LookAtFiles(ctx, m, gateway, agents...)
	}
	f.alarm = func(gateway string) *library.Alarm {
		alarm, err := m.Alarm(context.Background(), gateway)
		if err != nil {
			return nil // the database is closing, or it is broken, which its own checks report
		}
		return alarm
	}
}

// hear tells in which session something was said, once the answer is whole.
func (f *Fleet) hear(name string, e client.Event) {
	if e.Resync {
		f.said(name, "")
	} else if chat, is := client.ParseChatEvent(e); is && chat.Done() {
		f.said(name, chat.SessionKey)
	}
}
