package engine

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"agentflow/backend/base/config"
	"agentflow/backend/base/errcode"
	"agentflow/backend/base/event"
	"agentflow/backend/base/safego"
	"agentflow/backend/gateway/builtin"
	"agentflow/backend/gateway/client"
	"agentflow/backend/gateway/openclaw"
	"agentflow/backend/gateway/rollout"
	"agentflow/backend/model/llm"
	"agentflow/backend/server/httpapi"
	"agentflow/backend/team/gatewayschema"
	"agentflow/backend/team/library"
	"agentflow/backend/team/topology"
	"agentflow/backend/team/trust"
	"agentflow/backend/work/gatewayagent"
	"agentflow/backend/work/inbox"
)

// Fleet is the gateways the hub knows: their links, tokens and states. Run owns the
// links; methods may be called from anywhere.
type Fleet struct {
	dir        string
	settings   *config.Settings
	secrets    *config.Secrets
	local      *builtin.Gateway
	models     *llm.Registry
	log        *slog.Logger
	topic      event.Topic[struct{}]
	added      chan *member
	localURL   func() string
	said       func(gateway, key string) // tells that something was said in a session; no key: maybe in any
	driftEvery time.Duration
	rules      func() trust.Rules // nil: nothing is known
	saw        func(ctx context.Context, gateway string, s openclaw.Snapshot, invalid bool) error
	looksAt    func(ctx context.Context, gateway string, agents ...topology.AgentID) error // looks at files
	alarm      func(gateway string) *library.Alarm

	inbox *inbox.Machine // nil: what gateways ask isn't shown
	moved func()         // tells that a gateway was connected, lost or removed, or runs other agents

	mu      sync.Mutex
	members map[string]*member
	kept    map[string]string         // hash of the config that was kept last, by gateway
	files   map[string]library.FileID // the workspace file that was kept last, likewise
}

// member is one gateway and its link.
type member struct {
	conf   config.Gateway
	client *client.Client
	link   *Link
	cancel chan struct{} // closed when the gateway is forgotten
	seen   string        // the config's hash as last read
	now    string        // and as last heard
	drift  bool
	models []httpapi.Model
	schema *gatewayschema.Schema // what it permits in an agent; nil: it does not say
	told   time.Time             // when models and schema were last asked for

	settings settingsOf
	agents   []gatewayagent.Agent // that it runs, as last read
	learned  string               // the hash of the config that agents and models were read for; of the watch alone
	look     chan struct{}        // the config was read, and had moved
	asks     *asks
	cron     *cronWatch
}

var (
	_ httpapi.Fleet    = (*Fleet)(nil)
	_ rollout.Gateways = (*Fleet)(nil)
)

func newFleet(
	dir string,
	settings *config.Settings,
	secrets *config.Secrets,
	local *builtin.Gateway,
	models *llm.Registry,
	log *slog.Logger,
) (*Fleet, error) {
	list, _ := settings.Gateways()
	f := &Fleet{
		dir: dir, settings: settings, secrets: secrets, local: local, models: models, log: log,
		added: make(chan *member, len(list)+64), members: map[string]*member{}, kept: map[string]string{},
		files:    map[string]library.FileID{},
		localURL: func() string { return "" }, said: func(string, string) {}, moved: func() {},
		saw:     func(context.Context, string, openclaw.Snapshot, bool) error { return nil },
		looksAt: func(context.Context, string, ...topology.AgentID) error { return nil },
		alarm:   func(string) *library.Alarm { return nil },
	}
	for _, conf := range list {
		if err := f.join(conf); err != nil {
			return nil, config.GatewayFault(settings, conf.Name, err)
		}
	}
	models.OnConfigured(func() { f.topic.Publish(struct{}{}) })
	return f, nil
}

// join makes the member and hands it to Run.
func (f *Fleet) join(conf config.Gateway) error {
	client, err := client.New(client.Options{
		URL:           conf.URL,
		Token:         f.token(conf),
		Insecure:      conf.Insecure,
		Fingerprint:   conf.Fingerprint,
		Device:        f.deviceStore(),
		Approver:      true,
		ClientVersion: config.Version,
		Logger:        f.log.With(slog.String("gateway", conf.Name)),
	})
	if err != nil {
		return err
	}
	m := &member{conf: conf, client: client, link: NewLink(client), cancel: make(chan struct{}),
		look: make(chan struct{}, 1)}
	m.asks, m.cron = newAsks(f, m), newCronWatch(f, m)
	f.mu.Lock()
	defer f.mu.Unlock()
	select {
	case f.added <- m:
		f.members[conf.Name] = m
		return nil
	default:
		return errcode.New(errcode.Unavailable, "too many gateways were added at once")
	}
}

// deviceStore keeps this installation's identity, and the tokens that gateways gave it.
func (f *Fleet) deviceStore() client.DeviceStore {
	return client.NewFileDeviceStore(filepath.Join(f.dir, "device"))
}

// token returns how the secret of exactly this address is found.
func (f *Fleet) token(conf config.Gateway) func(context.Context) (string, error) {
	return func(context.Context) (string, error) {
		if conf.TokenEnv != "" {
			return os.Getenv(conf.TokenEnv), nil
		}
		key, err := client.NormalizeURL(conf.URL)
		if err != nil {
			return "", err
		}
		return f.secrets.Get(config.GatewayKey(key))
	}
}

// Run keeps the links until ctx ends.
func (f *Fleet) Run(ctx context.Context) error {
	var group errgroup.Group
	defer func() { _ = group.Wait() }()
	group.Go(func() error {
		return safego.Call(ctx, f.log, "the watch of the built-in gateway", func() error {
			f.watchLocal(ctx)
			return nil
		})
	})
	for {
		select {
		case <-ctx.Done():
			return nil
		case m := <-f.added:
			group.Go(func() error {
				f.keep(ctx, m)
				return nil
			})
		}
	}
}

// keep runs one link and tells of its changes, until ctx ends or it is forgotten.
func (f *Fleet) keep(ctx context.Context, m *member) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var group errgroup.Group
	group.Go(func() error {
		return safego.Call(ctx, f.log, "the link to a gateway", func() error { return m.client.Run(ctx) })
	})
	group.Go(func() error {
		return safego.Call(ctx, f.log, "the watch of a gateway", func() error {
			f.watch(ctx, m)
			return nil
		})
	})
	select {
	case <-ctx.Done():
	case <-m.cancel:
	}
	cancel()
	defer m.asks.end()
	if err := group.Wait(); err != nil {
		f.log.ErrorContext(ctx, "gateway link failed", slog.String("gateway", m.conf.Name), slog.Any("error", err))
	}
}

// read notes that the config was read at the hash.
func (f *Fleet) read(m *member, hash string) {
	f.mu.Lock()
	m.seen = hash
	f.mu.Unlock()
	if f.compare(m, hash) {
		select {
		case m.look <- struct{}{}:
		default: // the watch will look anyway
		}
	}
}

func (f *Fleet) learnModels(ctx context.Context, m *member) {
	if !m.client.Features().ModelsList {
		return
	}
	found, err := m.client.Models(ctx)
	if err != nil {
		f.log.WarnContext(ctx, "the gateway's models could not be read",
			slog.String("gateway", m.conf.Name), slog.Any("error", err))
		return
	}
	models := make([]httpapi.Model, 0, len(found))
	for _, x := range found {
		models = append(models, httpapi.Model{ID: x.Ref, Provider: x.Provider, Name: x.Name, Gateway: m.conf.Name})
	}
	f.mu.Lock()
	m.models = models
	f.mu.Unlock()
}

// learnSchema asks on every connection: the gateway may run another release by now.
func (f *Fleet) learnSchema(ctx context.Context, m *member) {
	raw, err := m.client.AgentSchema(ctx)
	if err != nil {
		f.log.DebugContext(ctx, "schema not read", slog.String("gateway", m.conf.Name), slog.Any("error", err))
	}
	f.mu.Lock()
	m.schema, m.told = gatewayschema.Read(raw), time.Now().UTC()
	f.mu.Unlock()
}

func (f *Fleet) member(name string) (*member, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if m, ok := f.members[name]; ok {
		return m, nil
	}
	return nil, errcode.New(errcode.NotFound, "there is no gateway named %q: add it in the settings", name).
		With("gateway", name)
}

// trustRules are what this computer knows that requests of agents depend on.
func (f *Fleet) trustRules() trust.Rules {
	if f.rules == nil {
		return trust.Rules{}
	}
	return f.rules()
}

// Target implements rollout.Gateways.
func (f *Fleet) Target(name string) (rollout.Target, error) {
	if name == config.LocalGateway {
		offered, standard := f.models.Offered()
		return rollout.Target{
			Name: name, Gateway: f.local.Target(), Trust: f.trustRules(), Providers: f.models.Names(), Offered: offered,
			DefaultProvider: standard,
		}, nil
	}
	m, err := f.member(name)
	if err != nil {
		return rollout.Target{}, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	t := rollout.Target{
		Name:    name,
		Gateway: &watched{Link: m.link, fleet: f, member: m},
		Schema:  m.schema,
		Trust:   f.trustRules(),
	}
	for _, x := range m.models {
		t.Models = append(t.Models, x.ID)
	}
	return t, nil
}

// RPC implements httpapi.Fleet.
func (f *Fleet) RPC(name string) (httpapi.RPC, error) {
	if name == config.LocalGateway {
		return localRPC{f.local}, nil
	}
	m, err := f.member(name)
	if err != nil {
		return nil, err
	}
	return remoteRPC{m.client}, nil
}

// Default implements httpapi.Fleet.
func (f *Fleet) Default() string {
	_, name := f.settings.Gateways()
	return name
}

// Subscribe tells that a gateway's state has changed.
func (f *Fleet) Subscribe(buffer int) *event.Subscription[struct{}] { return f.topic.Subscribe(buffer) }

// Gateways returns the local one first, then the others as configured.
func (f *Fleet) Gateways() []httpapi.Gateway {
	list, def := f.settings.Gateways()
	out := []httpapi.Gateway{{
		Name: config.LocalGateway, URL: f.localURL(), Color: 2, Builtin: true, Default: def == config.LocalGateway,
		SessionActs: []client.SessionAct{client.ActStop},
		State:       string(client.StateConnected), Dialect: "local", ServerVersion: config.Version,
		RulesAt: f.models.Since().UTC(),
	}}
	if snap, err := f.local.ConfigGet(context.Background()); err == nil {
		out[0].ConfigHash = snap.Hash
	}
	f.mu.Lock()
	out[0].KeptHash, out[0].KeptFile = f.kept[config.LocalGateway], f.files[config.LocalGateway]
	f.mu.Unlock()
	out[0].Alarm = alarmView(f.alarm(config.LocalGateway))
	for _, conf := range list {
		if m, err := f.member(conf.Name); err == nil {
			out = append(out, f.view(m, def))
		}
	}
	return out
}

func (f *Fleet) view(m *member, def string) httpapi.Gateway {
	g := statusView(m.client.Status())
	g.Name, g.URL, g.Color, g.TokenEnv, g.Default = m.conf.Name, m.conf.URL, m.conf.Color, m.conf.TokenEnv, m.conf.Name == def
	g.AllowsInsecure, g.Fingerprint = m.conf.Insecure, m.conf.Fingerprint
	if token, err := f.token(m.conf)(context.Background()); err == nil && token != "" {
		g.HasToken = true
	}
	f.mu.Lock()
	g.Drift, g.ConfigHash, g.RulesAt = m.drift, m.now, m.told
	g.KeptHash, g.KeptFile = f.kept[m.conf.Name], f.files[m.conf.Name]
	f.mu.Unlock()
	g.Alarm = alarmView(f.alarm(m.conf.Name))
	g.AsksDenied, g.ReadOnly, g.Cron = m.asks.denied.Load(), m.link.ReadOnly(), m.cron.view()
	return g
}

// Models implements httpapi.Fleet.
func (f *Fleet) Models(ctx context.Context) []httpapi.Model {
	var out []httpapi.Model
	for _, offer := range f.models.Offers(ctx) {
		for _, m := range offer.Models {
			out = append(out, httpapi.Model{ID: string(m), Provider: offer.Provider, Gateway: config.LocalGateway})
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	names := make([]string, 0, len(f.members))
	for name := range f.members {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		out = append(out, f.members[name].models...)
	}
	return out
}
