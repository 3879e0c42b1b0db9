package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"agentflow/backend/team/library"
	"agentflow/backend/team/teamfile"
	"agentflow/backend/team/thumbnail"
	"agentflow/backend/team/topology"
)

// VersionPath names a version of a team.
type VersionPath struct {
	TeamPath
	Version library.VersionID `path:"version" maxLength:"40" doc:"ID of the version."`
}

type listVersions struct {
	TeamPath
	Limit   int               `query:"limit" default:"200" minimum:"1" maximum:"1000" doc:"Maximum number of versions, 1 to 1000. Default: 200."`
	Before  library.VersionID `query:"before" maxLength:"40" doc:"Only versions older than this ID. Default: from the newest."`
	Only    string            `query:"only" enum:",applied,named" doc:"Only applies and rollbacks (applied), or only versions with a name (named). Default: all."`
	Gateway string            `query:"gateway" maxLength:"100" doc:"Only versions that were imported from or applied to this gateway. Default: all."`
}

type versionsBody struct {
	Body struct {
		Versions []Version `json:"versions"`
		More     bool      `json:"more" doc:"There are older versions."`
	}
}

type versionBody struct {
	Body struct {
		Version  Version           `json:"version"`
		Topology topology.Topology `json:"topology"`
	}
}

type compareVersions struct {
	TeamPath
	A    library.VersionID `query:"a" required:"true" maxLength:"40" doc:"ID of the first version."`
	B    library.VersionID `query:"b" required:"true" maxLength:"40" doc:"ID of the second version."`
	Text bool              `query:"text" doc:"Also return both versions as team files. Default: false."`
}

type comparedVersions struct {
	Body struct {
		A       topology.Topology  `json:"a"`
		B       topology.Topology  `json:"b"`
		Changes topology.ChangeSet `json:"changes" doc:"Changes from a to b."`
		Before  string             `json:"before,omitempty" doc:"Version a as a team file."`
		After   string             `json:"after,omitempty" doc:"Version b as a team file."`
	}
}

type sketched struct {
	Type  string `header:"Content-Type"`
	Cache string `header:"Cache-Control"`
	Body  []byte
}

type nameVersion struct {
	VersionPath
	Body struct {
		Name string `json:"name" maxLength:"200" doc:"Name of the version, at most 200 characters. An empty name removes it."`
	}
}

type namedVersion struct{ Body Version }

func (s *Server) versionRoutes() {
	const tag = "history"
	huma.Register(s.api, op(http.MethodGet, "/api/teams/{id}/versions", "listVersions", "List versions of a team\n"+
		"The newest version comes first.", tag), handler(s, s.listVersions))
	huma.Register(
		s.api,
		op(http.MethodGet, "/api/teams/{id}/versions/{version}", "getVersion", "Get a version of a team\n"+
			"Returns the version and the whole team as it was then.", tag),
		handler(s, s.getVersion),
	)
	huma.Register(s.api, op(http.MethodPatch, "/api/teams/{id}/versions/{version}", "nameVersion", "Name a version\n"+
		"An empty name removes it. Clean-ups never delete named versions.", tag), handler(s, s.nameVersion))
	huma.Register(
		s.api,
		op(http.MethodPost, "/api/teams/{id}/versions/{version}/restore", "restoreVersion", "Restore a version\n"+
			"Saves an earlier version as the newest one. You can undo this. The gateway doesn't change.", tag),
		handler(s, s.restoreVersion),
	)
	huma.Register(s.api, op(http.MethodGet, "/api/teams/{id}/compare", "compareVersions", "Compare two versions\n"+
		"Returns both teams and the changes from the first to the second.", tag), handler(s, s.compareVersions))
	picture := op(http.MethodGet, "/api/teams/{id}/versions/{version}/sketch", "sketchVersion", "Get a picture of a version\n"+
		"Returns a small SVG image.", tag)
	picture.Responses["200"] = &huma.Response{Description: "The picture", Content: map[string]*huma.MediaType{
		"image/svg+xml": {
			Schema:  &huma.Schema{Type: huma.TypeString},
			Example: `<svg xmlns="http://www.w3.org/2000/svg"/>`,
		},
	}}
	huma.Register(s.api, picture, handler(s, s.sketchVersion))
}

func (s *Server) listVersions(ctx context.Context, in *listVersions) (*versionsBody, error) {
	d, _, err := s.Library.Get(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	q := library.Query{Before: in.Before, Limit: in.Limit + 1, Named: in.Only == "named", Gateway: in.Gateway}
	if in.Only == "applied" {
		q.Causes = []library.Cause{library.Applied, library.RolledBack}
	}
	found, err := s.Library.Versions(ctx, in.ID, q)
	if err != nil {
		return nil, err
	}
	out := new(versionsBody)
	out.Body.Versions = []Version{}
	if len(found) > in.Limit {
		found, out.Body.More = found[:in.Limit], true
	}
	for _, v := range found {
		out.Body.Versions = append(out.Body.Versions, versionView(v, d.Head))
	}
	return out, nil
}

func (s *Server) getVersion(ctx context.Context, in *VersionPath) (*versionBody, error) {
	d, _, err := s.Library.Get(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	v, err := s.Library.Version(ctx, in.ID, in.Version)
	if err != nil {
		return nil, err
	}
	out := new(versionBody)
	out.Body.Version, out.Body.Topology = versionView(v, d.Head), filled(v.Topology)
	return out, nil
}

func (s *Server) nameVersion(ctx context.Context, in *nameVersion) (*namedVersion, error) {
	v, err := s.Library.NameVersion(ctx, in.ID, in.Version, in.Body.Name)
	if err != nil {
		return nil, err
	}
	d, _, err := s.Library.Get(ctx, in.ID)
	return &namedVersion{Body: versionView(v, d.Head)}, err
}

func (s *Server) restoreVersion(ctx context.Context, in *VersionPath) (*teamBody, error) {
	d, v, err := s.Library.Restore(ctx, in.ID, in.Version)
	if err != nil {
		return nil, err
	}
	return body(s.view(ctx, d, v))
}

func (s *Server) compareVersions(ctx context.Context, in *compareVersions) (*comparedVersions, error) {
	a, err := s.Library.Version(ctx, in.ID, in.A)
	if err != nil {
		return nil, err
	}
	b, err := s.Library.Version(ctx, in.ID, in.B)
	if err != nil {
		return nil, err
	}
	out := new(comparedVersions)
	out.Body.A, out.Body.B = filled(a.Topology), filled(b.Topology)
	out.Body.Changes = topology.Diff(a.Topology, b.Topology)
	if out.Body.Changes == nil {
		out.Body.Changes = topology.ChangeSet{}
	}
	if !in.Text {
		return out, nil
	}
	if out.Body.Before, err = fileText(a.Topology); err == nil {
		out.Body.After, err = fileText(b.Topology)
	}
	return out, err
}

// fileText is a team as its file would be, without places: they are what the canvas is for.
func fileText(t *topology.Topology) (string, error) {
	c := *t
	c.Layout = nil
	text, _, err := teamfile.Write(nil, &c, nil)
	return string(text), err
}

func (s *Server) sketchVersion(ctx context.Context, in *VersionPath) (*sketched, error) {
	v, err := s.Library.Version(ctx, in.ID, in.Version)
	if err != nil {
		return nil, err
	}
	return &sketched{Type: "image/svg+xml", Cache: "private, max-age=3600", Body: thumbnail.SVG(v.Topology)}, nil
}
