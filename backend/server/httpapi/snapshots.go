package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"agentflow/backend/gateway/rollout"
	"agentflow/backend/team/library"
)

type snapshotsBody struct {
	Body struct {
		Snapshots []Snapshot `json:"snapshots"`
	}
}

type compareSnapshots struct {
	GatewayPath
	Snapshot library.SnapshotID `path:"snapshot" maxLength:"40" doc:"ID of the snapshot."`
	With     library.SnapshotID `query:"with" maxLength:"40" doc:"ID of the snapshot to compare with. Default: none."`

	Team library.ID `query:"team" maxLength:"40" doc:"ID of the team with the layout. Default: the team last in sync."`
}

type comparedSnapshots struct{ Body rollout.Picture }

func (s *Server) snapshotRoutes(tag string) {
	huma.Register(
		s.api,
		op(http.MethodGet, "/api/gateways/{name}/snapshots", "listSnapshots", "List snapshots of a gateway\n"+
			"The newest snapshot comes first.", tag),
		handler(s, s.listSnapshots),
	)
	huma.Register(
		s.api,
		op(http.MethodGet, "/api/gateways/{name}/snapshots/{snapshot}", "compareSnapshots",
			"Get a snapshot as a team\nReads the saved config, not the gateway. With another snapshot, it also "+
				"returns the changes from that one. VALIDATION_ERROR with the reason `config_broken`: no team can be "+
				"read from the config.", tag),
		handler(s, s.compareSnapshots),
	)
	s.fileSnapshotRoutes(tag)
}

func (s *Server) compareSnapshots(ctx context.Context, in *compareSnapshots) (*comparedSnapshots, error) {
	got, err := rollout.PictureOfSnapshot(ctx, s.Rollout, rollout.PictureOf{
		Gateway: in.Name, Snapshot: in.Snapshot, With: in.With, Team: in.Team,
	})
	if err != nil {
		return nil, err
	}
	got.B = filled(&got.B)
	if got.A != nil {
		a := filled(got.A)
		got.A = &a
	}
	return &comparedSnapshots{Body: got}, nil
}

// SnapshotView is a kept config as the API lists it.
func SnapshotView(k library.Snapshot) Snapshot {
	return Snapshot{
		ID: k.ID, Gateway: k.Gateway, Hash: k.Hash, At: k.At, Cause: k.Cause, Agents: k.Agents, Team: k.Team,
		Losses: k.Losses,
	}
}

func (s *Server) listSnapshots(ctx context.Context, in *GatewayPath) (*snapshotsBody, error) {
	if _, err := s.Fleet.Target(in.Name); err != nil {
		return nil, err
	}
	kept, err := s.Library.Snapshots(ctx, in.Name, 200)
	if err != nil {
		return nil, err
	}
	out := new(snapshotsBody)
	out.Body.Snapshots = make([]Snapshot, 0, len(kept))
	for _, k := range kept {
		out.Body.Snapshots = append(out.Body.Snapshots, SnapshotView(k))
	}
	return out, nil
}
