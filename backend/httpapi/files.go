package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"agentflow/backend/drawing"
	"agentflow/backend/openclaw"
	"agentflow/backend/teamfile"
	"agentflow/backend/topology"
)

type importFile struct {
	DrawingPath
	Body struct {
		Text     string `json:"text" maxLength:"10485760"`
		Filename string `json:"filename,omitempty" maxLength:"400"`
	}
}

type exportDrawing struct {
	DrawingPath
	Format string `query:"format" default:"agentflow" enum:"agentflow,openclaw-map,openclaw-list,openclaw-entries,agents-yml"`
}

type exportedBody struct {
	Body struct {
		Filename string          `json:"filename"`
		Text     string          `json:"text"`
		Losses   []openclaw.Loss `json:"losses"`
	}
}

func (s *Server) fileRoutes() {
	const tag = "files"
	in := op(http.MethodPost, "/api/drawings/{id}/import-file", "importFile", "Draw what a team file or config holds; can be undone", tag)
	in.MaxBodyBytes = largeBody
	huma.Register(s.api, in, handler(s, s.importFile))
	huma.Register(s.api, op(http.MethodGet, "/api/drawings/{id}/export", "exportDrawing", "The drawing as a file, without secrets", tag), handler(s, s.exportDrawing))
}

func (s *Server) importFile(ctx context.Context, in *importFile) (*importedBody, error) {
	name := in.Body.Filename
	if name == "" {
		name = "team"
	}
	file, err := teamfile.Read([]byte(in.Body.Text), name)
	if err != nil {
		return nil, err
	}
	_, head, err := s.Library.Get(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	t := &file.Team
	if t.Name == "" {
		t.Name = head.Topology.Name
	}
	if file.Format != teamfile.AgentFlow {
		t = topology.Adopt(head.Topology, t, nil, file.Format.Held())
	}
	if len(t.Layout) < len(t.Agents) {
		t.Layout = withPlaces(t)
	}
	if _, _, _, err := s.Library.Save(ctx, in.ID, head.ID, drawing.Step{Topology: t, Cause: drawing.Imported, Label: "import-file|" + name}); err != nil {
		return nil, err
	}
	out := new(importedBody)
	out.Body.Changes = topology.Diff(head.Topology, t)
	if out.Body.Changes == nil {
		out.Body.Changes = topology.ChangeSet{}
	}
	out.Body.Warnings = []openclaw.Finding{}
	for _, u := range file.Unknown {
		out.Body.Warnings = append(out.Body.Warnings, openclaw.Finding{Path: u.Path, Line: u.Line, Message: "kept as it is"})
	}
	out.Body.Drawing, err = s.drawing(ctx, in.ID)
	return out, err
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

func (s *Server) exportDrawing(ctx context.Context, in *exportDrawing) (*exportedBody, error) {
	d, v, err := s.Library.Get(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	var base *teamfile.Base
	if known, ok := d.Bases[d.Gateway]; ok {
		base = &teamfile.Base{Hash: known.Hash, Gateway: s.gatewayURL(d.Gateway)}
	}
	text, lost, err := teamfile.Write(nil, v.Topology, base)
	if err != nil {
		return nil, err
	}
	format := teamfile.Format(in.Format)
	if format != teamfile.AgentFlow {
		var more []openclaw.Loss
		if text, more, err = teamfile.Convert(text, format, teamfile.Options{File: d.Name}); err != nil {
			return nil, err
		}
		lost = append(lost, more...)
	}
	out := new(exportedBody)
	out.Body.Filename, out.Body.Text, out.Body.Losses = format.FileName(d.Name), string(text), losses(lost)
	return out, nil
}

func (s *Server) gatewayURL(name string) string {
	for _, g := range s.Fleet.Gateways() {
		if g.Name == name {
			return g.URL
		}
	}
	return ""
}
