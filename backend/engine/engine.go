// Package engine builds the machines and runs them together: the hub.
package engine

import (
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/user"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"agentflow/backend/base/audit"
	"agentflow/backend/base/config"
	"agentflow/backend/base/netlisten"
	"agentflow/backend/base/proc"
	"agentflow/backend/base/startupfiles"
	"agentflow/backend/gateway/builtin"
	"agentflow/backend/gateway/rollout"
	"agentflow/backend/model/llm"
	"agentflow/backend/model/tool"
	"agentflow/backend/model/usage"
	"agentflow/backend/plan/planexec"
	"agentflow/backend/plan/planner"
	"agentflow/backend/server/auth"
	"agentflow/backend/server/httpapi"
	upkeepapi "agentflow/backend/server/httpapi/maintenanceapi"
	"agentflow/backend/server/httpapi/providersapi"
	"agentflow/backend/store"
	"agentflow/backend/talk/chatagent"
	"agentflow/backend/talk/readstate"
	"agentflow/backend/talk/room"
	"agentflow/backend/talk/turns"
	"agentflow/backend/team/consent"
	"agentflow/backend/team/example"
	"agentflow/backend/team/library"
	"agentflow/backend/team/roster"
	"agentflow/backend/team/topology"
	"agentflow/backend/work/coordinator"
	"agentflow/backend/work/inbox"
	"agentflow/backend/work/localagent"
	"agentflow/backend/work/task"
	"agentflow/backend/work/webpush"
	"agentflow/frontend"
)

// DefaultListen is where a hub listens if it is not told.
const DefaultListen = "127.0.0.1:18800"

// Options configure a hub.
type Options struct {
	DataDir       string // from config.DataDir
	Listen        string // DefaultListen if empty; port 0 picks a free one
	Database      string // address of a PostgreSQL database; empty: a SQLite file in DataDir
	TLSCert       string // files; both or none
	TLSKey        string
	Allow         []netip.Prefix                // addresses that may connect; empty: all
	TLSSelfSigned bool                          // a certificate that is made and kept in DataDir
	InsecureHTTP  bool                          // listen beyond loopback without TLS
	Window        bool                          // a desktop window shows the page
	Language      string                        // of the example team: en or ja
	DriftEvery    time.Duration                 // between two questions for a gateway's config hash; a minute if zero
	Agents        map[string][]chatagent.Config // that the hub runs in its rooms, by room
	PushTransport http.RoundTripper             // to push services; nil: to addresses on the internet alone
	Program       string                        // this program, to run agents with; the running one if empty
	Logger        *slog.Logger                  // nil discards
}

// Engine is one hub. New opens its database and its port; Run serves; after Run it is closed.
type Engine struct {
	opts     Options
	token    atomic.Pointer[string]
	store    *store.Store
	library  *library.Library
	settings *config.Settings
	fleet    *Fleet
	local    *builtin.Gateway
	rollout  *rollout.Machine
	rooms    *room.Hub
	turns    *turns.Machine
	stage    *chatagent.RoomAgents
	tasks    *coordinator.Machine
	inbox    *inbox.Machine
	push     *webpush.Machine
	agents   *localagent.Machine
	trust    *consent.Record
	planner  *planner.Machine
	foreman  *planexec.Machine
	server   atomic.Pointer[httpapi.Server]
	given    startupfiles.Pending
	asked    usage.Ledger // of models, since the start
	listener *netlisten.Exposed
	audit    *audit.Log

	ready chan struct{}
	once  sync.Once
}

// New opens the database, the settings and the port. A failure leaves nothing open and
// says what to do. The caller must call Run, or Close.
func New(ctx context.Context, opts Options) (*Engine, error) {
	if opts.Logger == nil {
		opts.Logger = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	if opts.Listen == "" {
		opts.Listen = DefaultListen
	}
	err := opts.Check() // before anything is written
	if err != nil {
		return nil, err
	}
	e := &Engine{opts: opts, ready: make(chan struct{})}
	if err = config.ProtectDataDir(opts.DataDir); err != nil { // each of its files is closed separately, too
		opts.Logger.Warn("the data folder can be read by other users", slog.String("folder", opts.DataDir), slog.Any("error", err))
	}
	token, err := config.OwnerToken(opts.DataDir, true)
	if err != nil {
		return nil, err
	}
	e.token.Store(&token)
	if e.settings, err = config.Load(opts.DataDir); err != nil {
		return nil, err
	}
	if host, _, err := net.SplitHostPort(opts.Listen); err == nil && !netlisten.Local(host) {
		if err := auth.CheckToken(token); err != nil {
			return nil, err
		}
	}
	if e.listener, err = netlisten.Open(opts.listening()); err != nil {
		return nil, err
	}
	if e.store, err = store.Database(ctx, opts.DataDir, opts.Database, opts.Logger); err != nil {
		_ = e.listener.Close()
		return nil, err
	}
	if err := config.KeepHubURL(opts.DataDir, netlisten.LocalAddress(e.URL()), e.listener.Fingerprint()); err != nil {
		opts.Logger.Warn("the hub's URL couldn't be saved, so commands need --url", slog.Any("error", err))
	}
	e.audit = audit.Open(opts.DataDir, func(err error) { opts.Logger.Error("the audit log cannot be written", slog.Any("error", err)) })
	return e, nil
}

// Close gives up a hub that was not run.
func (e *Engine) Close() error {
	_ = e.listener.Close()
	return e.store.Close()
}

// build makes the machines. The store's writer must be running.
func (e *Engine) build(ctx context.Context, restart func()) error {
	if n, err := proc.Sweep(ctx, proc.Records(e.opts.DataDir)); err != nil || n > 0 {
		e.opts.Logger.Warn("processes of a hub that was killed were ended", slog.Int("processes", n), slog.Any("error", err))
	}
	secrets := config.NewSecrets(e.opts.DataDir)
	providers := NewProviders(e.settings, secrets, e.asked.Add)
	models := providers.Registry()
	var err error
	home, _ := os.UserHomeDir()
	team := new(roster.Roster)
	if err = e.openTrust(); err != nil {
		return err
	}
	e.local, err = builtin.New(ctx, builtin.Options{
		Store: e.store, Models: models, Roster: team, Home: home, Apart: e.settings.Sandbox().Apart,
		Trusts: func(who *topology.Agent) error { return e.trustsFolder(team, who) }, Logger: e.opts.Logger,
	})
	if err != nil {
		return err
	}
	e.library = library.New(e.store, author())
	e.fleet, err = newFleet(e.opts.DataDir, e.settings, secrets, e.local, models, e.opts.Logger)
	if err != nil {
		return err
	}
	e.fleet.driftEvery = cmp.Or(e.opts.DriftEvery, driftEvery)
	e.fleet.localURL = func() string { return "ws" + strings.TrimPrefix(e.URL(), "http") + "/gateway" }
	places, err := readstate.Open(filepath.Join(e.opts.DataDir, "desk.json"))
	if err = errors.Join(err, e.openRollout()); err != nil {
		return err
	}
	e.fleet.said, e.fleet.rules, e.fleet.moved = places.Said, e.trustRules, func() { e.tasks.LookAgain() }
	if e.agents, err = e.localAgents(team, secrets); err != nil {
		return err
	}
	providers.changed = func() { e.tasks.LookAgain() }
	e.tasks = coordinator.New(coordinator.Options{
		Store: store.Tasks(e.store), Roster: team, Models: models, Getenv: e.secret, Logger: e.opts.Logger, Sandbox: e.settings.Sandbox(),
		Asker: func(agent, task string) tool.Asker { return inbox.Asker{Inbox: e.inbox, Agent: agent, Task: task} },
		Plans: e.plans, Gateways: e.fleet,
		Trusts: func(who *topology.Agent) error { return e.trusts(team, who) },
		Budget: func(agent topology.AgentID) task.Budget { return task.Budget(e.settings.Budget(string(agent))) },
	})
	if err := e.openInbox(ctx, team); err != nil {
		return err
	}
	if err := e.planWork(ctx, models); err != nil {
		return err
	}
	if err := e.talk(ctx, models); err != nil {
		return err
	}
	e.followTrust(ctx)
	callers, logins, err := e.known(secrets, team)
	if err != nil {
		return err
	}
	allow, proxies := e.networks()
	upkeep := store.Maintenance{Store: e.store}
	e.server.Store(httpapi.New(httpapi.Options{
		Token: e.Token(), Logins: logins, NewToken: e.newToken, Window: e.opts.Window, Library: e.library, Archive: library.NewArchive(e.library, store.Archive{Store: e.store}), Rollout: e.rollout,
		Fleet: e.fleet, Rooms: e.rooms, ReadState: places, Person: person(), Tasks: e.tasks, Inbox: e.inbox, Push: e.push, Agents: e.agents, Planner: e.planner, PlanExecutor: e.foreman, Local: e.local, Settings: e.settings,
		StartupFiles: &e.given, Page: frontend.Assets(), About: e.about(), Allow: allow, Proxies: proxies, Callers: callers, Listener: e.door(), TLS: e.listener.TLS, Audit: e.audit, Logger: e.opts.Logger,
		Turns: e.turns, RoomAgents: e.stage,
		Secrets:     func() (config.SecretsPlace, string) { return e.secretsPlace(secrets, providers) },
		Providers:   providersapi.Machines{Providers: providers, Ledger: &e.asked, Elsewhere: e.turns.Elsewhere},
		Maintenance: upkeepapi.Machines{Upkeep: library.NewMaintenance(e.library, upkeep), Database: restorer{upkeep, e.trust, e.trustRules}, Restart: restart},
		Trust:       e.trust, Applied: team.Applied,
		Ready: func(context.Context) error {
			select {
			case <-e.ready:
				return nil
			default:
				return errors.New("starting")
			}
		},
	}))
	return nil
}

// planWork builds the machines of the plans: what keeps them, and what has them worked.
func (e *Engine) planWork(ctx context.Context, models *llm.Registry) (err error) {
	if e.planner, err = planner.New(ctx, planner.Options{Store: store.Plans(e.store), Models: models, Author: author(), Getenv: os.Getenv, Logger: e.opts.Logger}); err != nil {
		return err
	}
	e.foreman, err = planexec.New(ctx, planexec.Options{
		Planner: e.planner, Models: models, Asker: e.planAsker,
		Dir: e.opts.DataDir, Getenv: os.Getenv, Logger: e.opts.Logger, Sandbox: e.settings.Sandbox(),
	})
	return err
}

func author() string {
	for _, name := range []string{"USER", "USERNAME", "LOGNAME"} {
		if v := os.Getenv(name); v != "" {
			return v
		}
	}
	return ""
}

// person is what the owner is called in rooms until they choose a name.
func person() string {
	name := author()
	if me, err := user.Current(); name == "" && err == nil {
		name = me.Username
	}
	return name
}

// errRestored is why a round ends where a backup is to take the database's place.
var errRestored = errors.New("a backup is restored")

// Run serves until ctx ends, then stops in order: doors, applies, gateways, database
// last. It returns nil after a requested stop. To restore a backup it stops in the same
// way, then reopens the database and continues at the same address.
func (e *Engine) Run(ctx context.Context) error {
	for {
		again, err := e.round(ctx)
		if err == nil && again {
			if e.store, err = store.Database(ctx, e.opts.DataDir, e.opts.Database, e.opts.Logger); err == nil {
				continue
			}
		}
		_ = e.listener.Close()
		return errors.Join(err, e.audit.Close())
	}
}

// round serves with one database, and closes it.
func (e *Engine) round(ctx context.Context) (again bool, err error) {
	storeCtx, stopStore := context.WithCancel(context.WithoutCancel(ctx))
	defer stopStore()
	var last errgroup.Group
	last.Go(func() error { return e.store.Run(storeCtx) })

	serving, end := context.WithCancelCause(ctx)
	defer end(nil)
	err = e.build(ctx, func() { end(errRestored) })
	if err == nil {
		err = e.serve(serving)
	}
	stopStore()
	again = ctx.Err() == nil && errors.Is(context.Cause(serving), errRestored)
	return again, errors.Join(err, last.Wait(), e.store.Close())
}

// serve runs the machines and, once there is something to see, the door.
func (e *Engine) serve(ctx context.Context) error {
	machines, machinesCtx := errgroup.WithContext(context.WithoutCancel(ctx))
	machinesCtx, stopMachines := context.WithCancel(machinesCtx)
	defer stopMachines()
	machines.Go(func() error { return e.local.Run(machinesCtx) })
	machines.Go(func() error { return e.fleet.Run(machinesCtx) })
	machines.Go(func() error { return e.rollout.Run(machinesCtx) })
	machines.Go(func() error { return e.rooms.Run(machinesCtx) })
	machines.Go(func() error { return e.turns.Run(machinesCtx) })
	machines.Go(func() error { return e.stage.Run(machinesCtx) })
	machines.Go(func() error { return e.tasks.Run(machinesCtx) })
	machines.Go(func() error { return e.inbox.Run(machinesCtx) })
	machines.Go(func() error { return e.push.Run(machinesCtx) })
	machines.Go(func() error { return e.planner.Run(machinesCtx) })
	machines.Go(func() error { return e.foreman.Run(machinesCtx) })

	err := e.bootstrap(ctx)
	agentsCtx, stopAgents := context.WithCancel(ctx) // they end while the door drains: it may take some seconds
	defer context.AfterFunc(machinesCtx, stopAgents)()
	machines.Go(func() error { return e.agents.Run(agentsCtx) })
	if err == nil {
		doorCtx, closeDoor := context.WithCancel(ctx)
		stop := context.AfterFunc(machinesCtx, closeDoor)
		e.once.Do(func() { close(e.ready) })
		err = e.server.Load().Serve(doorCtx, hold(e.listener.TCPListener))
		stop()
		closeDoor()
	}
	stopMachines()
	return errors.Join(err, machines.Wait())
}

// bootstrap draws the example team at the first start, as the local gateway runs it.
func (e *Engine) bootstrap(ctx context.Context) error {
	all, err := e.store.Teams(ctx)
	if err != nil || len(all) > 0 {
		return err
	}
	team := example.Team(e.opts.Language)
	if _, err := e.local.Seed(ctx, team); err != nil {
		return err
	}
	_, _, err = e.rollout.Draw(ctx, config.LocalGateway, team)
	return err
}

// Ready is closed when requests are answered.
func (e *Engine) Ready() <-chan struct{} { return e.ready }

// Token returns the owner's token.
func (e *Engine) Token() string { return *e.token.Load() }

// URL returns where the hub listens: http://127.0.0.1:18800.
func (e *Engine) URL() string {
	scheme := "http"
	if e.listener.TLS != nil {
		scheme = "https"
	}
	return scheme + "://" + e.listener.Addr().String()
}

// Exposed tells who can read what goes to the hub and back, and the certificate's fingerprint.
func (e *Engine) Exposed() *netlisten.Exposed { return e.listener }

// OneTimeLink returns a URL that opens the page once, on this computer, without the token. It may be
// called once Ready is closed.
func (e *Engine) OneTimeLink() string {
	return netlisten.LocalAddress(e.URL()) + e.server.Load().OneTimeLink()
}

// Give hands a file to the page: the first one that is there shows it to the person.
func (e *Engine) Give(f startupfiles.File) error { return e.given.Put(f) }

// Settings returns the person's settings, for the window.
func (e *Engine) Settings() *config.Settings { return e.settings }

// DataDir returns where the hub keeps everything.
func (e *Engine) DataDir() string { return e.opts.DataDir }

// OpenAPI returns the description of the API as YAML.
func (e *Engine) OpenAPI() ([]byte, error) { return e.server.Load().OpenAPI() }

// Planner returns the machine that keeps the plans, for who works on their tasks. It may be
// called once Ready is closed.
func (e *Engine) Planner() *planner.Machine { return e.planner }
