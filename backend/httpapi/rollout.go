package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"agentflow/backend/config"
	"agentflow/backend/drawing"
	trustapi "agentflow/backend/httpapi/trust"
	"agentflow/backend/openclaw"
	"agentflow/backend/rollout"
	"agentflow/backend/topology"
	"agentflow/backend/trust/consent"
)

type previewDrawing struct {
	DrawingPath
	Body struct {
		WishBody
	}
}

// WishBody is what a person wants of an apply; huma sees embedded structs only if they are exported.
type WishBody struct {
	Choices  map[string]topology.Choice `json:"choices,omitempty" doc:"answers to conflicts, by their id"`
	LeaveOut []string                   `json:"leaveOut,omitempty" maxItems:"100000" doc:"ids of changes that stay drawn and are not applied; what needs them is left out as well"`
}

// Preview says what an apply would do, and what the team asks of this computer.
type Preview struct {
	rollout.Preview
	Trust []consent.Standing `json:"trust" doc:"what the team asks of this computer, if the built-in gateway runs it"`
}

type previewBody struct{ Body Preview }

func (s *Server) previewOut(p rollout.Preview, err error) (*previewBody, error) {
	out := new(previewBody)
	out.Body.Preview, out.Body.Trust = p, []consent.Standing{}
	if err == nil && p.Gateway == config.LocalGateway {
		out.Body.Trust = s.Trust.Standings(config.LocalGateway, p.Draft)
	}
	return out, err
}

// allowed allows what the person agreed to in a review, as it would be applied now.
func (s *Server) allowed(ctx context.Context, id drawing.ID, wish rollout.Wish, list []consent.Seen) error {
	if len(list) == 0 {
		return nil
	}
	d, _, err := s.Library.Get(ctx, id)
	if err != nil {
		return err
	}
	p, err := s.Rollout.Preview(ctx, id, wish)
	if err != nil {
		return err
	}
	return s.Trust.Allow(trustapi.Beside(d), p.Draft, list)
}

type applyDrawing struct {
	DrawingPath
	Body struct {
		WishBody
		Hash         string `json:"hash" doc:"baseHash of the preview that the person saw"`
		Seen         string `json:"seen,omitempty" doc:"seen of that preview; if given, anything else than what it showed is refused"`
		DeleteAgents bool   `json:"deleteAgents,omitempty" doc:"the person agreed to the deletions that the preview named"`
		Note         string `json:"note,omitempty" maxLength:"1000"`

		Trust []consent.Seen `json:"trust,omitempty" maxItems:"20000" doc:"of the preview's trust, what is allowed with this apply; default: nothing, and agents that are not allowed wait"`
	}
}

type applyPath struct {
	ID rollout.ID `path:"id" maxLength:"40"`
}

type applyBody struct {
	Body struct {
		Apply rollout.Apply `json:"apply"`
	}
}

type rollbackGateway struct {
	Name string `path:"name" maxLength:"100"`
	Body struct {
		SnapshotID   drawing.SnapshotID `json:"snapshotId" maxLength:"40"`
		Drawing      drawing.ID         `json:"drawing,omitempty" doc:"the drawing that follows"`
		DeleteAgents bool               `json:"deleteAgents,omitempty" doc:"agents that came since may be deleted"`
		Hash         string             `json:"hash,omitempty" doc:"baseHash of the rollback-preview that the person saw; if given, another is refused"`
		Keep         bool               `json:"keep,omitempty" doc:"what is drawn stays, to be applied again; if the drawing stands at the apply that the snapshot was kept for, it goes one step back"`
	}
}

type previewRollback struct {
	GatewayPath
	Body struct {
		SnapshotID drawing.SnapshotID `json:"snapshotId" maxLength:"40"`
	}
}

type driftOf struct {
	DrawingPath
	Gateway string `query:"gateway" maxLength:"100" doc:"the drawing's own if absent"`
}

type driftBody struct{ Body rollout.Drift }

type importDrawing struct {
	DrawingPath
	Body struct {
		Gateway string `json:"gateway,omitempty" maxLength:"100" doc:"the drawing's own if absent"`
	}
}

type importedBody struct {
	Body struct {
		Drawing  *Drawing           `json:"drawing"`
		Changes  topology.ChangeSet `json:"changes"`
		Warnings []openclaw.Finding `json:"warnings"`
	}
}

func (s *Server) rolloutRoutes() {
	const tag = "apply"
	huma.Register(s.api, op(http.MethodPost, "/api/drawings/{id}/preview", "previewDrawing", "What an apply would do, from a fresh read of the gateway; nothing is sent", tag), handler(s, func(ctx context.Context, in *previewDrawing) (*previewBody, error) {
		return s.previewOut(s.Rollout.Preview(ctx, in.ID, rollout.Wish(in.Body.WishBody)))
	}))
	start := op(http.MethodPost, "/api/drawings/{id}/apply", "applyDrawing", "Apply what the preview showed", tag)
	start.DefaultStatus = http.StatusAccepted
	huma.Register(s.api, start, handler(s, func(ctx context.Context, in *applyDrawing) (*applyBody, error) {
		if err := s.allowed(ctx, in.ID, rollout.Wish(in.Body.WishBody), in.Body.Trust); err != nil {
			return nil, err
		}
		return applyOut(s.Rollout.Start(ctx, in.ID, rollout.Request{
			Wish: rollout.Wish(in.Body.WishBody), Hash: in.Body.Hash, Seen: in.Body.Seen, DeleteAgents: in.Body.DeleteAgents, Note: in.Body.Note,
		}))
	}))
	back := op(http.MethodPost, "/api/gateways/{name}/rollback", "rollbackGateway", "Bring a gateway back to a kept config", tag)
	back.DefaultStatus = http.StatusAccepted
	huma.Register(s.api, back, handler(s, func(ctx context.Context, in *rollbackGateway) (*applyBody, error) {
		b := in.Body
		return applyOut(s.Rollout.Rollback(ctx, rollout.RollbackRequest{
			Gateway: in.Name, To: b.SnapshotID, Drawing: b.Drawing, DeleteAgents: b.DeleteAgents, Hash: b.Hash, Keep: b.Keep,
		}))
	}))
	huma.Register(s.api, op(http.MethodPost, "/api/gateways/{name}/rollback-preview", "previewRollback", "What a rollback would do, from a fresh read; nothing is sent", tag), handler(s, func(ctx context.Context, in *previewRollback) (*previewBody, error) {
		return s.previewOut(s.Rollout.PreviewRollback(ctx, in.Name, in.Body.SnapshotID))
	}))
	huma.Register(s.api, op(http.MethodGet, "/api/drawings/{id}/drift", "driftOfDrawing", "What a gateway runs now beside what is drawn, from a fresh read", tag), handler(s, func(ctx context.Context, in *driftOf) (*driftBody, error) {
		d, err := s.Rollout.Drift(ctx, in.ID, in.Gateway)
		d.Drawn, d.Held = filled(&d.Drawn), filled(&d.Held)
		return &driftBody{Body: d}, err
	}))
	huma.Register(s.api, op(http.MethodPost, "/api/drawings/{id}/keep-mine", "keepMine", "Leave the drawing as it is although its gateway changed; a preview then shows everything that differs", tag), handler(s, func(ctx context.Context, in *DrawingPath) (*drawingBody, error) {
		if err := s.Rollout.KeepMine(ctx, in.ID); err != nil {
			return nil, err
		}
		return body(s.drawing(ctx, in.ID))
	}))
	huma.Register(s.api, op(http.MethodGet, "/api/applies/{id}", "getApply", "How an apply stands", tag), handler(s, func(_ context.Context, in *applyPath) (*applyBody, error) {
		return applyOut(s.Rollout.Apply(in.ID))
	}))
	huma.Register(s.api, op(http.MethodPost, "/api/applies/{id}/cancel", "cancelApply", "Stop an apply from which nothing was sent yet", tag), handler(s, func(_ context.Context, in *applyPath) (*applyBody, error) {
		return applyOut(s.Rollout.Cancel(in.ID))
	}))
	huma.Register(s.api, op(http.MethodPost, "/api/drawings/{id}/import", "importDrawing", "Draw what the gateway holds now; can be undone", tag), handler(s, s.importDrawing))
	huma.Register(s.api, op(http.MethodPost, "/api/drawings/{id}/discard", "discardDrawing", "Take the drawing back to what the gateway holds; can be undone", tag), handler(s, func(ctx context.Context, in *DrawingPath) (*drawingBody, error) {
		d, v, err := s.Rollout.Discard(ctx, in.ID)
		if err != nil {
			return nil, err
		}
		return body(s.view(ctx, d, v))
	}))
}

func applyOut(a rollout.Apply, err error) (*applyBody, error) {
	out := new(applyBody)
	out.Body.Apply = a
	return out, err
}

func (s *Server) importDrawing(ctx context.Context, in *importDrawing) (*importedBody, error) {
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
	out.Body.Drawing, err = s.drawing(ctx, in.ID)
	return out, err
}
