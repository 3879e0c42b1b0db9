package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"agentflow/backend/base/config"
	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/client"
	"agentflow/backend/gateway/openclaw"
	"agentflow/backend/team/topology"
)

const (
	dropMargin   = 4 * time.Second // how much later than announced a restart may drop the link
	readyWithin  = 2 * time.Minute
	dialWait     = 10 * time.Second
	backWithin   = 4 * time.Second // for a link that broke while it was read from
	refusedGrace = 2 * time.Second // a gateway that restarts refuses connections for a moment
)

// Link is a gateway as openclaw.Push needs it. Its methods may be called from anywhere,
// but only one push may run on it at a time.
type Link struct {
	client     *client.Client
	deleteWait time.Duration // before a deletion is asked for again, times the tries

	mu      sync.Mutex
	known   openclaw.Features // as of the last connection; a link that is down tells nothing
	restart *restart          // announced by the last apply, not yet seen
	locked  locked
}

var _ openclaw.Gateway = (*Link)(nil)

// restart is a link that will drop: the connection that began at since, until by.
type restart struct {
	since, by time.Time
}

// NewLink returns the Link of a client; somebody else runs the client.
func NewLink(c *client.Client) *Link { return &Link{client: c, deleteWait: 2 * time.Second} }

// Client returns the client below, for sessions and events.
func (l *Link) Client() *client.Client { return l.client }

// Read implements openclaw.Gateway.
func (l *Link) Read(ctx context.Context) (openclaw.Snapshot, error) {
	cfg, err := l.configGet(ctx)
	if err != nil {
		return openclaw.Snapshot{}, err
	}
	l.askReadOnly(ctx)
	l.learn(cmp.Or(cfg.Home, homeOf(cfg.Path)))
	snap := snapshotOf(cfg)
	return snap, l.showImplicit(ctx, &snap)
}

func snapshotOf(cfg client.Config) openclaw.Snapshot {
	return openclaw.Snapshot{
		Hash: cfg.Hash, Config: cfg.Parsed, Effective: cfg.Effective, Raw: cfg.Raw, RawFormat: cfg.RawFormat,
		Broken: cfg.Broken,
	}
}

// configGet reads once more if the link went away in the middle, as it does when the
// gateway restarts after somebody's apply. Reading twice does no harm.
func (l *Link) configGet(ctx context.Context) (client.Config, error) {
	wasUp := l.client.Status().State == client.StateConnected
	cfg, err := l.client.ConfigGet(ctx)
	if !wasUp || !errcode.HasReason(err, errcode.ReasonLinkDown) {
		return cfg, err
	}
	back, cancel := context.WithTimeout(ctx, backWithin)
	defer cancel()
	if l.client.WaitConnected(back) != nil {
		return cfg, err
	}
	return l.client.ConfigGet(ctx)
}

// showImplicit adds the agent that an older gateway runs although neither its config nor
// its effective config names any: drawn and written, it stays the default one.
func (l *Link) showImplicit(ctx context.Context, snap *openclaw.Snapshot) error {
	if l.client.Status().Dialect != client.DialectFramed || !l.client.Features().Has("agents.list") {
		return nil
	}
	reading, err := snap.Reading()
	if err != nil {
		return err
	}
	if len(reading.Topology.Agents) > 0 {
		return nil
	}
	raw, err := l.client.Call(ctx, "agents.list", struct{}{})
	if err != nil {
		return err
	}
	var known struct {
		DefaultID string `json:"defaultId"`
	}
	if err := json.Unmarshal(raw, &known); err != nil {
		return errcode.Wrap(errcode.Gateway, err, "the gateway's list of agents cannot be read")
	}
	if known.DefaultID == "" {
		return nil
	}
	snap.Effective, err = json.Marshal(
		map[string]any{"agents": map[string]any{"list": []any{map[string]any{"id": known.DefaultID}}}},
	)
	return err
}

// Apply implements openclaw.Gateway.
func (l *Link) Apply(ctx context.Context, raw, baseHash, note string) (openclaw.ApplyOutcome, error) {
	before := l.client.Status()
	res, err := l.client.ConfigApply(ctx, client.ApplyRequest{Raw: raw, BaseHash: baseHash, Note: note})
	l.answered(before.Since, err)
	if e := errcode.From(err); e != nil && e.Details[client.KeyRestarts] == true {
		res.Restart = true
	}
	if res.Restart {
		l.mu.Lock()
		l.restart = &restart{since: before.Since, by: time.Now().Add(res.RestartDelay + dropMargin)}
		l.mu.Unlock()
	}
	if err != nil {
		return openclaw.ApplyOutcome{}, err
	}
	return openclaw.ApplyOutcome{Hash: res.Hash, Restarts: res.Restart}, nil
}

// deleteTries is how often a deletion is asked for that a busy gateway gives up.
const deleteTries = 4

// DeleteAgent implements openclaw.Gateway. The agent's files stay, so that an undo finds them. A gateway that is too
// busy says that it gave the deletion up, and one that hasn't loaded its changed config yet that it has no such agent.
// It is asked again, a while later. If the agent is gone after a deletion that was given up, all is well.
func (l *Link) DeleteAgent(ctx context.Context, id topology.AgentID) error {
	since := l.client.Status().Since
	gaveUp := false
	for try := 1; ; try++ {
		_, err := l.client.AgentsDelete(ctx, string(id), false)
		unknown := err != nil && (errcode.Is(err, errcode.NotFound) || strings.Contains(err.Error(), "not found"))
		if unknown && gaveUp {
			return nil
		}
		l.answered(since, err)
		lost := errcode.HasReason(err, errcode.ReasonLeaseLost)
		if try == deleteTries || !lost && !unknown {
			return err
		}
		gaveUp = gaveUp || lost
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(time.Duration(try) * l.deleteWait):
		}
	}
}

// ReadFile implements openclaw.Gateway.
func (l *Link) ReadFile(ctx context.Context, agent topology.AgentID, name string) (openclaw.File, error) {
	f, err := client.FilesOf(l.client).Read(ctx, string(agent), name)
	return openclaw.File{
		Content: f.Content, Hash: f.Hash, Missing: f.Missing, Unsupported: f.Unsupported, Guarded: f.Guarded,
		Binary: f.Binary,
	}, err
}

// ListFiles lists the workspace files of an agent that a team can have and the gateway serves.
func (l *Link) ListFiles(ctx context.Context, agent topology.AgentID) ([]openclaw.ListedFile, error) {
	files, err := client.FilesOf(l.client).List(ctx, string(agent))
	out := make([]openclaw.ListedFile, 0, len(files))
	for _, f := range files {
		if !f.Unsupported {
			out = append(out, openclaw.ListedFile{
				Name: f.Name, Missing: f.Missing, Size: f.Size, UpdatedAt: f.UpdatedAt,
			})
		}
	}
	return out, err
}

// WriteFile implements openclaw.Gateway.
func (l *Link) WriteFile(ctx context.Context, agent topology.AgentID, name, content, expectedHash string) error {
	_, err := client.FilesOf(l.client).Write(ctx, string(agent), name, content, expectedHash)
	return err
}

// WaitReady implements openclaw.Gateway. After an apply that restarts the gateway the
// link drops a while after the answer: it waits for that first.
func (l *Link) WaitReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, readyWithin)
	defer cancel()
	l.mu.Lock()
	expected := l.restart
	l.restart = nil
	l.mu.Unlock()
	if expected != nil {
		l.awaitDrop(ctx, *expected)
	}
	if err := l.client.WaitConnected(ctx); err != nil {
		return err
	}
	l.learn("")
	return nil
}

// awaitDrop returns once the connection has ended, or when it is not going to.
func (l *Link) awaitDrop(ctx context.Context, r restart) {
	changes := l.client.StatusEvents(64)
	defer changes.Close()
	late := time.NewTimer(time.Until(r.by))
	defer late.Stop()
	for {
		if s := l.client.Status(); s.State != client.StateConnected || !s.Since.Equal(r.since) {
			return
		}
		select {
		case _, open := <-changes.C():
			if !open {
				return
			}
		case <-late.C:
			return
		case <-ctx.Done():
			return
		}
	}
}

// Capabilities implements openclaw.Gateway. While the link is down they are those of
// the last connection.
func (l *Link) Capabilities() openclaw.Capabilities {
	l.learn("")
	l.mu.Lock()
	defer l.mu.Unlock()
	return openclaw.CapabilitiesFor(l.known)
}

// learn keeps what the gateway tells of itself while it is there.
func (l *Link) learn(home string) {
	s := l.client.Status()
	l.mu.Lock()
	defer l.mu.Unlock()
	if home != "" {
		l.known.Home = home
	}
	if s.State != client.StateConnected {
		return
	}
	f, why := s.Features, openclaw.ReadOnly("")
	if l.locked.since.Equal(s.Since) {
		why = l.locked.why
	}
	l.known = openclaw.Features{
		Local: f.FullAgents, Framed: s.Dialect == client.DialectFramed, Protocol: s.Protocol, RosterGuard: f.RosterGuard,
		AgentsDelete: f.AgentsDelete, AgentFiles: f.AgentFiles, HotApply: f.HotApply, ApplyFormat: f.ApplyFormat,
		Home: l.known.Home, ReadOnly: why,
	}
}

// homeOf finds the gateway's home directory by where its config lies: <home>/.openclaw/….
func homeOf(configPath string) string {
	dir := path.Dir(strings.ReplaceAll(configPath, `\`, "/"))
	if path.Base(dir) != ".openclaw" {
		return ""
	}
	return path.Dir(dir)
}

// DialOptions say which gateway DialGateway connects to.
type DialOptions struct {
	URL    string
	Token  func(ctx context.Context) (string, error) // see client.Options
	Dir    string                                    // the data folder; it keeps this installation's identity, the hub's as well
	Logger *slog.Logger
	Wait   time.Duration // how long to wait for the gateway; 10 s by default
	// OnlyToken tries Token alone, without the device token of an earlier login.
	OnlyToken   bool
	Insecure    bool                // see client.Options
	Fingerprint string              // likewise
	Ended       func(client.Status) // told how the link stood when DialGateway gave up; may be nil
}

func (o DialOptions) device() client.DeviceStore {
	kept := client.NewFileDeviceStore(filepath.Join(o.Dir, "device"))
	if o.OnlyToken {
		return client.OnlyIdentity{DeviceStore: kept}
	}
	return kept
}

// DialGateway connects to one gateway and keeps the link until stop is called, which
// must happen, or ctx ends. It gives up early on what waiting does not mend.
func DialGateway(ctx context.Context, opts DialOptions) (*Link, func(), error) {
	client, err := client.New(client.Options{
		URL: opts.URL, Token: opts.Token, Insecure: opts.Insecure, Fingerprint: opts.Fingerprint,
		Device:        opts.device(),
		ClientVersion: config.Version, Logger: opts.Logger,
	})
	if err != nil {
		return nil, nil, err
	}
	running, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = client.Run(running) // it fails only when it is run twice
	}()
	stop := func() {
		cancel()
		<-ended
	}
	if err := awaitFirst(ctx, client, opts.Wait); err != nil {
		if opts.Ended != nil {
			opts.Ended(client.Status())
		}
		stop()
		return nil, nil, err
	}
	return NewLink(client), stop, nil
}

// awaitFirst waits for the first connection. Who refuses connections gets a moment,
// who is no gateway gets none.
func awaitFirst(ctx context.Context, c *client.Client, wait time.Duration) error {
	if wait <= 0 {
		wait = dialWait
	}
	changes := c.StatusEvents(64)
	defer changes.Close()
	late := time.NewTimer(wait)
	defer late.Stop()
	refused := false
	for {
		s := c.Status()
		switch s.State {
		case client.StateConnected:
			return nil
		case client.StateUnauthorized, client.StatePairing, client.StateNoScope, client.StateDown, client.StateClosed:
			return notThere(ctx, s)
		}
		if !refused && s.Error != nil && errors.Is(s.Error, syscall.ECONNREFUSED) {
			refused = true
			late.Reset(min(refusedGrace, wait))
		}
		select {
		case <-changes.C():
		case <-late.C:
			return notThere(ctx, c.Status())
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func notThere(ctx context.Context, s client.Status) error {
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case s.Error != nil:
		return s.Error
	}
	return errcode.New(errcode.Gateway, "the gateway at %s does not answer", s.URL).
		With(errcode.KeyReason, errcode.ReasonLinkDown)
}
