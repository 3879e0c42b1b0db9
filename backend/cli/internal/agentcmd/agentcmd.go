// Package agentcmd holds the commands of agentflow agent.
package agentcmd

import (
	"cmp"
	"context"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"agentflow/backend/base/config"
	"agentflow/backend/base/errcode"
	"agentflow/backend/base/hubclient"
	"agentflow/backend/base/netlisten"
	"agentflow/backend/cli/internal/hubflags"
	"agentflow/backend/cli/internal/shell"
	"agentflow/backend/cli/internal/term"
	"agentflow/backend/engine"
	"agentflow/backend/model/llm"
	"agentflow/backend/model/usage"
	"agentflow/backend/work/agentprocess"
)

const envSecret = "AGENTFLOW_AGENT_SECRET" //nolint:gosec // the name of a variable, not a secret

type program struct {
	*shell.Shell
	hub *hubflags.Flags
}

// Command returns the command group.
func Command(s *shell.Shell) *cobra.Command {
	p := program{s, new(hubflags.Flags)}
	cmd := p.Group(
		"agent",
		"Run local agent processes",
		"  agentflow agent start --port 8000 --config agent-config.yaml\n  agentflow agent start dev-1\n  agentflow agent logs dev-1 --follow",
		p.startCommand(),
		p.listCommand(),
		p.addCommand(),
		p.stopCommand(),
		p.restartCommand(),
		p.removeCommand(),
		p.logsCommand(),
	)
	p.hub.AddTo(s, cmd)
	return cmd
}

// flags say how an agent runs.
type flags struct {
	port                                             int
	listen, config, coordinator, prompt, fingerprint string
	tls                                              shell.TLSFlags
}

func (p program) startCommand() *cobra.Command {
	f := flags{port: 8000}
	cmd := &cobra.Command{
		Use:   "start [AGENT]",
		Short: "Start an agent",
		Args:  shell.Args(cobra.MaximumNArgs(1)),
		Long: `Start an agent.

With --config, the agent runs in this terminal. It takes tasks over HTTP, asks its model and
reports to the coordinator. It prints one line when it is ready. SIGTERM stops it with exit
code 0, and its running task is queued again.

With AGENT, the hub starts the agent as a local process and stops it when the hub stops.
AGENT is an agent of the applied team, or one added with agentflow agent add.

Secrets come from the environment only. The agent reads its own from ` + envSecret + `.
For each of the callers in the config, it reads the variable named there. Without callers, its
own secret has the role Coordinator. The audit log is written to standard error as JSON Lines.`,
		Example: "  agentflow agent start --port 8000 --config agent-config.yaml --coordinator https://hub.example:18800",
		RunE: p.Run(func(cmd *cobra.Command, given []string) error {
			if len(given) == 0 {
				return p.start(cmd.Context(), f)
			}
			if f.config != "" || f.coordinator != "" || f.prompt != "" || f.listen != "" {
				return shell.Usage(cmd, "use either AGENT or --config")
			}
			if cmd.Flags().Changed("port") || f.tls != (shell.TLSFlags{Insecure: f.tls.Insecure}) {
				return shell.Usage(
					cmd,
					"the hub chooses the address of a local agent process. Remove --port, --listen and the TLS flags.",
				)
			}
			p.hub.Fingerprint, p.hub.Insecure = f.fingerprint, f.tls.Insecure
			return p.startHere(cmd.Context(), given[0])
		}),
	}
	fs := cmd.Flags()
	fs.IntVar(&f.port, "port", f.port, "port on this computer; 0 picks a free one")
	fs.StringVar(&f.listen, "listen", "", "address and port to listen on, instead of --port")
	fs.StringVar(&f.config, "config", "", "the agent's agent-config.yaml")
	fs.StringVar(&f.coordinator, "coordinator", "", "URL of the hub that receives reports")
	fs.StringVar(&f.prompt, "prompt", "", "first prompt; its answer is printed")
	fs.StringVar(&f.fingerprint, "fingerprint", "",
		"fingerprint of the hub's certificate, if no known authority signed it (default: "+hubflags.EnvFingerprint+")")
	f.tls.AddTo(cmd)
	p.DataFlag(cmd)
	return cmd
}

func (p program) start(ctx context.Context, f flags) error {
	if f.config == "" {
		return errcode.New(errcode.Validation, "--config is missing. Name the agent's agent-config.yaml.").
			With(errcode.KeyField, "config")
	}
	if !f.tls.Insecure { // reports carry the agent's secret
		if err := hubclient.Readable(f.coordinator); err != nil {
			return err
		}
	}
	if err := agentprocess.Conceal(); err != nil {
		return errcode.Wrap(errcode.Internal, err, "couldn't hide the agent's secrets from the commands it runs")
	}
	data, err := p.ReadBytes(f.config)
	if err != nil {
		return err
	}
	c, err := agentprocess.ReadConfig(data, shell.Name(f.config))
	if err != nil {
		return err
	}
	reporter := new(usage.Reporter)
	models, err := p.models(c, reporter.Add)
	if err != nil {
		return err
	}
	hub, err := hubTrust(cmp.Or(f.fingerprint, os.Getenv(hubflags.EnvFingerprint)))
	if err != nil {
		return err
	}
	l, err := p.open(f)
	if err != nil {
		return err
	}
	dir, err := config.DataDir(p.DataDir)
	if err != nil {
		return err
	}
	held, err := config.LoadSandbox(dir)
	if err != nil {
		return err
	}
	a, err := agentprocess.New(agentprocess.Options{
		Config: c, Coordinator: f.coordinator, Secret: os.Getenv(envSecret), Getenv: os.Getenv, Models: models, Listener: l, TLS: l.TLS, HTTP: hub,
		Logger: slog.New(slog.NewJSONHandler(p.Screen.Err, nil)), Sandbox: held, Prompt: f.prompt, Answered: p.answered, Ended: p.ended, Reporter: reporter,
	})
	if err != nil {
		_ = l.Close()
		return err
	}
	if made := a.MadeSecret(); made != "" {
		p.Screen.Note("no secret is set. Clients on this computer use this one: %s", made)
	}
	p.Screen.Print("listening on %s\n", a.URL())
	about := map[string]string{"url": a.URL(), "agent": c.Agent.Name}
	if pin := l.Fingerprint(); pin != "" {
		about["fingerprint"] = pin
	}
	if err := p.Screen.Object(about); err != nil {
		return err
	}
	return a.Run(ctx)
}

// models returns the agent's models, which report calls to record. A model that can't be used is an error.
func (p program) models(c *agentprocess.Config, record func(llm.CallRecord)) (*llm.Registry, error) {
	dir, err := config.DataDir(p.DataDir)
	if err != nil {
		return nil, err
	}
	settings, err := config.Load(dir)
	if err != nil {
		return nil, err
	}
	models := engine.NewProviders(settings, config.NewSecrets(dir), record).Registry()
	if err := models.Check(llm.Model(c.Agent.Model)); err != nil {
		return nil, errcode.Wrap(errcode.Validation, err, "the agent %s can't run tasks", c.Agent.Name).
			With(errcode.KeyField, "agent.model")
	}
	return models, nil
}

func (p program) answered(text string, err error) {
	if err != nil {
		p.Screen.Note("agentflow: the first prompt failed: %s", p.Screen.Words(errcode.From(err).Message))
		return
	}
	p.Screen.Print("%s\n", term.Clean(text))
	_ = p.Screen.Object(map[string]string{"answer": text}) // Main tells if nothing can be written
}

// ended tells who started the agent, a hub for one, how a task ended and what it cost.
func (p program) ended(end agentprocess.End) { _ = p.Screen.Object(end) }

// open listens where the flags say.
func (p program) open(f flags) (*netlisten.Exposed, error) {
	o := netlisten.Options{Listen: f.listen, CertFile: f.tls.Cert, KeyFile: f.tls.Key, InsecureHTTP: f.tls.Insecure}
	if o.Listen == "" {
		o.Listen = net.JoinHostPort("127.0.0.1", strconv.Itoa(f.port))
	}
	if f.tls.SelfSigned {
		dir, err := config.DataDir(p.DataDir)
		if err != nil {
			return nil, err
		}
		o.SelfSigned = dir
	}
	l, err := netlisten.Open(o)
	if err != nil {
		return nil, err
	}
	p.TellExposed(l)
	return l, nil
}

// hubTrust returns what speaks with a hub whose certificate is known by its fingerprint
// only; nil if there is none.
func hubTrust(fingerprint string) (*http.Client, error) {
	if fingerprint == "" {
		return nil, nil
	}
	trust, err := netlisten.Pin(fingerprint)
	if err != nil {
		return nil, err
	}
	return &http.Client{
		Transport:     &http.Transport{Proxy: http.ProxyFromEnvironment, TLSClientConfig: trust},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}, nil
}
