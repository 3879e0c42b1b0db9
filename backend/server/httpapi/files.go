package httpapi

import (
	"cmp"
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"agentflow/backend/server/httpapi/internal/filesapi"
	"agentflow/backend/server/httpapi/internal/templatesapi"
	"agentflow/backend/team/library"
	"agentflow/backend/team/teamfile"
	"agentflow/backend/team/topology"
)

type importFile struct {
	TeamPath
	Body struct {
		Text     string `json:"text" maxLength:"10485760" doc:"Text of the file, at most 10 MiB."`
		Filename string `json:"filename,omitempty" maxLength:"400" doc:"Name of the file, at most 400 characters. Default: team."`
	}
}

func (s *Server) fileRoutes() {
	in := op(http.MethodPost, "/api/teams/{id}/import-file", "importFile", "Import a team file\n"+
		"Replaces the draft with the team in the file. You can undo this.", "files")
	in.MaxBodyBytes = largeBody
	huma.Register(s.api, in, handler(s, s.importFile))
	s.templates = &templatesapi.Routes{Library: s.Library, Archive: s.Archive, Logger: s.Logger}
	s.templates.Register(s.api)
	routes := filesapi.Routes{
		StartupFiles: s.StartupFiles,
		Record:       s.Trust,
		Library:      s.Library, Archive: s.Archive, Logger: s.Logger,
		DefaultGateway: func() string { return s.Fleet.Default() },
		CheckGateway:   func(name string) error { _, err := s.Fleet.Target(name); return err },
		GatewayURL:     s.gatewayURL,
	}
	routes.Register(s.api)
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
	t := filesapi.DrawnInto(head.Topology, &file.Team, file.Format)
	t.Name = cmp.Or(t.Name, head.Topology.Name)
	filesapi.Placed(t)
	if _, _, _, err := s.Library.Save(ctx, in.ID, head.ID, library.Step{Topology: t, Cause: library.Imported, Label: "import-file|" + name}); err != nil {
		return nil, err
	}
	out := new(importedBody)
	out.Body.Changes = topology.Diff(head.Topology, t)
	if out.Body.Changes == nil {
		out.Body.Changes = topology.ChangeSet{}
	}
	out.Body.Warnings = filesapi.Kept(file.Unknown)
	out.Body.Team, err = s.team(ctx, in.ID)
	return out, err
}

func (s *Server) gatewayURL(name string) string {
	for _, g := range s.Fleet.Gateways() {
		if g.Name == name {
			return g.URL
		}
	}
	return ""
}
