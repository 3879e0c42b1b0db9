package httpapi

import (
	"cmp"
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"agentflow/backend/team/library"
	"agentflow/backend/team/teamblock"
	"agentflow/backend/team/topology"
)

// TeamPath has a team's ID. Huma sees embedded structs only if they are exported.
type TeamPath struct {
	ID library.ID `path:"id" maxLength:"40" doc:"ID of the team."`
}

type teamBody struct{ Body *Team }

type listTeams struct {
	Body struct {
		Teams []TeamSummary `json:"teams"`
	}
}

type createTeam struct {
	Body struct {
		Name     string             `json:"name,omitempty" maxLength:"200" doc:"Name of the team, at most 200 characters. Default: a name from its source."`
		Gateway  string             `json:"gateway,omitempty" maxLength:"100" doc:"Name of the target gateway, at most 100 characters. Default: the default gateway."`
		Topology *topology.Topology `json:"topology,omitempty" doc:"Team to start from. Default: an empty team."`
		Template string             `json:"template,omitempty" maxLength:"100" doc:"Template to start from: example, or the ID of a template. Default: none."`
		CopyOf   library.ID         `json:"copyOf,omitempty" doc:"ID of the team to copy. Default: none."`
		Import   string             `json:"import,omitempty" maxLength:"100" doc:"Name of the gateway to import from. Default: none."`
		Language string             `json:"language,omitempty" enum:"en,ja" doc:"Language of a built-in template. Default: en."`
	}
}

type saveTeam struct {
	TeamPath
	Body struct {
		Topology topology.Topology  `json:"topology" doc:"Whole team after the edit."`
		Head     library.VersionID  `json:"head" doc:"ID of the version that you edited. If it isn't the newest, both are merged."`
		Revision int64              `json:"revision,omitempty" doc:"Revision of that version. If it changed since, both edits are merged. Default: not checked."`
		Before   *topology.Topology `json:"before,omitempty" doc:"Team that you edited, if it isn't the version head: the one that you sent last, if it was merged. Default: the version head."`
		Label    string             `json:"label" maxLength:"400" doc:"Name of the edit for undo, at most 400 characters, as a text key with its parameter."`
		Coalesce string             `json:"coalesce,omitempty" maxLength:"200" doc:"Edits with the same key, each within a minute of the one before, are one undo step. Use a new key after a pause in typing. At most 200 characters. Default: none."`
	}
}

type savedTeam struct {
	Body struct {
		State    TeamState          `json:"state" doc:"State of the team after the edit."`
		Topology *topology.Topology `json:"topology,omitempty" doc:"Merged team. Present only if somebody else saved meanwhile."`

		Followed map[topology.AgentID]topology.Files `json:"followed,omitempty" doc:"Workspace files of agents, by ID of the agent and name, whose text follows the team and that this edit changed. Absent if there are none, or with a merged team."`
	}
}

type amendTeam struct {
	TeamPath
	Body struct {
		Name    string `json:"name,omitempty" maxLength:"200" doc:"New name, at most 200 characters. Default: unchanged."`
		Gateway string `json:"gateway,omitempty" maxLength:"100" doc:"New target gateway, at most 100 characters. Default: unchanged."`
	}
}

type layoutTeam struct {
	TeamPath
	Body struct {
		Only []topology.AgentID `json:"only,omitempty" doc:"IDs of the agents to arrange. Default: all agents."`
	}
}

func (s *Server) teamRoutes() {
	const tag = "teams"
	huma.Register(s.api, op(http.MethodGet, "/api/teams", "listTeams", "List teams\n"+
		"The team that changed last comes first.", tag), handler(s, s.listTeams))
	create := op(http.MethodPost, "/api/teams", "createTeam", "Create a team\n"+
		"Creates an empty team, or one from a template, a topology, another team or a gateway. Give at most one "+
		"source.", tag)
	create.DefaultStatus, create.MaxBodyBytes = http.StatusCreated, largeBody
	huma.Register(s.api, create, handler(s, s.createTeam))
	huma.Register(s.api, op(http.MethodGet, "/api/teams/{id}", "getTeam", "Get a team\n"+
		"Returns the team with its unapplied changes and problems.", tag), handler(s, func(ctx context.Context, in *TeamPath) (*teamBody, error) {
		return body(s.team(ctx, in.ID))
	}))
	save := op(http.MethodPut, "/api/teams/{id}", "saveTeam", "Save a team\n"+
		"Saves the whole team as one undo step. When the answer arrives, the edit is on disk. If somebody else "+
		"saved meanwhile, both edits are merged and the answer holds the result.", tag)
	save.MaxBodyBytes = largeBody
	huma.Register(s.api, save, handler(s, s.saveTeam))
	huma.Register(s.api, op(http.MethodPatch, "/api/teams/{id}", "amendTeam", "Update a team's name or gateway\n"+
		"Fields that are absent don't change.", tag), handler(s, s.amendTeam))
	remove := op(http.MethodDelete, "/api/teams/{id}", "deleteTeam", "Delete a team\n"+
		"You can restore it with `undelete`. The gateway doesn't change.", tag)
	remove.DefaultStatus = http.StatusNoContent
	huma.Register(s.api, remove, handler(s, func(ctx context.Context, in *TeamPath) (*struct{}, error) {
		_, err := s.Library.SetDeleted(ctx, in.ID, true)
		return nil, err
	}))
	huma.Register(s.api, op(http.MethodPost, "/api/teams/{id}/undelete", "undeleteTeam", "Restore a deleted team", tag), handler(s, func(ctx context.Context, in *TeamPath) (*teamBody, error) {
		if _, err := s.Library.SetDeleted(ctx, in.ID, false); err != nil {
			return nil, err
		}
		return body(s.team(ctx, in.ID))
	}))
	s.travelRoute("undo", "undoTeam", "Undo the last edit\nCONFLICT with the reason `nothing_to_undo` if there is none.", s.Library.Undo)
	s.travelRoute("redo", "redoTeam", "Redo an edit\nRepeats the edit that was undone last. CONFLICT with the reason `nothing_to_redo` if there is none.", s.Library.Redo)
	s.messageRoutes()
	huma.Register(s.api, op(http.MethodPost, "/api/teams/{id}/layout", "layoutTeam", "Arrange the agents\n"+
		"Places the agents in layers. This is one undo step.", tag), handler(s, s.layoutTeam))
}

func (s *Server) travelRoute(verb, id, summary string, travel func(context.Context, library.ID) (library.Team, library.Version, error)) {
	huma.Register(s.api, op(http.MethodPost, "/api/teams/{id}/"+verb, id, summary, "teams"), handler(s, func(ctx context.Context, in *TeamPath) (*teamBody, error) {
		d, v, err := travel(ctx, in.ID)
		if err != nil {
			return nil, err
		}
		return body(s.view(ctx, d, v))
	}))
}

func body(d *Team, err error) (*teamBody, error) {
	if err != nil {
		return nil, err
	}
	return &teamBody{Body: d}, nil
}

func (s *Server) listTeams(ctx context.Context, _ *struct{}) (*listTeams, error) {
	all, err := s.summaries(ctx)
	out := new(listTeams)
	out.Body.Teams = all
	return out, err
}

func (s *Server) createTeam(ctx context.Context, in *createTeam) (*teamBody, error) {
	if in.Body.Import != "" {
		d, v, err := s.Rollout.Draw(ctx, in.Body.Import, &topology.Topology{Name: cmp.Or(in.Body.Name, in.Body.Import)})
		if err != nil {
			return nil, err
		}
		return body(s.view(ctx, d, v))
	}
	t, gateway, err := s.startingPoint(ctx, in)
	if err != nil {
		return nil, err
	}
	if in.Body.Gateway != "" {
		gateway = in.Body.Gateway
	}
	if gateway == "" {
		gateway = s.Fleet.Default()
	}
	if in.Body.Template != "" {
		taken, err := s.taken(ctx, gateway)
		if err != nil {
			return nil, err
		}
		t = t.Clone() // the template stays as it is
		topology.Apart(t, taken)
	}
	if in.Body.Name != "" {
		t.Name = in.Body.Name
	}
	if t.Name == "" {
		t.Name = "Untitled"
		if in.Body.Language == "ja" {
			t.Name = "無題"
		}
	}
	d, v, err := s.Library.Create(ctx, library.Step{Topology: t, Label: "create", Gateway: gateway})
	if err != nil {
		return nil, err
	}
	return body(s.view(ctx, d, v))
}

func (s *Server) startingPoint(ctx context.Context, in *createTeam) (*topology.Topology, string, error) {
	switch {
	case in.Body.CopyOf != "":
		d, v, err := s.Library.Get(ctx, in.Body.CopyOf)
		if err != nil {
			return nil, "", err
		}
		return v.Topology.Clone(), d.Gateway, nil
	case in.Body.Topology != nil:
		return in.Body.Topology, "", nil
	case in.Body.Template != "":
		t, err := s.templates.FromTemplate(ctx, in.Body.Template, in.Body.Language)
		return t, "", err
	}
	return &topology.Topology{Agents: []topology.Agent{}}, "", nil
}

func (s *Server) saveTeam(ctx context.Context, in *saveTeam) (*savedTeam, error) {
	d, v, merged, err := s.Library.Save(ctx, in.ID, in.Body.Head, library.Step{
		Topology: &in.Body.Topology,
		Cause:    library.Edited,
		Label:    in.Body.Label,
		Coalesce: in.Body.Coalesce,
		Seen:     in.Body.Revision,
		Before:   in.Body.Before,
	})
	if err != nil {
		return nil, err
	}
	base, err := s.Library.BaseTopology(ctx, d)
	if err != nil {
		return nil, err
	}
	out := new(savedTeam)
	out.Body.State = s.state(ctx, d, v, base)
	if merged {
		both := filled(v.Topology)
		out.Body.Topology = &both
	} else {
		out.Body.Followed = teamblock.Followed(&in.Body.Topology, v.Topology)
	}
	return out, nil
}

func (s *Server) amendTeam(ctx context.Context, in *amendTeam) (*teamBody, error) {
	if in.Body.Gateway != "" {
		if _, err := s.Fleet.Target(in.Body.Gateway); err != nil {
			return nil, err
		}
		if _, err := s.Library.Retarget(ctx, in.ID, in.Body.Gateway); err != nil {
			return nil, err
		}
	}
	if in.Body.Name != "" {
		if _, err := s.Library.Rename(ctx, in.ID, in.Body.Name); err != nil {
			return nil, err
		}
	}
	return body(s.team(ctx, in.ID))
}

func (s *Server) layoutTeam(ctx context.Context, in *layoutTeam) (*teamBody, error) {
	_, head, err := s.Library.Get(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	t := head.Topology.Clone()
	t.Layout = topology.Layout(t, topology.LayoutOptions{Only: in.Body.Only})
	d, v, _, err := s.Library.Save(ctx, in.ID, head.ID,
		library.Step{Topology: t, Cause: library.LaidOut, Label: "layout"})
	if err != nil {
		return nil, err
	}
	return body(s.view(ctx, d, v))
}
