package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"agentflow/backend/gateway/rollout"
	"agentflow/backend/team/library"
)

// listedFiles is how many file snapshots are listed.
const listedFiles = 1000

type fileSnapshotsBody struct {
	Body struct {
		Files []rollout.FileSnapshot `json:"files"`
	}
}

type compareFiles struct {
	GatewayPath
	File library.FileID `path:"file" maxLength:"40" doc:"ID of the file snapshot."`
	With library.FileID `query:"with" maxLength:"40" doc:"ID to compare with. Default: the same file before."`
}

type comparedFiles struct{ Body rollout.FilePair }

// fileSnapshotRoutes are about the workspace files that a gateway was seen to have.
func (s *Server) fileSnapshotRoutes(tag string) {
	list := op(http.MethodGet, "/api/gateways/{name}/file-snapshots", "listFileSnapshots",
		"List file snapshots of a gateway\n"+
			"Lists each content of a workspace file that was seen on the gateway, or written there. The newest comes "+
			"first, at most 1000.", tag)
	huma.Register(s.api, list, handler(s, func(ctx context.Context, in *GatewayPath) (*fileSnapshotsBody, error) {
		files, err := rollout.FileSnapshots(ctx, s.Rollout, in.Name, listedFiles)
		out := new(fileSnapshotsBody)
		if out.Body.Files = files; files == nil {
			out.Body.Files = []rollout.FileSnapshot{}
		}
		return out, err
	}))
	compare := op(http.MethodGet, "/api/gateways/{name}/file-snapshots/{file}", "compareFileSnapshots",
		"Get a file snapshot\n"+
			"Returns the text as it was saved, beside the text before it or that of another file snapshot. The "+
			"gateway isn't read.", tag)
	huma.Register(s.api, compare, handler(s, func(ctx context.Context, in *compareFiles) (*comparedFiles, error) {
		pair, err := rollout.CompareFiles(ctx, s.Rollout, in.Name, in.File, in.With)
		return &comparedFiles{Body: pair}, err
	}))
}
