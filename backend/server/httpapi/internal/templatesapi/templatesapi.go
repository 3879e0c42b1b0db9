// Package templatesapi serves what stands beside the teams in use: templates, and teams
// that were deleted.
package templatesapi

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"agentflow/backend/base/errcode"
	"agentflow/backend/server/httperr"
	"agentflow/backend/team/example"
	"agentflow/backend/team/library"
	"agentflow/backend/team/lint"
	"agentflow/backend/team/thumbnail"
	"agentflow/backend/team/topology"
)

// Template is a team to start from: one of the product's, or one that a person kept.
type Template struct {
	ID          string    `json:"id"`
	Name        string    `json:"name"`
	Description string    `json:"description"`
	Own         bool      `json:"own" doc:"You created it, so you can change and delete it."`
	CreatedAt   time.Time `json:"createdAt,omitzero"`
	Agents      int       `json:"agents"`
	Sketch      string    `json:"sketch" doc:"Small picture (SVG)."`
}

// DeletedTeam is a team that can be brought back.
type DeletedTeam struct {
	ID          library.ID        `json:"id"`
	Name        string            `json:"name"`
	Gateway     string            `json:"gateway"`
	Head        library.VersionID `json:"head"`
	DeletedAt   time.Time         `json:"deletedAt"`
	Agents      int               `json:"agents"`
	Connections int               `json:"connections"`
}

type templatesQuery struct {
	Language string `query:"language" default:"en" enum:"en,ja" doc:"Language of the built-in templates. Default: en."`
}

type templatesBody struct {
	Body struct {
		Templates []Template `json:"templates"`
	}
}

type keepTemplate struct {
	Body struct {
		Team        library.ID `json:"team" maxLength:"40" doc:"ID of the team to save as a template."`
		Name        string     `json:"name" minLength:"1" maxLength:"200" doc:"Name of the template, at most 200 characters."`
		Description string     `json:"description,omitempty" maxLength:"500" doc:"Description of the template, at most 500 characters. Default: none."`
	}
}

type keptTemplate struct {
	Body struct {
		Template Template `json:"template"`
		Removed  int      `json:"removed" doc:"Number of secrets that were removed."`
	}
}

type teamPath struct {
	ID library.ID `path:"id" maxLength:"40" doc:"ID of the deleted team."`
}

// TemplatePath names a template that a person kept.
type TemplatePath struct {
	ID library.TemplateID `path:"id" maxLength:"40" doc:"ID of the template."`
}

type amendTemplate struct {
	TemplatePath
	Body struct {
		Name        string `json:"name" minLength:"1" maxLength:"200" doc:"New name, at most 200 characters."`
		Description string `json:"description,omitempty" maxLength:"500" doc:"New description, at most 500 characters."`
	}
}

type templateBody struct{ Body Template }

type deletedBody struct {
	Body struct {
		Teams []DeletedTeam `json:"teams"`
	}
}

// Routes are the routes of templates and deleted teams.
type Routes struct {
	Library *library.Library
	Archive *library.Archive
	Logger  *slog.Logger
}

// Register adds the routes to an API.
func (s *Routes) Register(api huma.API) {
	const tag = "teams"
	huma.Register(api, httperr.Route(http.MethodGet, "/api/templates", "listTemplates", "List templates\n"+
		"Built-in templates come first, then your own by name.", tag), httperr.Handler(s.Logger, s.listTemplates))
	keep := httperr.Route(http.MethodPost, "/api/templates", "keepTemplate", "Create a template\n"+
		"Saves a team as a template, without secrets.", tag)
	keep.DefaultStatus = http.StatusCreated
	huma.Register(api, keep, httperr.Handler(s.Logger, s.keepTemplate))
	huma.Register(api, httperr.Route(http.MethodPatch, "/api/templates/{id}", "amendTemplate", "Update a template\n"+
		"Changes its name and description.", tag), httperr.Handler(s.Logger, func(ctx context.Context, in *amendTemplate) (*templateBody, error) {
		return ownTemplateBody(s.Archive.AmendTemplate(ctx, in.ID, in.Body.Name, in.Body.Description))
	}))
	remove := httperr.Route(http.MethodDelete, "/api/templates/{id}", "deleteTemplate", "Delete a template\n"+
		"You can restore it with `undelete`. Built-in templates can't be deleted.", tag)
	remove.DefaultStatus = http.StatusNoContent
	huma.Register(api, remove, httperr.Handler(s.Logger, func(ctx context.Context, in *TemplatePath) (*struct{}, error) {
		_, err := s.Archive.SetTemplateDeleted(ctx, in.ID, true)
		return nil, err
	}))
	huma.Register(api, httperr.Route(http.MethodPost, "/api/templates/{id}/undelete", "undeleteTemplate", "Restore a deleted template", tag), httperr.Handler(s.Logger, func(ctx context.Context, in *TemplatePath) (*templateBody, error) {
		return ownTemplateBody(s.Archive.SetTemplateDeleted(ctx, in.ID, false))
	}))
	huma.Register(api, httperr.Route(http.MethodGet, "/api/deleted-teams", "listDeletedTeams", "List deleted teams\n"+
		"The last deleted team comes first. You can restore each of them.", tag), httperr.Handler(s.Logger, s.listDeleted))
	purge := httperr.Route(http.MethodDelete, "/api/deleted-teams/{id}", "purgeTeam", "Delete a team permanently\n"+
		"Deletes a deleted team with its history. This can't be undone.", tag)
	purge.DefaultStatus = http.StatusNoContent
	huma.Register(api, purge, httperr.Handler(s.Logger, func(ctx context.Context, in *teamPath) (*struct{}, error) {
		return nil, s.Archive.Purge(ctx, in.ID)
	}))
}

func (s *Routes) listTemplates(ctx context.Context, in *templatesQuery) (*templatesBody, error) {
	own, err := s.Archive.Templates(ctx)
	if err != nil {
		return nil, err
	}
	out := new(templatesBody)
	for _, t := range example.Templates(in.Language) {
		out.Body.Templates = append(
			out.Body.Templates,
			Template{
				ID:          t.ID,
				Name:        t.Name,
				Description: t.Description,
				Agents:      len(t.Topology.Agents),
				Sketch:      string(thumbnail.SVG(&t.Topology)),
			},
		)
	}
	for _, t := range own {
		out.Body.Templates = append(out.Body.Templates, ownTemplate(t))
	}
	return out, nil
}

func ownTemplate(t library.Template) Template {
	return Template{
		ID:          string(t.ID),
		Name:        t.Name,
		Description: t.Description,
		Own:         true,
		CreatedAt:   t.CreatedAt,
		Agents:      len(t.Topology.Agents),
		Sketch:      string(thumbnail.SVG(t.Topology)),
	}
}

func ownTemplateBody(t library.Template, err error) (*templateBody, error) {
	if err != nil {
		return nil, err
	}
	return &templateBody{Body: ownTemplate(t)}, nil
}

func (s *Routes) keepTemplate(ctx context.Context, in *keepTemplate) (*keptTemplate, error) {
	_, v, err := s.Library.Get(ctx, in.Body.Team)
	if err != nil {
		return nil, err
	}
	clean, removed := lint.WithoutSecrets(v.Topology)
	t, err := s.Archive.KeepTemplate(ctx,
		library.Template{Name: in.Body.Name, Description: in.Body.Description, Topology: clean})
	if err != nil {
		return nil, err
	}
	out := new(keptTemplate)
	out.Body.Template, out.Body.Removed = ownTemplate(t), len(removed)
	return out, nil
}

// FromTemplate finds the team of a template: the example, one of the product's, or one
// that was kept. It may be changed.
func (s *Routes) FromTemplate(ctx context.Context, id, lang string) (*topology.Topology, error) {
	if id == "example" {
		return example.Team(lang), nil
	}
	for _, t := range example.Templates(lang) {
		if t.ID == id {
			return &t.Topology, nil
		}
	}
	own, err := s.Archive.Template(ctx, library.TemplateID(id))
	if errcode.Is(err, errcode.NotFound) {
		return nil, errcode.New(errcode.Validation, "there is no template %q", id).With(errcode.KeyField, "template")
	}
	if err != nil {
		return nil, err
	}
	t := own.Topology.Clone()
	t.Name = own.Name
	return t, nil
}

func (s *Routes) listDeleted(ctx context.Context, _ *struct{}) (*deletedBody, error) {
	all, err := s.Archive.Deleted(ctx)
	if err != nil {
		return nil, err
	}
	out := new(deletedBody)
	out.Body.Teams = []DeletedTeam{}
	for _, d := range all {
		v, err := s.Library.Version(ctx, d.ID, d.Head)
		if err != nil {
			return nil, err
		}
		row := DeletedTeam{ID: d.ID, Name: d.Name, Gateway: d.Gateway, Head: d.Head, DeletedAt: d.DeletedAt}
		row.Agents, row.Connections = Counts(v.Topology)
		out.Body.Teams = append(out.Body.Teams, row)
	}
	return out, nil
}

// Counts counts a team's agents and connections.
func Counts(t *topology.Topology) (agents, connections int) {
	for i := range t.Agents {
		connections += len(t.Agents[i].Connections)
	}
	return len(t.Agents), connections
}
