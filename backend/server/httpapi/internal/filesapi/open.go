// Package filesapi serves what goes in and out as a file: team files, configs and bundles.
package filesapi

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/startupfiles"
	"agentflow/backend/gateway/openclaw"
	"agentflow/backend/server/httpapi/internal/templatesapi"
	"agentflow/backend/server/httperr"
	"agentflow/backend/team/bundle"
	"agentflow/backend/team/consent"
	"agentflow/backend/team/library"
	"agentflow/backend/team/teamfile"
	"agentflow/backend/team/thumbnail"
	"agentflow/backend/team/topology"
	"agentflow/backend/team/trust"
)

// GivenFile is a file as a person gave it: a text, or bytes for a bundle.
type GivenFile struct {
	Filename string `json:"filename" minLength:"1" maxLength:"400" doc:"Name of the file, 1 to 400 characters."`
	Text     string `json:"text,omitempty" maxLength:"10485760" doc:"Text of the file, at most 10 MiB. Default: empty."`
	Data     []byte `json:"data,omitempty" doc:"Bytes of a bundle, as base64. Default: none."`
}

type previewFile struct {
	Body struct {
		GivenFile
		Into library.ID `json:"into,omitempty" maxLength:"40" doc:"ID of a team to compare the file with. Default: none."`
		For  string     `json:"for,omitempty" maxLength:"40" doc:"Team whose permissions count: local, or the ID of a saved team. Default: nothing is allowed." example:"local"`
	}
}

// FilePreview says what a file would bring.
type FilePreview struct {
	Format  string             `json:"format" enum:"agentflow,openclaw-map,openclaw-list,openclaw-entries,agents-yml,agent-config,bundle"`
	Name    string             `json:"name"`
	At      time.Time          `json:"at,omitzero" doc:"Time when the bundle was created."`
	Teams   []FileTeam         `json:"teams"`
	Unknown []openclaw.Finding `json:"unknown" doc:"Keys that AgentFlow doesn't know. They are kept."`
	Changes topology.ChangeSet `json:"changes,omitempty" doc:"Changes to the team named by into."`
}

// FileTeam is a team in a file.
type FileTeam struct {
	Name        string        `json:"name"`
	Agents      int           `json:"agents"`
	Connections int           `json:"connections"`
	Groups      int           `json:"groups"`
	Notes       int           `json:"notes"`
	Versions    []FileVersion `json:"versions"`
	Sketch      string        `json:"sketch" doc:"Small picture (SVG)."`

	Trust []consent.Standing `json:"trust" doc:"What its agents ask for on this computer."`
}

// FileVersion is a named version that a bundle brings along.
type FileVersion struct {
	Name   string    `json:"name"`
	At     time.Time `json:"at"`
	Author string    `json:"author,omitempty"`
	Agents int       `json:"agents"`
}

type filePreviewBody struct{ Body FilePreview }

type openFile struct {
	Body struct {
		GivenFile
		Gateway string `json:"gateway,omitempty" maxLength:"100" doc:"Name of the target gateway, at most 100 characters. Default: the default gateway."`
		Teams   []int  `json:"teams,omitempty" maxItems:"1000" doc:"Numbers of the teams to open, from 0. Default: all teams."`
	}
}

type takenBody struct {
	Body struct {
		File *startupfiles.File `json:"file,omitempty" doc:"File. Absent if none waits."`
	}
}

type openedBody struct {
	Body struct {
		Teams  []library.ID `json:"teams" doc:"IDs of the new teams."`
		Agents int          `json:"agents" doc:"Number of agents in all of them."`
	}
}

// Routes are the routes about files.
type Routes struct {
	Library      *library.Library
	Archive      *library.Archive
	StartupFiles *startupfiles.Pending
	Record       *consent.Record
	Logger       *slog.Logger

	DefaultGateway func() string
	CheckGateway   func(name string) error // refuses one that is not there
	GatewayURL     func(name string) string
}

// Register adds the routes to an API.
func (s *Routes) Register(api huma.API) {
	const tag = "files"
	look := httperr.Route(http.MethodPost, "/api/files/preview", "previewFile", "Preview a file\n"+
		"Lists the teams in a team file, config or bundle. Nothing is changed.", tag)
	look.MaxBodyBytes = httperr.LargeBody
	huma.Register(api, look, httperr.Handler(s.Logger, s.previewFile))
	open := httperr.Route(http.MethodPost, "/api/files/open", "openFile", "Open a file\n"+
		"Creates a team for each team in a team file, config or bundle.", tag)
	open.MaxBodyBytes, open.DefaultStatus = httperr.LargeBody, http.StatusCreated
	huma.Register(api, open, httperr.Handler(s.Logger, s.openFile))
	huma.Register(api, httperr.Route(http.MethodPost, "/api/files/take", "takeFile", "Take the next handed-over file\n"+
		"Returns each file once. Without one, `file` is absent.", tag), httperr.Handler(s.Logger, s.takeFile))
	give := httperr.Status(
		http.StatusNoContent,
		httperr.Route(http.MethodPost, "/api/files/give", "giveFile", "Hand over a file\n"+
			"Passes a file to the next open page, as if AgentFlow was started with it.", tag),
	)
	give.MaxBodyBytes = httperr.LargeBody
	huma.Register(api, give, httperr.Handler(s.Logger, s.giveFile))
	huma.Register(api, httperr.Route(http.MethodPost, "/api/bundles", "packTeams", "Create a bundle of teams\n"+
		"Packs one or more teams into one zip file, without secrets. The answer lists everything that was left "+
		"out. Nothing is changed.", tag), httperr.Handler(s.Logger, s.packTeams))
	huma.Register(api, httperr.Route(http.MethodGet, "/api/teams/{id}/export", "exportTeam", "Export a team\n"+
		"Returns the team as a text file, without secrets.", tag), httperr.Handler(s.Logger, s.exportTeam))
	over := httperr.Route(http.MethodPost, "/api/teams/{id}/rewrite-file", "rewriteFile", "Update a team file\n"+
		"Writes the team into the text of an existing file. Comments and unknown keys of the file stay. Nothing "+
		"is stored.", tag)
	over.MaxBodyBytes = httperr.LargeBody
	huma.Register(api, over, httperr.Handler(s.Logger, s.rewriteFile))
}

func (s *Routes) takeFile(context.Context, *struct{}) (*takenBody, error) {
	out := &takenBody{}
	out.Body.File = s.StartupFiles.Take()
	return out, nil
}

func (s *Routes) giveFile(_ context.Context, in *struct{ Body startupfiles.File }) (*struct{}, error) {
	return nil, s.StartupFiles.Put(in.Body)
}

// given is a file that was read.
type given struct {
	format  teamfile.Format // "" of a bundle
	bundle  bundle.Bundle
	unknown []openclaw.Finding
}

func (g GivenFile) read() (given, error) {
	if bundle.Is(g.Data) {
		b, err := bundle.Read(g.Data, g.Filename)
		for i := range b.Teams {
			Placed(b.Teams[i].Topology)
		}
		return given{bundle: b, unknown: []openclaw.Finding{}}, err
	}
	text := []byte(g.Text)
	if len(g.Data) > 0 {
		text = g.Data
	}
	f, err := teamfile.Read(text, g.Filename)
	if err != nil {
		return given{}, err
	}
	t := &f.Team
	if err := t.Validate(); err != nil {
		return given{}, errcode.From(err).With(errcode.KeyFile, g.Filename)
	}
	t.Name = cmp.Or(t.Name, fileStem(g.Filename))
	Placed(t)
	return given{
		format:  f.Format,
		bundle:  bundle.Bundle{Name: t.Name, Teams: []bundle.Team{{Name: t.Name, Topology: t}}},
		unknown: Kept(f.Unknown),
	}, nil
}

// Team returns the one team of the file.
func (g GivenFile) Team() (*topology.Topology, error) {
	read, err := g.read()
	if err != nil {
		return nil, err
	}
	if len(read.bundle.Teams) != 1 {
		return nil, errcode.New(errcode.Validation,
			"the file holds %d teams. Open it first, then allow each team.", len(read.bundle.Teams)).
			With(errcode.KeyField, "file")
	}
	return read.bundle.Teams[0].Topology, nil
}

// fileStem is a file's name without what says its format.
func fileStem(name string) string {
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	stem, _, _ := strings.Cut(name, ".")
	return cmp.Or(strings.TrimSpace(stem), "Team")
}

// Placed gives a place to every agent that has none.
func Placed(t *topology.Topology) {
	if len(t.Layout) < len(t.Agents) {
		t.Layout = withPlaces(t)
	}
}

// Kept tells of the keys that are not known here.
func Kept(unknown []teamfile.Unknown) []openclaw.Finding {
	out := make([]openclaw.Finding, 0, len(unknown))
	for _, u := range unknown {
		if trust.Reads(u.Path) { // it is among what the team asks for
			continue
		}
		out = append(out, openclaw.Finding{Path: u.Path, Line: u.Line, Message: "kept as it is"})
	}
	return out
}

func (s *Routes) previewFile(ctx context.Context, in *previewFile) (*filePreviewBody, error) {
	g, err := in.Body.read()
	if err != nil {
		return nil, err
	}
	out := FilePreview{
		Format:  cmp.Or(string(g.format), "bundle"),
		Name:    g.bundle.Name,
		At:      g.bundle.At,
		Teams:   []FileTeam{},
		Unknown: g.unknown,
	}
	for _, t := range g.bundle.Teams {
		row := FileTeam{
			Name:     t.Name,
			Groups:   len(t.Topology.Groups),
			Notes:    len(t.Topology.Notes),
			Versions: []FileVersion{},
			Sketch:   string(thumbnail.SVG(t.Topology)),
		}
		row.Trust = s.Record.Standings(cmp.Or(in.Body.For, string(in.Body.Into)), t.Topology)
		row.Agents, row.Connections = templatesapi.Counts(t.Topology)
		for _, v := range t.Versions {
			row.Versions = append(row.Versions,
				FileVersion{Name: v.Name, At: v.At, Author: v.Author, Agents: len(v.Topology.Agents)})
		}
		out.Teams = append(out.Teams, row)
	}
	if in.Body.Into != "" && g.format != "" {
		_, head, err := s.Library.Get(ctx, in.Body.Into)
		if err != nil {
			return nil, err
		}
		out.Changes = topology.Diff(head.Topology, DrawnInto(head.Topology, g.bundle.Teams[0].Topology, g.format))
	}
	return &filePreviewBody{Body: out}, nil
}

// DrawnInto is the team after a file was drawn into it: what the file's format
// cannot hold stays as it was drawn.
func DrawnInto(head, t *topology.Topology, format teamfile.Format) *topology.Topology {
	if len(t.Bindings) == 0 && len(head.Bindings) > 0 { // a file can be from before they were read
		t = t.Clone()
		t.Bindings = head.Bindings
	}
	if len(t.Broadcast) == 0 && len(head.Broadcast) > 0 {
		t = t.Clone()
		t.Broadcast = head.Broadcast
	}
	if len(t.Defaults) == 0 && len(head.Defaults) > 0 {
		t = t.Clone()
		t.Defaults = head.Defaults
	}
	if len(t.Messages) == 0 && len(head.Messages) > 0 {
		t = t.Clone()
		t.Messages = head.Messages
	}
	if format == teamfile.AgentFlow {
		return t
	}
	t = topology.Adopt(head, t, nil, format.Held())
	Placed(t)
	return t
}

func (s *Routes) openFile(ctx context.Context, in *openFile) (*openedBody, error) {
	g, err := in.Body.read()
	if err != nil {
		return nil, err
	}
	gateway := cmp.Or(in.Body.Gateway, s.DefaultGateway())
	if err := s.CheckGateway(gateway); err != nil {
		return nil, err
	}
	var chosen []bundle.Team
	for i, t := range g.bundle.Teams {
		if in.Body.Teams == nil || slices.Contains(in.Body.Teams, i) {
			chosen = append(chosen, t)
		}
	}
	if len(chosen) == 0 {
		return nil, errcode.New(errcode.Validation, "no team of the file was chosen").With(errcode.KeyField, "teams")
	}
	out := new(openedBody)
	for _, t := range chosen {
		id, err := s.openTeam(ctx, t, in.Body.Filename, gateway)
		if err != nil {
			s.forget(ctx, out.Body.Teams)
			return nil, err
		}
		out.Body.Teams = append(out.Body.Teams, id)
		out.Body.Agents += len(t.Topology.Agents)
	}
	return out, nil
}

// openTeam saves a team of a file: its versions first, each with its name, then as
// it is. What was begun goes again when a part cannot be kept.
func (s *Routes) openTeam(ctx context.Context, t bundle.Team, file, gateway string) (id library.ID, err error) {
	states := make([]bundle.Version, 0, len(t.Versions)+1)
	states = append(states, t.Versions...)
	if n := len(states); n == 0 || !states[n-1].Topology.Equal(t.Topology) {
		states = append(states, bundle.Version{Topology: t.Topology})
	}
	defer func() {
		if err != nil && id != "" {
			s.forget(ctx, []library.ID{id})
		}
	}()
	for _, v := range states {
		step := library.Step{
			Topology: v.Topology.Clone(),
			Cause:    library.Imported,
			Label:    "import-file|" + file,
			Gateway:  gateway,
		}
		step.Topology.Name = t.Name
		Placed(step.Topology)
		var made library.Version
		if id == "" {
			var d library.Team
			d, made, err = s.Library.Create(ctx, step)
			id = d.ID
		} else {
			step.Gateway = ""
			_, made, _, err = s.Library.Save(ctx, id, "", step)
		}
		if err == nil && v.Name != "" {
			_, err = s.Library.NameVersion(ctx, id, made.ID, v.Name)
		}
		if err != nil {
			return id, err
		}
	}
	return id, nil
}

func (s *Routes) forget(ctx context.Context, ids []library.ID) {
	for _, id := range ids {
		if _, err := s.Library.SetDeleted(ctx, id, true); err == nil {
			_ = s.Archive.Purge(ctx, id) // it is out of sight, which is what counts
		}
	}
}
