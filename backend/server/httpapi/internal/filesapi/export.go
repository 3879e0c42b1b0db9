package filesapi

import (
	"context"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/openclaw"
	"agentflow/backend/team/library"
	"agentflow/backend/team/lint"
	"agentflow/backend/team/teamfile"
	"agentflow/backend/team/topology"
)

type exportTeam struct {
	ID     library.ID `path:"id" maxLength:"40" doc:"ID of the team."`
	Format string     `query:"format" default:"agentflow" enum:"agentflow,openclaw-map,openclaw-list,openclaw-entries,agents-yml" doc:"File format: AgentFlow's own, one of three shapes of an OpenClaw config, or agents.yml. Default: agentflow."`
}

type exportedBody struct {
	Body struct {
		Filename string          `json:"filename" doc:"Suggested file name."`
		Text     string          `json:"text" doc:"Text of the file."`
		Losses   []openclaw.Loss `json:"losses" doc:"What the file can't hold."`
	}
}

func withPlaces(t *topology.Topology) map[topology.AgentID]topology.Point {
	var only []topology.AgentID
	for _, a := range t.Agents {
		if _, ok := t.Layout[a.ID]; !ok {
			only = append(only, a.ID)
		}
	}
	if len(only) == len(t.Agents) {
		only = nil
	}
	return topology.Layout(t, topology.LayoutOptions{Only: only})
}

func (s *Routes) exportTeam(ctx context.Context, in *exportTeam) (*exportedBody, error) {
	name, text, lost, err := s.teamText(ctx, in.ID, nil)
	if err != nil {
		return nil, err
	}
	format := teamfile.Format(in.Format)
	if format != teamfile.AgentFlow {
		var more []openclaw.Loss
		if text, more, err = teamfile.Convert(text, format, teamfile.Options{File: name}); err != nil {
			return nil, err
		}
		lost = append(lost, more...)
	}
	return exported(format.FileName(name), text, lost), nil
}

type rewriteFile struct {
	ID   library.ID `path:"id" maxLength:"40" doc:"ID of the team."`
	Body struct {
		Filename string `json:"filename" minLength:"1" maxLength:"400" doc:"Name of the file, 1 to 400 characters."`
		Text     string `json:"text" maxLength:"10485760" doc:"Current text of the file, at most 10 MiB."`
	}
}

// rewriteFile writes the saved team over a team file: what the file says besides, its
// comments and its order stay.
func (s *Routes) rewriteFile(ctx context.Context, in *rewriteFile) (*exportedBody, error) {
	_, text, lost, err := s.teamText(ctx, in.ID, []byte(in.Body.Text))
	if err != nil {
		return nil, errcode.From(err).With(errcode.KeyFile, in.Body.Filename)
	}
	return exported(in.Body.Filename, text, lost), nil
}

func exported(name string, text []byte, lost []openclaw.Loss) *exportedBody {
	out := new(exportedBody)
	out.Body.Filename, out.Body.Text, out.Body.Losses = name, string(text), append([]openclaw.Loss{}, lost...)
	return out
}

// teamText is the team's name and its team file, written over an existing one or
// fresh, without secrets.
func (s *Routes) teamText(
	ctx context.Context,
	id library.ID,
	existing []byte,
) (string, []byte, []openclaw.Loss, error) {
	d, v, err := s.Library.Get(ctx, id)
	if err != nil {
		return "", nil, nil, err
	}
	var base *teamfile.Base
	if known, ok := d.Base(d.Gateway); ok {
		base = &teamfile.Base{Hash: known.Hash, Gateway: s.GatewayURL(d.Gateway)}
	}
	clean, secrets := lint.WithoutSecrets(v.Topology)
	text, lost, err := teamfile.Write(existing, clean, base)
	if err != nil {
		return "", nil, nil, err
	}
	for _, x := range secrets {
		lost = append(
			lost,
			openclaw.Loss{
				Agent:   x.Agent,
				Field:   x.Field,
				Reason:  openclaw.LossSecret,
				Message: x.Field + " holds a secret in clear, so it is left out",
			},
		)
	}
	return d.Name, text, lost, nil
}
