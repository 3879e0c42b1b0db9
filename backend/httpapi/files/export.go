package files

import (
	"context"

	"agentflow/backend/drawing"
	"agentflow/backend/openclaw"
	"agentflow/backend/teamfile"
	"agentflow/backend/topology"
	"agentflow/backend/topology/lint"
)

type exportDrawing struct {
	ID     drawing.ID `path:"id" maxLength:"40"`
	Format string     `query:"format" default:"agentflow" enum:"agentflow,openclaw-map,openclaw-list,openclaw-entries,agents-yml"`
}

type exportedBody struct {
	Body struct {
		Filename string          `json:"filename"`
		Text     string          `json:"text"`
		Losses   []openclaw.Loss `json:"losses"`
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

func (s *Routes) exportDrawing(ctx context.Context, in *exportDrawing) (*exportedBody, error) {
	d, v, err := s.Library.Get(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	var base *teamfile.Base
	if known, ok := d.Bases[d.Gateway]; ok {
		base = &teamfile.Base{Hash: known.Hash, Gateway: s.GatewayURL(d.Gateway)}
	}
	clean, secrets := lint.WithoutSecrets(v.Topology)
	text, lost, err := teamfile.Write(nil, clean, base)
	if err != nil {
		return nil, err
	}
	for _, x := range secrets {
		lost = append(lost, openclaw.Loss{Agent: x.Agent, Field: x.Field, Reason: openclaw.LossSecret, Message: x.Field + " holds a secret in clear, so it is left out"})
	}
	format := teamfile.Format(in.Format)
	if format != teamfile.AgentFlow {
		var more []openclaw.Loss
		if text, more, err = teamfile.Convert(text, format, teamfile.Options{File: d.Name}); err != nil {
			return nil, err
		}
		lost = append(lost, more...)
	}
	losses := append([]openclaw.Loss{}, lost...)
	out := new(exportedBody)
	out.Body.Filename, out.Body.Text, out.Body.Losses = format.FileName(d.Name), string(text), losses
	return out, nil
}
