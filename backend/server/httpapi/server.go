// Package httpapi serves the machines over HTTP and WebSocket: the one API for the
// window, the browser, the CLI and other computers. It translates and holds nothing.
package httpapi

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"reflect"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"golang.org/x/sync/errgroup"

	"agentflow/backend/base/audit"
	"agentflow/backend/base/config"
	"agentflow/backend/base/netlisten"
	"agentflow/backend/base/startupfiles"
	"agentflow/backend/gateway/rollout"
	"agentflow/backend/plan/planner"
	"agentflow/backend/server/a2aserver"
	"agentflow/backend/server/auth"
	"agentflow/backend/server/httpapi/cronapi"
	"agentflow/backend/server/httpapi/internal/agentsapi"
	"agentflow/backend/server/httpapi/internal/inboxapi"
	"agentflow/backend/server/httpapi/internal/plansapi"
	"agentflow/backend/server/httpapi/internal/pushapi"
	"agentflow/backend/server/httpapi/internal/tasksapi"
	"agentflow/backend/server/httpapi/internal/templatesapi"
	"agentflow/backend/server/httpapi/internal/trustapi"
	"agentflow/backend/server/httpapi/maintenanceapi"
	"agentflow/backend/server/httpapi/providersapi"
	"agentflow/backend/server/httpapi/roomsapi"
	"agentflow/backend/server/httpapi/securityapi"
	"agentflow/backend/server/httpapi/sessionsapi"
	"agentflow/backend/server/httperr"
	"agentflow/backend/server/mcpserver"
	"agentflow/backend/server/webui"
	"agentflow/backend/talk/readstate"
	"agentflow/backend/talk/room"
	"agentflow/backend/talk/turns"
	"agentflow/backend/team/consent"
	"agentflow/backend/team/library"
	"agentflow/backend/team/topology"
	"agentflow/backend/work/coordinator"
	"agentflow/backend/work/inbox"
	"agentflow/backend/work/localagent"
	"agentflow/backend/work/webpush"
)

const largeBody = httperr.LargeBody

// Options are the machines that are served, and how.
type Options struct {
	Token        string // the owner's
	Library      *library.Library
	Archive      *library.Archive
	Rollout      *rollout.Machine
	Tasks        *coordinator.Machine
	Inbox        *inbox.Machine
	Push         *webpush.Machine
	Agents       *localagent.Machine
	Planner      *planner.Machine
	PlanExecutor plansapi.Executor
	Fleet        Fleet
	Rooms        *room.Hub
	Turns        *turns.Machine
	RoomAgents   roomsapi.RoomAgents
	ReadState    *readstate.Store
	Person       string       // a name for the owner in rooms; may be empty
	Local        LocalGateway // may be nil
	Settings     *config.Settings
	// Secrets returns where secrets are saved, and the file if it is one. nil: no secrets are saved.
	Secrets      func() (place config.SecretsPlace, file string)
	Providers    providersapi.Machines
	StartupFiles *startupfiles.Pending
	Maintenance  maintenanceapi.Machines
	Trust        *consent.Record
	Applied      func() *topology.Topology // the team that the built-in gateway runs
	Page         fs.FS                     // the built page
	About        About
	Ready        func(ctx context.Context) error // nil error: requests can be served
	Allow        []netip.Prefix                  // addresses that may connect; empty: all
	Proxies      []netip.Prefix                  // whose X-Forwarded-For is believed
	Callers      *auth.Callers                   // beside the owner; nil is nobody
	Logins       *auth.Logins                    // the owner's, in browsers; nil keeps none over a restart
	NewToken     func() (string, error)          // makes and keeps another token of the owner's
	Window       bool                            // a desktop window shows the page
	Listener     securityapi.Listener
	TLS          *tls.Config
	Audit        *audit.Log // nil: nothing is noted
	Logger       *slog.Logger
}

// Server serves one hub. Make it with New.
type Server struct {
	Options
	mux       *httperr.Mux
	api       huma.API
	access    *auth.Control
	ui        settingsTopic
	templates *templatesapi.Routes
	rooms     *roomsapi.Handler

	counted countCache
}

// New builds the routes. Nothing listens yet.
func New(o Options) *Server {
	if o.StartupFiles == nil {
		o.StartupFiles = new(startupfiles.Pending)
	}
	s := &Server{Options: o, mux: httperr.NewMux(), access: auth.New(o.Token, o.Allow, httperr.Write)}
	s.access.SetNetworks(o.Allow, o.Proxies)
	s.access.Callers, s.access.Window = o.Callers, o.Window
	if o.Logins != nil {
		s.access.Logins = o.Logins
	}
	s.access.Pattern = s.mux.Pattern
	if o.Tasks != nil {
		s.access.Agents = o.Tasks.AgentBySecret
	}
	s.api = humago.New(s.mux, apiConfig(o.About.Version))
	s.rooms = roomsapi.New(o.Rooms, o.Turns, o.RoomAgents, o.Logger)
	s.routes()
	illustrate(s.api.OpenAPI())
	return s
}

func apiConfig(version string) huma.Config {
	huma.DefaultArrayNullable = false
	huma.NewError = httperr.New
	c := huma.DefaultConfig("AgentFlow", version)
	c.CreateHooks = nil
	c.Formats = httperr.Formats(c.Formats)
	c.SchemasPath = ""
	c.DocsPath = "" // the documentation page of huma loads scripts from elsewhere
	c.Components.Schemas = huma.NewMapRegistry("#/components/schemas/", schemaName)
	c.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		"bearer": {Type: "http", Scheme: "bearer"},
		"cookie": {Type: "apiKey", In: "cookie", Name: auth.CookieName},
	}
	c.Security = []map[string][]string{{"bearer": {}}, {"cookie": {}}}
	registerTypes(c.Components.Schemas)
	describe(&c)
	return c
}

func schemaName(t reflect.Type, hint string) string {
	return cmp.Or(plansapi.SchemaNamer(t, hint), agentsapi.SchemaNamer(t, hint), securityapi.SchemaNamer(t, hint),
		trustapi.SchemaNamer(t, hint), roomsapi.SchemaNamer(t, hint))
}

func (s *Server) routes() {
	s.teamRoutes()
	s.versionRoutes()
	s.fileRoutes()
	s.rolloutRoutes()
	s.gatewayRoutes()
	s.rpcRoutes()
	s.settingsRoutes()
	providersapi.Register(s.api, s.Logger, s.Providers)
	whole := &maintenanceapi.Routes{Machines: s.Maintenance, Logger: s.Logger}
	whole.Register(s.api)
	s.rooms.Register(s.api, s.Logger)
	s.mux.Handle("GET /ws", s.rooms)
	talking := &sessionsapi.Routes{
		ReadState: s.ReadState,
		Person:    s.Person,
		Logger:    s.Logger,
		Sessions:  func(name string) (sessionsapi.Sessions, error) { return s.rpc(name) },
	}
	talking.Register(s.api)
	(&cronapi.Routes{Jobs: s.cronJobs, Price: s.price, Logger: s.Logger}).Register(s.api)
	s.mux.Handle("GET /api/gateway/stream", talking)
	pace := new(auth.Pace)
	work := &tasksapi.Routes{Coordinator: s.Tasks, Logger: s.Logger, Pace: pace}
	work.Register(s.api, s.mux)
	peers := &a2aserver.Handler{
		Coordinator: s.Tasks,
		Inbox:       s.Inbox,
		Version:     s.About.Version,
		Logger:      s.Logger,
		Pace:        pace,
		Reader:      work.Reader,
	}
	peers.Register(s.mux)
	s.mux.Handle("/mcp",
		httperr.Timely(mcpserver.Handler(tasksapi.Offered{Coordinator: s.Tasks, Pace: pace}, s.About.Version)))
	asked := &inboxapi.Routes{Inbox: s.Inbox, Seated: s.Turns.Seated, Logger: s.Logger}
	asked.Register(s.api)
	(&pushapi.Routes{Push: s.Push, Logger: s.Logger}).Register(s.api)
	(&trustapi.Routes{
		Record: s.Trust, Library: s.Library, Applied: s.Applied, Hash: s.appliedHash, Logger: s.Logger,
	}).Register(s.api)
	running := &agentsapi.Routes{Machine: s.Agents, Logger: s.Logger}
	running.Register(s.api)
	guarded := &securityapi.Routes{
		Listener: s.Listener,
		Access:   s.access,
		Settings: s.Settings,
		Audit:    s.Audit,
		Logger:   s.Logger,
		Cut:      s.rooms.Cut,
		NewToken: s.NewToken,
	}
	guarded.Register(s.api)
	planned := &plansapi.Routes{Planner: s.Planner, Executor: s.PlanExecutor, Logger: s.Logger}
	planned.Register(s.api)
	s.mux.HandleFunc("GET /api/events", s.serveEvents)
	s.mux.HandleFunc("GET /gateway", s.serveLocalGateway)
	s.mux.HandleFunc("/api/", s.missing)
	s.mux.HandleFunc("GET /metrics", s.serveMetrics)
	s.mux.HandleFunc("GET /healthz",
		func(w http.ResponseWriter, _ *http.Request) { writeText(w, http.StatusOK, "ok\n") })
	s.mux.HandleFunc("GET /readyz", s.serveReady)
	s.mux.HandleFunc("GET /open/{code}", s.access.ServeLink)
	s.mux.HandleFunc("GET /docs", s.serveDocs)
	s.mux.Handle("/", webui.Page{Files: s.Page, Missing: s.missing})
}

// OpenAPI returns the description of the API as YAML.
func (s *Server) OpenAPI() ([]byte, error) { return s.api.OpenAPI().YAML() }

// OneTimeLink returns the path of a link that opens the page once, without the token.
func (s *Server) OneTimeLink() string { return s.access.Link() }

// Handler returns all routes behind the checks of address, host, origin and token.
func (s *Server) Handler() http.Handler {
	keepsSaid := func() bool { return s.Settings.Security().AuditsPrompts }
	return auth.Audited(s.Audit, keepsSaid, httperr.Contain(s.Logger, s.access.Guard(s.mux)))
}

// Serve answers requests on l until ctx ends, then drains. It closes l.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	s.access.Listen(l.Addr())
	if s.TLS != nil {
		l = tls.NewListener(l, s.TLS)
	}
	server := &http.Server{
		Handler:           s.Handler(),
		ReadHeaderTimeout: 5 * time.Second,
		IdleTimeout:       2 * time.Minute,
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ErrorLog:          slog.NewLogLogger(s.Logger.Handler(), slog.LevelDebug),
	}
	tending, stop := context.WithCancel(ctx)
	defer stop()
	var sockets errgroup.Group
	sockets.Go(func() error { return s.rooms.Run(tending) })
	err := netlisten.Serve(ctx, server, l)
	stop()
	return errors.Join(err, sockets.Wait())
}
