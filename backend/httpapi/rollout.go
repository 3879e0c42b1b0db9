package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"agentflow/backend/drawing"
	"agentflow/backend/openclaw"
	"agentflow/backend/rollout"
	"agentflow/backend/topology"
)

type previewDrawing struct {
	DrawingPath
	Body struct {
		Choices map[string]topology.Choice `json:"choices,omitempty" doc:"answers to conflicts, by their id"`
	}
}

type previewBody struct{ Body rollout.Preview }

type applyDrawing struct {
	DrawingPath
	Body struct {
		Hash         string                     `json:"hash" doc:"baseHash of the preview that the person saw"`
		Choices      map[string]topology.Choice `json:"choices,omitempty"`
		DeleteAgents bool                       `json:"deleteAgents,omitempty" doc:"the person agreed to the deletions that the preview named"`
		Note         string                     `json:"note,omitempty" maxLength:"1000"`
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
	}
}

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
		p, err := s.Rollout.Preview(ctx, in.ID, in.Body.Choices)
		return &previewBody{Body: p}, err
	}))
	start := op(http.MethodPost, "/api/drawings/{id}/apply", "applyDrawing", "Apply what the preview showed", tag)
	start.DefaultStatus = http.StatusAccepted
	huma.Register(s.api, start, handler(s, func(ctx context.Context, in *applyDrawing) (*applyBody, error) {
		return applyOut(s.Rollout.Start(ctx, in.ID, rollout.Request{
			Hash: in.Body.Hash, Choices: in.Body.Choices, DeleteAgents: in.Body.DeleteAgents, Note: in.Body.Note,
		}))
	}))
	back := op(http.MethodPost, "/api/gateways/{name}/rollback", "rollbackGateway", "Bring a gateway back to a kept config", tag)
	back.DefaultStatus = http.StatusAccepted
	huma.Register(s.api, back, handler(s, func(ctx context.Context, in *rollbackGateway) (*applyBody, error) {
		return applyOut(s.Rollout.Rollback(ctx, in.Name, in.Body.SnapshotID, in.Body.Drawing, in.Body.DeleteAgents))
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
