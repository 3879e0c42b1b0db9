package chatcmd

import (
	"context"
	"crypto/rand"
	"log/slog"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"agentflow/backend/base/config"
	"agentflow/backend/base/errcode"
	"agentflow/backend/cli/internal/hubflags"
	"agentflow/backend/cli/internal/shell"
	"agentflow/backend/cli/internal/term"
	"agentflow/backend/engine"
	"agentflow/backend/model/llm"
	"agentflow/backend/model/tool"
	"agentflow/backend/model/usage"
	"agentflow/backend/talk/chatagent"
	"agentflow/backend/talk/room"
	"agentflow/backend/talk/roomclient"
)

// Team is agents of an agents.yml, in a room.
type Team struct {
	File, Room string
	Names      []string // of the agents; none: all
	Workspace  string   // the folder that their tools are for
}

// AddTo gives a command the flags.
func (t *Team) AddTo(cmd *cobra.Command) {
	cmd.Flags().StringVar(&t.Room, "room", t.Room, "room name")
	cmd.Flags().StringVar(&t.File, "agents", "", "agents.yml with the agents")
	cmd.Flags().StringVar(&t.Workspace, "workspace", "", "folder for the agents' tools; calls need approval in the hub's inbox unless mcpPolicy allows them")
	cmd.Flags().StringArrayVar(&t.Names, "agent", nil, "only this agent; repeatable")
}

// Read reads the agents, and their providers from the data folder. It reports all
// errors in them now, with file and line. record receives every model call.
func (t *Team) Read(s *shell.Shell, record func(llm.CallRecord)) ([]chatagent.Config, *llm.Registry, error) {
	name, err := room.Name("room", t.Room)
	if err != nil {
		return nil, nil, err
	}
	t.Room = name
	data, err := s.ReadBytes(t.File)
	if err != nil {
		return nil, nil, err
	}
	file, err := chatagent.ReadFile(data, shell.Name(t.File))
	if err != nil {
		return nil, nil, err
	}
	for _, u := range file.Unknown {
		s.Screen.Note("agentflow: %s:%d: ignoring the unknown key %s", shell.Name(t.File), u.Line,
			term.OneLine(u.Path, 100))
	}
	dir, err := config.DataDir(s.DataDir)
	if err != nil {
		return nil, nil, err
	}
	settings, err := config.Load(dir)
	if err != nil {
		return nil, nil, err
	}
	models := engine.NewProviders(settings, config.NewSecrets(dir), record).Registry()
	if err := file.Check(shell.Name(t.File), models.Check); err != nil {
		return nil, nil, err
	}
	chosen, err := t.choose(file.Agents)
	for i := range chosen {
		chosen[i].Workspace = t.Workspace
		if len(chosen[i].Tools) > 0 && t.Workspace == "" {
			s.Screen.Note("agentflow: %s has tools but no folder to use them in. Use --workspace.",
				term.OneLine(chosen[i].Name, room.MaxName))
		}
	}
	return chosen, models, err
}

// choose are the agents that are meant.
func (t *Team) choose(all []chatagent.Config) ([]chatagent.Config, error) {
	if len(t.Names) == 0 {
		return all, nil
	}
	var chosen []chatagent.Config
	var known []string
	for _, c := range all {
		known = append(known, c.Name)
		if slices.Contains(t.Names, c.Name) {
			chosen = append(chosen, c)
		}
	}
	for _, name := range t.Names {
		if !slices.Contains(known, name) {
			return nil, errcode.New(errcode.NotFound,
				"%s has no agent %s. Its agents are: %s", shell.Name(t.File), name, strings.Join(known, ", ")).
				With(errcode.KeyFile, shell.Name(t.File))
		}
	}
	return chosen, nil
}

func (p program) joinCommand(f *hubflags.Flags) *cobra.Command {
	var t Team
	var prompts, once bool
	cmd := &cobra.Command{
		Use:   "join --room ROOM --agents agents.yml",
		Short: "Join a room with agents from a file",
		Args:  shell.Args(cobra.NoArgs),
		Long: `Join a room with the agents of an agents.yml. The hub can be on another computer. The agents
use the models of this computer. One line is printed for each agent that joined.

If the connection drops, it is restored without missed messages or duplicate replies. If the
hub isn't reachable yet, joining is retried, unless you use --no-wait.

Tool calls that need permission go to the hub's inbox. The hub receives the duration, tokens,
cost and error of each model call. Prompts and answers stay on this computer, unless you use
--tell-prompts.`,
		Example: "  agentflow chat join --room dev --agents agents.yml\n  agentflow chat join --url https://hub.example:18800 --room dev --agents agents.yml --agent Planner",
		RunE: p.Run(func(cmd *cobra.Command, _ []string) error {
			if err := needRoom(cmd, t.Room); err != nil {
				return err
			}
			if t.File == "" {
				return shell.Usage(cmd, "no agents given. Use --agents agents.yml.")
			}
			reporter := &usage.Reporter{Texts: prompts}
			agents, models, err := t.Read(p.Shell, reporter.Add)
			if err != nil {
				return err
			}
			return p.with(cmd.Context(), f, func(ctx context.Context, rooms *roomclient.Rooms) error {
				if once {
					if _, err := rooms.List(ctx, room.Range{Room: t.Room, Limit: 1}); err != nil {
						return err
					}
				}
				reporter.Call = rooms.Insist
				return p.join(ctx, rooms, t.Room, agents, models, reporter)
			})
		}),
	}
	t.AddTo(cmd)
	cmd.Flags().BoolVar(&once, "no-wait", false, "fail at once if the hub isn't reachable")
	cmd.Flags().BoolVar(&prompts, "tell-prompts", false, "also send prompts and answers to the hub while it records model calls")
	return cmd
}

// join runs the agents until one of them cannot be in the room, or the command is ended.
func (p program) join(
	ctx context.Context,
	rooms *roomclient.Rooms,
	name string,
	agents []chatagent.Config,
	models *llm.Registry,
	reporter *usage.Reporter,
) error {
	telling, told := context.WithCancel(context.WithoutCancel(ctx))
	var reporting sync.WaitGroup
	reporting.Go(func() { reporter.Run(telling) })
	defer reporting.Wait()
	defer told()
	instance := "cli-" + rand.Text()
	running, agentsCtx := errgroup.WithContext(ctx)
	var screen sync.Mutex
	dir, err := config.DataDir(p.DataDir)
	if err != nil {
		return err
	}
	held, err := config.LoadSandbox(dir)
	if err != nil {
		return err
	}
	shop := chatagent.Toolbox{Models: models, Sandbox: held, Logger: slog.New(slog.NewTextHandler(p.Screen.Err, nil)), Asker: func(c chatagent.Config, name string) tool.Asker {
		asker := rooms.Asker(name, c.Name)
		asker.Folder = c.Workspace
		return asker
	}}
	for _, c := range agents {
		joined := sync.OnceFunc(func() {
			screen.Lock()
			defer screen.Unlock()
			p.Screen.Print("joined %s as %s\n", term.OneLine(name, room.MaxName), term.OneLine(c.Name, room.MaxName))
			_ = p.Screen.Object(map[string]string{"room": name, "agent": c.Name}) // Screen.Failed tells at the end
		})
		running.Go(func() error {
			return chatagent.New(chatagent.Options{
				Config:    c,
				Room:      name,
				Instance:  instance,
				Link:      rooms,
				Responder: shop.Responder(c, name),
				Elsewhere: true,
				Joined:    joined,
			}).Run(agentsCtx)
		})
	}
	if err := running.Wait(); err != nil {
		return err
	}
	return context.Cause(ctx)
}
