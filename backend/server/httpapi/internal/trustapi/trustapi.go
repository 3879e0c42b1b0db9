// Package trustapi serves what teams ask of this computer, and what the owner allowed. It
// translates and holds nothing.
package trustapi

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"reflect"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"agentflow/backend/base/config"
	"agentflow/backend/base/errcode"
	"agentflow/backend/server/httpapi/internal/filesapi"
	"agentflow/backend/server/httperr"
	"agentflow/backend/team/consent"
	"agentflow/backend/team/library"
	"agentflow/backend/team/topology"
	"agentflow/backend/team/trust"
)

// Routes are the routes about trust.
type Routes struct {
	Record  *consent.Record
	Library *library.Library
	Applied func() *topology.Topology // the team that the hub itself runs
	Hash    func() string             // of the config with that team
	Logger  *slog.Logger
}

// Team is what the agents of one team ask for.
type Team struct {
	Team   string             `json:"team" doc:"local for the applied team of the built-in gateway, or the ID of a saved team."`
	Name   string             `json:"name"`
	From   library.ID         `json:"from,omitempty" doc:"For local: the saved team that it came from, if known."`
	Agents []consent.Standing `json:"agents" doc:"Agents that ask for something."`
	Former []consent.Entry    `json:"former" doc:"Permissions of agents that no longer ask for anything."`
}

type teamsBody struct {
	Body struct {
		Teams []Team `json:"teams"`
	}
}

type teamBody struct{ Body Team }

// TeamPath names a team.
type TeamPath struct {
	Team string `path:"team" maxLength:"40" doc:"local for the applied team of the built-in gateway, or the ID of a saved team." example:"local"`
}

type allowBody struct {
	TeamPath
	Body struct {
		Agents []consent.Seen      `json:"agents" minItems:"1" maxItems:"20000" doc:"Requests to allow, as they were shown, 1 to 20000. All are allowed or none."`
		File   *filesapi.GivenFile `json:"file,omitempty" doc:"Team file that was shown, if it will be applied later. Default: the saved team."`
	}
}

type revokeBody struct {
	TeamPath
	Body struct {
		Agents []topology.AgentID `json:"agents,omitempty" maxItems:"20000" doc:"IDs of the agents, at most 20000. Default: all agents of the team."`
	}
}

// SchemaNamer names the types of the description that are about trust, or returns "": they begin
// with Trust.
func SchemaNamer(t reflect.Type, hint string) string {
	name := huma.DefaultSchemaNamer(t, hint)
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	switch t.PkgPath() {
	case reflect.TypeFor[trust.Request]().PkgPath(), reflect.TypeFor[consent.Standing]().PkgPath(), reflect.TypeFor[Team]().PkgPath():
		return "Trust" + name
	}
	return ""
}

// Register adds the routes.
func (s *Routes) Register(api huma.API) {
	const tag, at = "trust", "/api/trust"
	huma.Register(api, httperr.Route(http.MethodGet, at, "listTrust", "List permissions of teams\n"+
		"Lists what the agents of each team can do on this computer, and what they ask for.", tag), httperr.Handler(s.Logger, s.list))
	huma.Register(api, httperr.Route(http.MethodGet, at+"/{team}", "showTrust", "Get a team's permissions\n"+
		"Lists what the team's agents ask for on this computer.", tag), httperr.Handler(s.Logger, func(ctx context.Context, in *TeamPath) (*teamBody, error) {
		return s.team(ctx, in.Team)
	}))
	allow := httperr.Route(http.MethodPost, at+"/{team}/allow", "allowTrust", "Allow a team's requests\n"+
		"Allows exactly what was shown, all of it or nothing. CONFLICT if an agent asks for something else by "+
		"now.", tag)
	allow.MaxBodyBytes = httperr.LargeBody
	huma.Register(api, allow, httperr.Handler(s.Logger, s.allow))
	huma.Register(api,
		httperr.Route(http.MethodPost, at+"/{team}/revoke", "revokeTrust", "Revoke a team's permissions", tag),
		httperr.Handler(s.Logger, s.revoke))
}

// Shared returns what a saved team has in common with the applied team of the built-in gateway. t is the team as it is
// or would be applied, own is the team as it is saved. Same are the agents that are applied as t has them, or as the
// team had them when the two were the same last; a team that was never applied there or read from it has none, however
// alike the two are. Where another gateway runs the team, they have nothing in common.
func Shared(
	ctx context.Context, l *library.Library, d library.Team, own, t, applied *topology.Topology,
) (consent.Common, error) {
	if d.Gateway != config.LocalGateway {
		return consent.Common{}, nil
	}
	base, err := l.BaseTopology(ctx, d)
	if err != nil {
		return consent.Common{}, err
	}
	return inCommon(own, t, base, applied), nil
}

// inCommon returns the agents that are applied as t has them, or else as base has them. A config holds no workspace
// files, so those of the base are taken for those of the applied agent. base can be nil.
func inCommon(own, t, base, applied *topology.Topology) consent.Common {
	same, kept := &topology.Topology{}, &topology.Topology{}
	for _, now := range applied.Agents {
		var was *topology.Agent
		if base != nil {
			if was, _ = base.Agent(now.ID); was != nil {
				now.Files = was.Files
			}
		}
		in := same
		if _, ours := own.Agent(now.ID); !ours {
			in = kept
		} else if base == nil {
			continue
		}
		if a, there := t.Agent(now.ID); there && sameAgent(*a, now) {
			in.Agents = append(in.Agents, *a)
		} else if was != nil && sameAgent(*was, now) {
			in.Agents = append(in.Agents, *was)
		}
	}
	return consent.Common{Same: same, Kept: kept}
}

// sameAgent compares two agents without their connections and workspaces. A gateway fills in a workspace, and a
// foreign one is part of what an agent asks for.
func sameAgent(a, b topology.Agent) bool {
	a.Connections, b.Connections = nil, nil
	a.Workspace, b.Workspace = "", ""
	return a.Equal(b)
}

// found is a team with what it has in common with the applied one.
type found struct {
	Team
	topology *topology.Topology
	shared   consent.Common // nothing for the applied team itself
}

func (s *Routes) find(ctx context.Context, team string) (found, error) {
	if team == config.LocalGateway {
		t := s.Applied()
		from, err := s.appliedFrom(ctx)
		return found{Team{Team: team, Name: cmp.Or(t.Name, from.Name), From: from.ID}, t, consent.Common{}}, err
	}
	d, v, err := s.Library.Get(ctx, library.ID(team))
	if err == nil && !d.DeletedAt.IsZero() {
		err = errcode.New(errcode.NotFound, "the team %s is deleted. Restore it first.", d.Name)
	}
	if err != nil {
		return found{}, err
	}
	shared, err := Shared(ctx, s.Library, d, v.Topology, v.Topology, s.Applied())
	return found{Team{Team: team, Name: d.Name}, v.Topology, shared}, err
}

// appliedFrom returns the saved team that the applied team came from: the one that was applied or read last. If the
// config was changed in another way since, there is none.
func (s *Routes) appliedFrom(ctx context.Context) (out library.Team, err error) {
	var at time.Time
	hash := s.Hash()
	all, err := s.Library.List(ctx)
	for i := range all {
		if b, ok := all[i].Base(config.LocalGateway); ok && b.Hash == hash && !b.ReadAt.Before(at) {
			out, at = all[i], b.ReadAt
		}
	}
	return out, err
}

// told says how the team stands.
func (s *Routes) told(f found) *teamBody {
	f.Agents = s.Record.StandingsOf(f.Team.Team, config.LocalGateway, f.topology, f.shared)
	f.Former = s.Record.Former(f.Team.Team, f.topology)
	return &teamBody{f.Team}
}

func (s *Routes) team(ctx context.Context, team string) (*teamBody, error) {
	f, err := s.find(ctx, team)
	if err != nil {
		return nil, err
	}
	return s.told(f), nil
}

func (s *Routes) list(ctx context.Context, _ *struct{}) (*teamsBody, error) {
	out := &teamsBody{}
	out.Body.Teams = []Team{}
	all, err := s.Library.List(ctx)
	if err != nil {
		return nil, err
	}
	names := []string{config.LocalGateway}
	slices.SortFunc(all, func(a, b library.Team) int { return cmp.Compare(a.Name, b.Name) })
	for _, d := range all {
		names = append(names, string(d.ID))
	}
	for _, name := range names {
		t, err := s.team(ctx, name)
		if err != nil {
			return nil, err
		}
		if len(t.Body.Agents)+len(t.Body.Former) > 0 {
			out.Body.Teams = append(out.Body.Teams, t.Body)
		}
	}
	return out, nil
}

func (s *Routes) allow(ctx context.Context, in *allowBody) (*teamBody, error) {
	f, err := s.find(ctx, in.Team)
	if err != nil {
		return nil, err
	}
	shown, from := f.topology, string(f.From)
	if in.Body.File != nil { // which isn't the saved team that the applied team came from
		from = ""
		if shown, err = in.Body.File.Team(); err != nil {
			return nil, err
		}
	}
	if err := s.Record.Allow(f.Team.Team, from, shown, in.Body.Agents); err != nil {
		return nil, err
	}
	if err := s.handOver(ctx, f, in.Body.Agents); err != nil {
		return nil, err
	}
	f.topology = shown
	return s.told(f), nil
}

// handOver lets what a saved team was just allowed count at once for the agents that run as it has them. Agents that
// run for another saved team wait for an apply.
func (s *Routes) handOver(ctx context.Context, f found, list []consent.Seen) error {
	from, err := s.appliedFrom(ctx)
	if err != nil || f.shared.Same == nil || from.ID != "" && string(from.ID) != f.Team.Team {
		return err
	}
	runs := &topology.Topology{}
	for _, a := range s.Record.Standings(f.Team.Team, f.shared.Same) {
		who, is := f.shared.Same.Agent(a.Agent)
		if is && slices.Contains(list, consent.Seen{Agent: a.Agent, Hash: a.Hash}) {
			runs.Agents = append(runs.Agents, *who)
		}
	}
	return s.Record.HandOver(f.Team.Team, config.LocalGateway, runs, f.shared)
}

func (s *Routes) revoke(ctx context.Context, in *revokeBody) (*teamBody, error) {
	f, err := s.find(ctx, in.Team)
	if err != nil {
		return nil, err
	}
	if err := s.Record.Revoke(f.Team.Team, in.Body.Agents); err != nil {
		return nil, err
	}
	if f.Team.Team == config.LocalGateway {
		return s.told(f), s.revokeSaved(ctx, in.Body.Agents)
	}
	if err := s.revokeShared(config.LocalGateway, f.shared.Same, in.Body.Agents); err != nil {
		return nil, err
	}
	return s.told(f), nil
}

// revokeSaved revokes in the saved teams what they have in common with the applied team.
func (s *Routes) revokeSaved(ctx context.Context, agents []topology.AgentID) error {
	all, err := s.Library.List(ctx)
	for i := range all {
		if err != nil {
			return err
		}
		var f found
		if f, err = s.find(ctx, string(all[i].ID)); err == nil {
			err = s.revokeShared(f.Team.Team, f.shared.Same, agents)
		}
	}
	return err
}

// revokeShared revokes in a team what it has in common with another: of agents, or of all if there are none.
func (s *Routes) revokeShared(team string, shared *topology.Topology, agents []topology.AgentID) error {
	if shared == nil {
		return nil
	}
	var both []topology.AgentID
	for i := range shared.Agents {
		if id := shared.Agents[i].ID; len(agents) == 0 || slices.Contains(agents, id) {
			both = append(both, id)
		}
	}
	if len(both) == 0 {
		return nil
	}
	return s.Record.Revoke(team, both)
}
