package gatewaycmd

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/i18n"
	"agentflow/backend/cli/internal/shell"
	"agentflow/backend/gateway/openclaw"
	"agentflow/backend/team/teamfile"
	"agentflow/backend/team/topology"
)

// got is what gateway get says with --json.
type got struct {
	Gateway  string             `json:"gateway"`
	BaseHash string             `json:"baseHash"`
	File     string             `json:"file,omitempty"`
	Shape    openclaw.Shape     `json:"shape"`
	Team     *topology.Topology `json:"team"`
	Unknown  []openclaw.Finding `json:"unknown"`
	Warnings []openclaw.Finding `json:"warnings"`
	Losses   []openclaw.Loss    `json:"losses"`
}

func (p program) getCommand(f *gatewayFlags) *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:     "get",
		Short:   "Save the gateway's team to a team file",
		Args:    shell.Args(cobra.NoArgs),
		Long:    "Save the gateway's team to a team file. An existing file keeps the settings that the gateway\ndoesn't support: role, persona, positions and other connections.",
		Example: "  agentflow gateway get -o team.agentflow.yaml\n  agentflow gateway get --json",
		RunE: p.Run(func(cmd *cobra.Command, _ []string) error {
			existing, err := p.existingTeam(out)
			if err != nil {
				return err
			}
			return p.connect(cmd.Context(), f, func(ctx context.Context, c connection) error {
				return p.get(ctx, c, existing, out)
			})
		}),
	}
	shell.OutFlag(cmd, &out, "file to write (default: standard output)")
	return cmd
}

// existingTeam reads the team file that is to be written over; nil if there is none.
func (p program) existingTeam(out string) (*shell.Source, error) {
	if out == "" || out == shell.Stdin {
		return nil, nil
	}
	if info, err := os.Stat(out); errors.Is(err, fs.ErrNotExist) || err == nil && (info.Size() == 0 || !info.Mode().IsRegular()) {
		return nil, nil
	}
	src, err := p.ReadTeam(out)
	if err != nil {
		return nil, err
	}
	if src.File.Format != teamfile.AgentFlow {
		return nil, errcode.New(errcode.Validation,
			"%s has the format %s and isn't a team file. Use -o to choose another file.", out, src.File.Format).
			With(errcode.KeyFile, out)
	}
	return &src, nil
}

func (p program) get(ctx context.Context, c connection, existing *shell.Source, out string) error {
	snap, err := c.Read(ctx)
	if err != nil {
		return err
	}
	reading, err := snap.Reading()
	if err != nil {
		return err
	}
	team, old, err := c.adopt(reading, existing)
	if err != nil {
		return err
	}
	data, losses, err := teamfile.Write(old, team, &teamfile.Base{Hash: snap.Hash, Gateway: c.url})
	if err != nil {
		return err
	}
	if err := c.store.PutBase(c.url, snap); err != nil {
		return err
	}
	if existing != nil && !existing.Unchanged() {
		return errcode.New(errcode.Conflict,
			"%s changed while the gateway was read. Nothing was written. Run the command again.", out).
			With(errcode.KeyFile, out)
	}
	if err := p.WriteTeam(out, data); err != nil {
		return err
	}
	for _, w := range reading.Warnings {
		p.Screen.Note("warning: %s: %s", w.Path, p.Screen.Words(w.Message))
	}
	p.TellLosses(i18n.T("the file"), losses)
	p.tellGone(existing, team)
	if out != "" && out != shell.Stdin {
		agents, connections := shell.Counts(team)
		p.Screen.Print("%s: %s, %s, base %s\n", out, shell.Plural(agents, "agent"),
			shell.Plural(connections, "connection"), snap.Hash)
	}
	return p.Screen.Object(got{c.url, snap.Hash, out, reading.Shape, team, shell.OrNone(reading.Unknown),
		shell.OrNone(reading.Warnings), shell.OrNone(losses)})
}

// tellGone names the agents of the file that the gateway does not have.
func (p program) tellGone(existing *shell.Source, team *topology.Topology) {
	if existing == nil {
		return
	}
	for i := range existing.File.Team.Agents {
		if id := existing.File.Team.Agents[i].ID; id != "" {
			if _, there := team.Agent(id); !there {
				p.Screen.Note("removed from the file, because the gateway doesn't have it: agent %s", id)
			}
		}
	}
}

// adopt is the team of a reading on top of the file that is there, and that file's text.
func (c connection) adopt(reading openclaw.Reading, existing *shell.Source) (*topology.Topology, []byte, error) {
	limits := c.Capabilities().Limits
	if existing == nil {
		return openclaw.Adopt(reading, nil, nil, limits).Arrange(topology.LayoutOptions{}), nil, nil
	}
	var base *topology.Topology
	if b := existing.File.Base; b != nil {
		old, kept, err := c.store.Base(c.url, b.Hash)
		if err != nil {
			return nil, nil, err
		}
		if kept {
			was, err := old.Reading()
			if err != nil {
				return nil, nil, err
			}
			base = &was.Topology
		}
	}
	return openclaw.Adopt(reading, &existing.File.Team, base, limits), existing.Data, nil
}
