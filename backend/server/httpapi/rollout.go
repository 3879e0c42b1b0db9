package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"agentflow/backend/base/config"
	"agentflow/backend/gateway/openclaw"
	"agentflow/backend/gateway/rollout"
	"agentflow/backend/server/httpapi/internal/trustapi"
	"agentflow/backend/team/consent"
	"agentflow/backend/team/library"
	"agentflow/backend/team/topology"
)

type previewTeam struct {
	TeamPath
	Body struct {
		DecisionsBody
	}
}

// DecisionsBody is what a person wants of an apply; huma sees embedded structs only if they are exported.
type DecisionsBody struct {
	Choices  map[string]topology.Choice `json:"choices,omitempty" doc:"Decisions on conflicts: conflict ID to mine, theirs or both. Default: none."`
	LeaveOut []string                   `json:"leaveOut,omitempty" maxItems:"100000" doc:"IDs of changes to leave out, at most 100000. Changes that need them are left out as well. Default: none."`
	Replace  bool                       `json:"replace,omitempty" doc:"For a team that was never imported from or applied to this gateway: delete the gateway's other agents. Otherwise no effect. Default: false, they join the team."`
}

// Preview says what an apply would do, and what the team asks of this computer.
type Preview struct {
	rollout.Preview
	Trust []consent.Standing `json:"trust" doc:"What the team asks for on this computer, if the built-in gateway runs it."`
}

type previewBody struct{ Body Preview }

func (s *Server) previewOut(ctx context.Context, id library.ID, p rollout.Preview, err error) (*previewBody, error) {
	out := new(previewBody)
	out.Body.Preview, out.Body.Trust = p, []consent.Standing{}
	if err != nil || p.Gateway != config.LocalGateway {
		return out, err
	}
	if id == "" { // a rollback to a config that the gateway had
		out.Body.Trust = s.Trust.Standings(config.LocalGateway, p.Draft)
		return out, nil
	}
	d, v, err := s.Library.Get(ctx, id)
	if err != nil {
		return out, err
	}
	shared, err := trustapi.Shared(ctx, s.Library, d, v.Topology, p.Draft, s.Applied())
	if err == nil {
		out.Body.Trust = s.Trust.StandingsOf(string(id), config.LocalGateway, p.Draft, shared)
	}
	return out, err
}

// allowed allows what the person agreed to in a review, as it would be applied now, and has the built-in gateway go by
// what this team is allowed.
func (s *Server) allowed(ctx context.Context, id library.ID, decided rollout.Decisions, list []consent.Seen) error {
	d, v, err := s.Library.Get(ctx, id)
	if err != nil || len(list) == 0 && d.Gateway != config.LocalGateway {
		return err
	}
	p, err := s.Rollout.Preview(ctx, id, decided)
	if err != nil {
		return err
	}
	if len(list) > 0 {
		if err := s.Trust.Allow(string(id), "", p.Draft, list); err != nil {
			return err
		}
	}
	if d.Gateway != config.LocalGateway {
		return nil
	}
	shared, err := trustapi.Shared(ctx, s.Library, d, v.Topology, p.Draft, s.Applied())
	if err != nil {
		return err
	}
	return s.Trust.HandOver(string(id), config.LocalGateway, p.Draft, shared)
}

type applyTeam struct {
	TeamPath
	Body struct {
		DecisionsBody
		Hash         string `json:"hash" doc:"baseHash of the preview. The apply is rejected if the gateway's config changed since."`
		Seen         string `json:"seen,omitempty" doc:"seen of the preview. The apply is rejected if it would do anything else. Default: not checked."`
		DeleteAgents bool   `json:"deleteAgents,omitempty" doc:"Agree to the deletions in the preview. Default: false."`
		Note         string `json:"note,omitempty" maxLength:"1000" doc:"Note for the history, at most 1000 characters. Default: none."`

		Trust []consent.Seen `json:"trust,omitempty" maxItems:"20000" doc:"Requests of the preview to allow with this apply. Agents that aren't allowed wait. Default: none."`
	}
}

type applyPath struct {
	ID rollout.ID `path:"id" maxLength:"40" doc:"ID of the apply or rollback."`
}

type applyBody struct {
	Body struct {
		Apply rollout.Apply `json:"apply"`
	}
}

type rollbackGateway struct {
	Name string `path:"name" maxLength:"100" doc:"Name of the gateway."`
	Body struct {
		SnapshotID   library.SnapshotID `json:"snapshotId" maxLength:"40" doc:"ID of the snapshot to restore."`
		Team         library.ID         `json:"team,omitempty" doc:"ID of the team that follows the rollback. Default: none."`
		DeleteAgents bool               `json:"deleteAgents,omitempty" doc:"Agree to delete agents that were added since. Default: false."`
		Hash         string             `json:"hash,omitempty" doc:"baseHash of the preview. The rollback is rejected if the gateway's config changed since. Default: not checked."`
		Keep         bool               `json:"keep,omitempty" doc:"Keep the draft, to apply it again. Default: false."`
		Secrets      []openclaw.Secret  `json:"secrets,omitempty" maxItems:"1000" doc:"Secrets that the gateway lost, at most 1000. Losses of the preview with the reason secret name them. Default: none, they are left out."`
	}
}

type previewRollback struct {
	GatewayPath
	Body struct {
		SnapshotID library.SnapshotID `json:"snapshotId" maxLength:"40" doc:"ID of the snapshot to restore."`
	}
}

type driftOf struct {
	TeamPath
	Gateway string `query:"gateway" maxLength:"100" doc:"Name of the gateway to compare with. Default: the team's own."`
}

type driftBody struct{ Body rollout.Drift }

type importTeam struct {
	TeamPath
	Body struct {
		Gateway string `json:"gateway,omitempty" maxLength:"100" doc:"Name of the gateway to import from, at most 100 characters. Default: the team's own."`
	}
}

type importedBody struct {
	Body struct {
		Team     *Team              `json:"team"`
		Changes  topology.ChangeSet `json:"changes" doc:"What the import changed."`
		Warnings []openclaw.Finding `json:"warnings" doc:"Keys that AgentFlow doesn't know. They are kept."`
	}
}

func (s *Server) rolloutRoutes() {
	const tag = "apply"
	huma.Register(s.api, op(http.MethodPost, "/api/teams/{id}/preview", "previewTeam", "Preview an apply\n"+
		"Reads the gateway and shows what an apply would change, with conflicts and problems. Nothing is sent.", tag), handler(s, func(ctx context.Context, in *previewTeam) (*previewBody, error) {
		p, err := s.Rollout.Preview(ctx, in.ID, rollout.Decisions(in.Body.DecisionsBody))
		return s.previewOut(ctx, in.ID, p, err)
	}))
	start := op(http.MethodPost, "/api/teams/{id}/apply", "applyTeam", "Apply a team\n"+
		"Sends the changes that the preview showed to the gateway and verifies them. The answer comes at once; "+
		"follow the apply with `GET /api/applies/{id}`. CONFLICT with the reason `stale_base`: the gateway "+
		"changed since the preview.", tag)
	start.DefaultStatus = http.StatusAccepted
	huma.Register(s.api, start, handler(s, func(ctx context.Context, in *applyTeam) (*applyBody, error) {
		if err := s.allowed(ctx, in.ID, rollout.Decisions(in.Body.DecisionsBody), in.Body.Trust); err != nil {
			return nil, err
		}
		return applyOut(s.Rollout.Start(ctx, in.ID, rollout.Request{
			Decisions: rollout.Decisions(in.Body.DecisionsBody), Hash: in.Body.Hash, Seen: in.Body.Seen, DeleteAgents: in.Body.DeleteAgents, Note: in.Body.Note,
		}))
	}))
	back := op(http.MethodPost, "/api/gateways/{name}/rollback", "rollbackGateway", "Roll back a gateway\n"+
		"Restores a snapshot of the gateway's config. The answer comes at once; follow it with `GET "+
		"/api/applies/{id}`.", tag)
	back.DefaultStatus = http.StatusAccepted
	huma.Register(s.api, back, handler(s, func(ctx context.Context, in *rollbackGateway) (*applyBody, error) {
		b := in.Body
		return applyOut(s.Rollout.Rollback(ctx, rollout.RollbackRequest{
			Gateway: in.Name, To: b.SnapshotID, Team: b.Team, DeleteAgents: b.DeleteAgents, Hash: b.Hash, Keep: b.Keep,
			Secrets: b.Secrets,
		}))
	}))
	huma.Register(s.api, op(http.MethodPost, "/api/gateways/{name}/rollback-preview", "previewRollback", "Preview a rollback\n"+
		"Reads the gateway and shows what a rollback would change. Nothing is sent.", tag), handler(s, func(ctx context.Context, in *previewRollback) (*previewBody, error) {
		p, err := s.Rollout.PreviewRollback(ctx, in.Name, in.Body.SnapshotID)
		return s.previewOut(ctx, "", p, err)
	}))
	huma.Register(s.api, op(http.MethodGet, "/api/teams/{id}/drift", "driftOfTeam", "Get drift\n"+
		"Reads the gateway and lists the differences from the team. Nothing is changed.", tag), handler(s, func(ctx context.Context, in *driftOf) (*driftBody, error) {
		d, err := s.Rollout.Drift(ctx, in.ID, in.Gateway)
		d.Drawn, d.Held = filled(&d.Drawn), filled(&d.Held)
		return &driftBody{Body: d}, err
	}))
	huma.Register(s.api, op(http.MethodPost, "/api/teams/{id}/keep-mine", "keepMine", "Keep the draft after drift\n"+
		"Accepts the gateway's config as the new base and leaves the draft as it is. The next preview shows "+
		"everything that differs.", tag), handler(s, func(ctx context.Context, in *TeamPath) (*teamBody, error) {
		if err := s.Rollout.KeepMine(ctx, in.ID); err != nil {
			return nil, err
		}
		return body(s.team(ctx, in.ID))
	}))
	huma.Register(s.api, op(http.MethodGet, "/api/applies/{id}", "getApply", "Get an apply\n"+
		"Shows how far an apply or a rollback is. Poll it, or follow `/api/events`.", tag), handler(s, func(_ context.Context, in *applyPath) (*applyBody, error) {
		return applyOut(s.Rollout.Apply(in.ID))
	}))
	huma.Register(s.api, op(http.MethodPost, "/api/applies/{id}/cancel", "cancelApply", "Cancel an apply\n"+
		"Works only while nothing was sent to the gateway. After that the answer is CONFLICT.", tag), handler(s, func(_ context.Context, in *applyPath) (*applyBody, error) {
		return applyOut(s.Rollout.Cancel(in.ID))
	}))
	huma.Register(s.api, op(http.MethodPost, "/api/teams/{id}/import", "importTeam", "Import a gateway's team\n"+
		"Reads the gateway and replaces the draft with what it runs. You can undo this. The gateway doesn't "+
		"change.", tag), handler(s, s.importTeam))
	huma.Register(s.api, op(http.MethodPost, "/api/teams/{id}/discard", "discardTeam", "Discard unapplied changes\n"+
		"Resets the draft to the team that its gateway runs. You can undo this. A team that its gateway never had "+
		"is answered with CONFLICT.", tag), handler(s, func(ctx context.Context, in *TeamPath) (*teamBody, error) {
		d, v, err := s.Rollout.Discard(ctx, in.ID)
		if err != nil {
			return nil, err
		}
		return body(s.view(ctx, d, v))
	}))
}

// appliedHash is the hash of the built-in gateway's config.
func (s *Server) appliedHash() string {
	for _, g := range s.Fleet.Gateways() {
		if g.Builtin {
			return g.ConfigHash
		}
	}
	return ""
}

func applyOut(a rollout.Apply, err error) (*applyBody, error) {
	out := new(applyBody)
	out.Body.Apply = a
	return out, err
}

func (s *Server) importTeam(ctx context.Context, in *importTeam) (*importedBody, error) {
	got, err := s.Rollout.Import(ctx, in.ID, in.Body.Gateway)
	if err != nil {
		return nil, err
	}
	out := new(importedBody)
	out.Body.Changes, out.Body.Warnings = got.Changes, got.Warnings
	if out.Body.Changes == nil {
		out.Body.Changes = topology.ChangeSet{}
	}
	if out.Body.Warnings == nil {
		out.Body.Warnings = []openclaw.Finding{}
	}
	out.Body.Team, err = s.team(ctx, in.ID)
	return out, err
}
