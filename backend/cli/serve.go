package cli

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/netip"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"agentflow/backend/base/config"
	"agentflow/backend/base/errcode"
	"agentflow/backend/base/hubclient"
	"agentflow/backend/base/i18n"
	"agentflow/backend/base/startupfiles"
	"agentflow/backend/cli/internal/chatcmd"
	"agentflow/backend/cli/internal/shell"
	"agentflow/backend/engine"
	"agentflow/backend/talk/chatagent"
)

const (
	defaultListen = "127.0.0.1:18800"
	envDatabase   = "AGENTFLOW_DATABASE"
	lobby         = "lobby" // the room of agents without one
)

// hubFlags say how the hub runs.
type hubFlags struct {
	listen, database string
	tls              shell.TLSFlags
	allow            []string
	open, verbose    bool
	window           bool   // it shows the page
	screen           string // of the page that opens; "" is the first
	file             string // that the page shows; "" is none
	agents           map[string][]chatagent.Config
}

func (p *program) serveCommand() *cobra.Command {
	var h hubFlags
	cmd := &cobra.Command{
		Use:   "serve [FILE]",
		Short: "Run the hub without a window",
		Args:  shell.Args(oneFile),
		Long: `Run the hub: its gateways, teams, API and web page. It prints one line when it accepts
requests. SIGTERM stops it with exit code 0. The first page that opens shows FILE, which is
a team file, a config or a bundle.`,
		Example: "  agentflow serve --open\n  agentflow serve --listen 0.0.0.0:18800 --tls-cert cert.pem --tls-key key.pem --allow 192.0.2.0/24",
		RunE: p.Run(func(cmd *cobra.Command, given []string) error {
			if len(given) > 0 {
				h.file = given[0]
			}
			return p.serve(cmd.Context(), h)
		}),
	}
	p.hubFlags(cmd, &h)
	cmd.Flags().BoolVar(&h.open, "open", false, "print a one-time link and open it in the browser")
	return cmd
}

// chatServerCommand is the hub with its rooms opened.
func (p *program) chatServerCommand() *cobra.Command {
	h := hubFlags{open: true, screen: "rooms"}
	team := chatcmd.Team{Room: lobby}
	cmd := &cobra.Command{
		Use:     "server",
		Short:   "Run the hub and open its rooms",
		Args:    shell.Args(cobra.NoArgs),
		Long:    "Run the hub and open its rooms in the browser. It is the same hub as in agentflow serve. The\nprinted link works once. With --agents, the agents of an agents.yml join the room of --room.",
		Example: "  agentflow chat server --agents agents.yml --room dev\n  agentflow chat server --listen 0.0.0.0:18800 --tls-cert cert.pem --tls-key key.pem",
		RunE: p.Run(func(cmd *cobra.Command, _ []string) error {
			if team.File == "" && len(team.Names) > 0 {
				return shell.Usage(cmd, "no agents given. Use --agents agents.yml.")
			}
			if team.File != "" {
				agents, _, err := team.Read(p.Shell, nil)
				if err != nil {
					return err
				}
				h.agents = map[string][]chatagent.Config{team.Room: agents}
			}
			return p.serve(cmd.Context(), h)
		}),
	}
	team.AddTo(cmd)
	p.hubFlags(cmd, &h)
	return cmd
}

func (p *program) hubFlags(cmd *cobra.Command, h *hubFlags) {
	flags := cmd.Flags()
	flags.StringVar(&h.listen, "listen", defaultListen, "address to listen on; port 0 picks a free one")
	flags.StringVar(&h.database, "database", "", "PostgreSQL URL, such as postgres://user@host/agentflow (default: "+envDatabase+", which can contain a password, or a file in the data folder)")
	h.tls.AddTo(cmd)
	flags.StringSliceVar(&h.allow, "allow", nil, "networks that can connect, in CIDR notation")
	flags.BoolVar(&h.verbose, "verbose", false, "log to standard error")
	p.DataFlag(cmd)
}

// oneFile takes a file in place of a command. What neither is one nor is called like one
// is a command that was mistyped.
func oneFile(cmd *cobra.Command, args []string) error {
	if len(args) == 1 {
		info, err := os.Stat(args[0])
		named := slices.Contains([]string{".yaml", ".yml", ".json", ".json5", ".zip"},
			strings.ToLower(filepath.Ext(args[0])))
		if named || err == nil && info.Mode().IsRegular() {
			return nil
		}
	}
	if len(args) > 0 {
		return shell.UnknownCommand(cmd, args[0])
	}
	return nil
}

// home is the program without a command.
func (p *program) home(ctx context.Context, args []string) error {
	file := ""
	if len(args) > 0 {
		file = args[0]
	}
	if p.window == nil {
		err := p.serve(ctx, hubFlags{listen: defaultListen, open: true, file: file})
		if errcode.Is(err, errcode.Unavailable) {
			if given, gerr := p.handOver(ctx, hubclient.DefaultURL, file); given {
				return gerr
			}
		}
		return err
	}
	if file != "" {
		if _, err := startupfiles.Read(file); err != nil { // said here, where it can be read
			return err
		}
		abs, err := filepath.Abs(file)
		if err != nil {
			return errcode.Wrap(errcode.Validation, err, "%s cannot be read", file)
		}
		file = abs
	}
	dir, err := config.DataDir(p.DataDir)
	if err != nil {
		return err
	}
	if hangUp != nil {
		signal.Ignore(hangUp) // a window outlives the terminal that it was started from
	}
	return p.window(ctx, Start{DataDir: dir, File: file}, func(ctx context.Context) (*engine.Engine, error) {
		return p.engine(ctx, hubFlags{listen: "127.0.0.1:0", window: true})
	})
}

// besideDisk lets the hub hear its sockets while it waits for the disk, on a single core
// too: the runtime counts who waits in a system call as running for a good while.
func besideDisk() {
	if runtime.GOMAXPROCS(0) == 1 && os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(2)
	}
}

func (p *program) engine(ctx context.Context, h hubFlags) (*engine.Engine, error) {
	besideDisk()
	allow, err := networks(h.allow)
	if err != nil {
		return nil, err
	}
	if u, err := url.Parse(h.database); err == nil {
		if _, secret := u.User.Password(); secret || u.Query().Has("password") {
			return nil, errcode.New(errcode.Validation, "other users of this computer can read a password in a command line. Set the URL with %s, or the password with PGPASSWORD.", envDatabase).
				With(errcode.KeyField, "database")
		}
	}
	h.database = cmp.Or(h.database, os.Getenv(envDatabase))
	level := slog.LevelWarn
	if h.verbose {
		level = slog.LevelInfo
	}
	logger := slog.New(slog.NewTextHandler(p.Screen.Err, &slog.HandlerOptions{Level: level}))
	slog.SetDefault(logger) // also for code without a logger
	options := engine.Options{
		Listen: h.listen, Window: h.window, Database: h.database, TLSCert: h.tls.Cert, TLSKey: h.tls.Key,
		Allow: allow, Agents: h.agents,
		TLSSelfSigned: h.tls.SelfSigned, InsecureHTTP: h.tls.Insecure, Language: string(i18n.Of(os.Getenv)), Logger: logger,
	}
	if err := options.Check(); err != nil { // before there is a data folder
		return nil, err
	}
	if options.DataDir, err = config.DataDir(p.DataDir); err != nil {
		return nil, err
	}
	return engine.New(ctx, options)
}

func networks(texts []string) ([]netip.Prefix, error) {
	var list []netip.Prefix
	for _, text := range texts {
		n, err := netip.ParsePrefix(text)
		if err != nil {
			addr, aerr := netip.ParseAddr(text)
			if aerr != nil {
				return nil, errcode.New(errcode.Validation,
					"--allow %q isn't a valid network. Use CIDR, such as 192.0.2.0/24.", text).
					With(errcode.KeyField, "allow")
			}
			n = netip.PrefixFrom(addr, addr.BitLen())
		}
		list = append(list, n.Masked())
	}
	return list, nil
}

// serve runs the hub until a signal or its end.
func (p *program) serve(ctx context.Context, h hubFlags) error {
	var file startupfiles.File
	if h.file != "" {
		var err error
		if file, err = startupfiles.Read(h.file); err != nil {
			return err
		}
		p.tellBroken(h.file, file)
	}
	e, err := p.engine(ctx, h)
	if err != nil {
		return err
	}
	p.tellUnknown()
	if h.file != "" {
		if err := e.Give(file); err != nil {
			return errors.Join(err, e.Close())
		}
	}
	ended := make(chan error, 1)
	go func() { ended <- e.Run(ctx) }()
	select {
	case err := <-ended:
		return p.served(ctx, err)
	case <-e.Ready():
	}
	forget, err := p.announce(e, h)
	if err != nil {
		p.Screen.Note("%s", err)
	}
	err = <-ended
	forget()
	return p.served(ctx, err)
}

// tellBroken says what is wrong with the file that the page is to show, which says it as well.
func (p *program) tellBroken(path string, file startupfiles.File) {
	if len(file.Data) > 0 {
		return // a bundle
	}
	if _, err := p.ReadTeam(path); err != nil {
		p.Screen.Note("warning: %s", err)
	}
}

// tellUnknown warns of keys and names in the settings file that mean nothing.
func (p *program) tellUnknown() {
	dir, err := config.DataDir(p.DataDir)
	if err != nil {
		return
	}
	if settings, err := config.Load(dir); err == nil {
		for _, u := range slices.Concat(config.Unknown(settings), unknownNames(dir)(settings)) {
			p.Screen.Note("warning: %s", u)
		}
	}
}

// served is the end of the hub. Being told to end is what a service expects.
func (p *program) served(ctx context.Context, err error) error {
	if err == nil && errors.Is(context.Cause(ctx), interrupted) {
		return interrupted
	}
	if errors.Is(context.Cause(ctx), terminated) && (err == nil || ctx.Err() != nil && errIsStop(err)) {
		return nil
	}
	return err
}

// errIsStop reports whether the error says no more than that the hub was told to end.
func errIsStop(err error) bool {
	return errors.Is(err, context.Canceled) && !errcode.HasReason(err, errcode.ReasonUnknown)
}

// announce tells where the hub is. It returns what removes its traces at the end.
func (p *program) announce(e *engine.Engine, h hubFlags) (func(), error) {
	p.TellExposed(e.Exposed())
	about := map[string]string{"url": e.URL()}
	if pin := e.Exposed().Fingerprint(); pin != "" {
		about["fingerprint"] = pin
	}
	link := ""
	if h.open {
		link = e.OneTimeLink()
		if h.screen != "" {
			link += "#/" + h.screen // browsers keep it when the link sends them on
		}
		about["open"] = link
	}
	p.Screen.Print("listening on %s\n", e.URL())
	if h.open {
		p.Screen.Print("open %s\n", link)
	}
	if err := p.Screen.Object(about); err != nil || !h.open {
		return func() {}, err
	}
	return p.show(link)
}
