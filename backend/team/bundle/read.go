package bundle

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"path"
	"slices"
	"strings"

	"agentflow/backend/base/errcode"
	"agentflow/backend/team/teamfile"
	"agentflow/backend/team/topology"
)

// Read opens a bundle. Every failure is a VALIDATION_ERROR that names the file within
// it, and the line where there is one. A zip of team files without agentflow.json is
// taken too. Nothing is ever written to a path that stands in it.
func Read(data []byte, name string) (Bundle, error) {
	r, err := open(data, name)
	if err != nil {
		return Bundle{}, err
	}
	plan, err := r.plan()
	if err != nil {
		return Bundle{}, err
	}
	out := Bundle{Name: plan.Name, At: plan.At}
	for _, t := range plan.Teams {
		team := Team{Name: t.Name}
		if team.Topology, err = r.team(t.File); err != nil {
			return Bundle{}, err
		}
		if team.Name == "" {
			team.Name = team.Topology.Name
		}
		for _, v := range t.Versions {
			version := Version{Name: v.Name, At: v.At, Author: v.Author}
			if version.Topology, err = r.team(v.File); err != nil {
				return Bundle{}, err
			}
			team.Versions = append(team.Versions, version)
		}
		out.Teams = append(out.Teams, team)
	}
	if len(out.Teams) == 0 {
		return Bundle{}, r.fail("there is no team in it: a bundle holds at least one *.agentflow.yaml")
	}
	if out.Name == "" {
		out.Name = out.Teams[0].Name
	}
	return out, nil
}

type reader struct {
	name  string
	files map[string]*zip.File
	order []string
	left  int64 // how much may still be unpacked
}

func (r *reader) fail(format string, args ...any) error {
	return errcode.New(errcode.Validation, r.name+": "+format, args...).With(errcode.KeyFile, r.name)
}

func open(data []byte, name string) (*reader, error) {
	r := &reader{name: name, files: map[string]*zip.File{}, left: MaxUnpacked}
	if len(data) > MaxBytes {
		return nil, r.fail("it is larger than %d MiB, which no bundle is", MaxBytes>>20)
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, r.fail("it is damaged or no zip file: %v", err)
	}
	if len(z.File) > MaxFiles {
		return nil, r.fail("there are %d files in it; a bundle has at most %d", len(z.File), MaxFiles)
	}
	for _, f := range z.File {
		if strings.HasSuffix(f.Name, "/") {
			continue
		}
		if !plainPath(f.Name) || !f.Mode().IsRegular() {
			return nil, r.fail("%q is no path of a bundle: it leads elsewhere or is no plain file", f.Name)
		}
		if r.files[f.Name] != nil {
			return nil, r.fail("%q stands in it twice", f.Name)
		}
		r.files[f.Name] = f
		r.order = append(r.order, f.Name)
	}
	slices.Sort(r.order)
	return r, nil
}

// plainPath refuses what would leave the folder a person unpacks to.
func plainPath(p string) bool {
	return p != "" && len(p) <= 400 && !strings.ContainsAny(p, "\\:\x00") && !path.IsAbs(p) && path.Clean(p) == p &&
		p != ".." && !strings.HasPrefix(p, "../")
}

// read unpacks one file, trusting no size that the zip tells.
func (r *reader) read(file string) ([]byte, error) {
	f := r.files[file]
	if f == nil {
		return nil, r.fail("%q is named in %s and is not in it", file, manifestName)
	}
	in, err := f.Open()
	if err != nil {
		return nil, r.fail("%s cannot be unpacked: %v", file, err)
	}
	defer func() { _ = in.Close() }() // only read
	data, err := io.ReadAll(io.LimitReader(in, r.left+1))
	if err != nil {
		return nil, r.fail("%s cannot be unpacked: %v", file, err)
	}
	if r.left -= int64(len(data)); r.left < 0 {
		return nil, r.fail("it unpacks to more than %d MiB, which no bundle does", MaxUnpacked>>20)
	}
	return data, nil
}

func (r *reader) plan() (manifest, error) {
	if r.files[manifestName] == nil {
		return r.plainPlan(), nil
	}
	data, err := r.read(manifestName)
	if err != nil {
		return manifest{}, err
	}
	var m manifest
	if err := json.Unmarshal(data, &m); err != nil {
		return m, r.fail("%s cannot be read: %v", manifestName, err)
	}
	if m.Bundle != 1 {
		return m, r.fail("%s says form %d; this program knows 1 only. Update AgentFlow", manifestName, m.Bundle)
	}
	return m, nil
}

// plainPlan takes every team file of a zip that was packed by hand.
func (r *reader) plainPlan() manifest {
	m := manifest{Bundle: 1}
	for _, p := range r.order {
		if strings.HasSuffix(p, ".agentflow.yaml") || strings.HasSuffix(p, ".agentflow.yml") {
			m.Teams = append(m.Teams, manifestTeam{File: p})
		}
	}
	return m
}

func (r *reader) team(file string) (*topology.Topology, error) {
	data, err := r.read(file)
	if err != nil {
		return nil, err
	}
	f, err := teamfile.Read(data, file)
	if err != nil {
		return nil, err
	}
	if err := f.Team.Validate(); err != nil {
		return nil, errcode.From(err).With(errcode.KeyFile, file)
	}
	if f.Team.Name == "" {
		f.Team.Name = strings.TrimSuffix(strings.TrimSuffix(path.Base(file), path.Ext(file)), ".agentflow")
	}
	return &f.Team, nil
}
