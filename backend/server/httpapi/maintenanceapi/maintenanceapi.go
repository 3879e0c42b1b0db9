// Package maintenanceapi serves what is done with the database as a whole: how large it is, a
// backup of it, putting one in its place, and clearing the past away.
package maintenanceapi

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/oklog/ulid/v2"

	"agentflow/backend/base/errcode"
	"agentflow/backend/server/httperr"
	"agentflow/backend/store/database"
	"agentflow/backend/team/library"
)

// Database is what the routes ask of the store.
type Database interface {
	Size(ctx context.Context) (database.Size, error)
	// Backup writes a copy into a file that the caller removes.
	Backup(ctx context.Context) (path string, err error)
	// Stage checks a backup and holds it ready; DropStaged forgets it.
	Stage(ctx context.Context, from io.Reader) (database.Backup, error)
	DropStaged()
	// Restore decides on what was staged, and names what the present database will be
	// kept as.
	Restore(now time.Time) (aside string, err error)
}

// Machines are what is served. Restart ends this hub's round, so that the next one opens
// the restored database; it must not wait.
type Machines struct {
	Upkeep   *library.Maintenance
	Database Database
	Restart  func()
}

// largestBackup bounds what is taken in.
const largestBackup = 64 << 30

type sizeBody struct {
	Body struct {
		database.Size
		Round string `json:"round" doc:"ID of this run of the hub. It changes with each restore."`
	}
}

type sweepQuery struct {
	Body struct {
		Days   int `json:"days" minimum:"1" maximum:"36500" doc:"Delete only what is older than this many days, 1 to 36500."`
		Newest int `json:"newest" minimum:"10" maximum:"100000" doc:"Versions and undo steps that stay for each team however old, 10 to 100000."`
	}
}

func (q *sweepQuery) sweep() library.Sweep {
	return library.Sweep{Age: time.Duration(q.Body.Days) * 24 * time.Hour, Newest: q.Body.Newest}
}

// Swept is what a clean-up takes.
type Swept struct {
	Teams     int   `json:"teams" doc:"Number of teams that lose versions."`
	Versions  int   `json:"versions" doc:"Number of versions."`
	Snapshots int   `json:"snapshots" doc:"Number of snapshots."`
	Files     int   `json:"files" doc:"Number of snapshots of workspace files."`
	Bytes     int64 `json:"bytes" doc:"Size in bytes."`
}

type sweptBody struct{ Body Swept }

type backupInput struct{ body io.Reader }

// Resolve implements huma.Resolver: the body is read while it arrives.
func (in *backupInput) Resolve(ctx huma.Context) []error {
	in.body = ctx.BodyReader()
	return nil
}

type stagedBody struct{ Body database.Backup }

type restoredBody struct {
	Body struct {
		Aside string `json:"aside" doc:"File in the data folder that holds the old database."`
		Round string `json:"round" doc:"ID of this run of the hub. The restored hub has another one."`
	}
}

// Routes are the routes about the database.
type Routes struct {
	Machines
	Logger *slog.Logger
	round  string
}

// Register adds the routes to an API.
func (s *Routes) Register(api huma.API) {
	const tag = "database"
	s.round = ulid.Make().String()
	huma.Register(api, httperr.Route(http.MethodGet, "/api/data", "getSize", "Get the database size\n"+
		"Lists the number of rows and bytes by kind.", tag), httperr.Handler(s.Logger, s.size))
	backup := httperr.Route(http.MethodGet, "/api/data/backup", "getBackup", "Download a backup\n"+
		"Returns a consistent copy of the database. The hub keeps working meanwhile.", tag)
	backup.Responses["200"] = &huma.Response{Description: "An SQLite database", Content: map[string]*huma.MediaType{
		octets: {Schema: &huma.Schema{Type: "string", Format: "binary"}},
	}}
	huma.Register(api, backup, httperr.Handler(s.Logger, s.backup))
	preview := httperr.Route(http.MethodPost, "/api/data/clean-up/preview", "previewCleanUp", "Preview a clean-up\n"+
		"Counts what a clean-up would delete. Nothing is changed.", tag)
	huma.Register(
		api,
		preview,
		httperr.Handler(s.Logger, func(ctx context.Context, in *sweepQuery) (*sweptBody, error) {
			return swept(s.Upkeep.Preview(ctx, in.sweep()))
		}),
	)
	sweep := httperr.Route(http.MethodPost, "/api/data/clean-up", "cleanUp", "Delete old versions and snapshots\n"+
		"Deletes them for good. Named versions, the newest version and the version that a gateway runs always "+
		"stay.", tag)
	huma.Register(api, sweep, httperr.Handler(s.Logger, func(ctx context.Context, in *sweepQuery) (*sweptBody, error) {
		return swept(s.Upkeep.Sweep(ctx, in.sweep()))
	}))
	s.registerRestore(api, tag)
}

const octets = "application/octet-stream"

func (s *Routes) registerRestore(api huma.API, tag string) {
	stage := httperr.Route(http.MethodPost, "/api/data/staged", "stageBackup", "Upload a backup\n"+
		"Checks the file and holds it ready for `POST /api/data/restore`. The current database doesn't change "+
		"yet. At most 64 GiB.", tag)
	stage.MaxBodyBytes = largestBackup
	stage.RequestBody = &huma.RequestBody{
		Required: true,
		Content:  map[string]*huma.MediaType{octets: {Schema: &huma.Schema{Type: "string", Format: "binary"}}},
	}
	huma.Register(
		api,
		stage,
		httperr.Handler(s.Logger, func(ctx context.Context, in *backupInput) (*stagedBody, error) {
			b, err := s.Database.Stage(ctx, &bounded{in.body, largestBackup})
			return &stagedBody{Body: b}, err
		}),
	)
	drop := httperr.Status(
		http.StatusNoContent,
		httperr.Route(http.MethodDelete, "/api/data/staged", "dropBackup", "Discard the uploaded backup\n"+
			"The current database doesn't change.", tag),
	)
	huma.Register(api, drop, httperr.Handler(s.Logger, func(context.Context, *struct{}) (*struct{}, error) {
		s.Database.DropStaged()
		return nil, nil
	}))
	restore := httperr.Status(
		http.StatusAccepted,
		httperr.Route(http.MethodPost, "/api/data/restore", "restoreBackup", "Restore the uploaded backup\n"+
			"Replaces the database with the backup from `POST /api/data/staged` and restarts the hub with it. The "+
			"old database stays as a file in the data folder.", tag),
	)
	huma.Register(api, restore, httperr.Handler(s.Logger, s.restore))
}

func (s *Routes) size(ctx context.Context, _ *struct{}) (*sizeBody, error) {
	size, err := s.Database.Size(ctx)
	out := new(sizeBody)
	out.Body.Size, out.Body.Round = size, s.round
	return out, err
}

func swept(x library.Swept, err error) (*sweptBody, error) {
	return &sweptBody{Body: Swept{
		Teams: x.Teams, Versions: x.Versions, Snapshots: x.Snapshots, Files: x.Files, Bytes: x.Bytes,
	}}, err
}

// backup answers once the copy is whole, so that what goes wrong is said and not sent.
func (s *Routes) backup(ctx context.Context, _ *struct{}) (*huma.StreamResponse, error) {
	path, err := s.Database.Backup(ctx)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		_ = os.Remove(path)
		return nil, errcode.Wrap(errcode.Unavailable, err, "the backup was made and cannot be read")
	}
	return &huma.StreamResponse{Body: func(out huma.Context) {
		defer func() { _, _ = f.Close(), os.Remove(path) }()
		if info, err := f.Stat(); err == nil {
			out.SetHeader("Content-Length", fmt.Sprint(info.Size()))
		}
		out.SetHeader("Content-Type", octets)
		out.SetHeader("Content-Disposition",
			`attachment; filename="`+time.Now().Format("agentflow-20060102-1504")+`.db"`)
		_, _ = io.Copy(out.BodyWriter(), f) // on an error, the client has left
	}}, nil
}

func (s *Routes) restore(_ context.Context, _ *struct{}) (*restoredBody, error) {
	aside, err := s.Database.Restore(time.Now())
	if err != nil {
		return nil, err
	}
	out := new(restoredBody)
	out.Body.Aside, out.Body.Round = aside, s.round
	s.Restart()
	return out, nil
}

// bounded refuses what is longer than it may be, where a LimitReader would cut it.
type bounded struct {
	from io.Reader
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.from.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return n, errcode.New(errcode.Validation, "a backup has at most %d GiB", largestBackup>>30)
	}
	return n, err
}
