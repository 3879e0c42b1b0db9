package bundle

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	"agentflow/backend/base/errcode"
	"agentflow/backend/team/gatewayconfig"
	"agentflow/backend/team/lint"
	"agentflow/backend/team/teamfile"
	"agentflow/backend/team/topology"
)

// Write packs a bundle, with its README in English or Japanese (lang "ja"). The same
// bundle gives the same bytes.
func Write(b Bundle, lang string) ([]byte, Report, error) {
	p := packer{
		manifest: manifest{Bundle: 1, Name: b.Name, At: b.At.UTC()},
		taken:    map[string]bool{},
		report:   Report{Losses: []LeftOut{}},
	}
	for _, t := range b.Teams {
		if err := p.team(t); err != nil {
			return nil, Report{}, err
		}
	}
	plan, err := json.MarshalIndent(p.manifest, "", "  ")
	if err != nil {
		return nil, Report{}, fmt.Errorf("bundle: manifest: %w", err)
	}
	p.report.Readme = readme(b, p.report.Losses, lang)
	p.files = append([]file{{readmeName, []byte(p.report.Readme)}, {manifestName, append(plan, '\n')}}, p.files...)
	data, err := p.zip(b)
	return data, p.report, err
}

type file struct {
	path string
	data []byte
}

type packer struct {
	manifest manifest
	files    []file
	taken    map[string]bool
	report   Report
}

func (p *packer) team(t Team) error {
	stem := p.free(slug(t.Name))
	entry := manifestTeam{Name: t.Name, File: "teams/" + stem + ".agentflow.yaml"}
	if err := p.add(entry.File, t.Topology, LeftOut{Team: t.Name}); err != nil {
		return err
	}
	for i, v := range t.Versions {
		path := fmt.Sprintf("teams/%s.versions/%03d-%s.agentflow.yaml", stem, i+1, slug(v.Name))
		if err := p.add(path, v.Topology, LeftOut{Team: t.Name, Version: v.Name}); err != nil {
			return err
		}
		entry.Versions = append(entry.Versions,
			manifestVersion{Name: v.Name, At: v.At.UTC(), Author: v.Author, File: path})
	}
	p.manifest.Teams = append(p.manifest.Teams, entry)
	return nil
}

// add writes one team file without its secrets and notes what they were.
func (p *packer) add(path string, t *topology.Topology, at LeftOut) error {
	clean, secrets := lint.WithoutSecrets(t)
	for _, s := range secrets {
		l := at
		l.Item = s.Item
		l.Loss = gatewayconfig.Loss{
			Agent:   s.Agent,
			Field:   s.Field,
			Reason:  gatewayconfig.LossSecret,
			Message: s.Field + " holds a secret in clear, so it is left out. Put it into an environment variable and name that",
		}
		p.report.Losses = append(p.report.Losses, l)
	}
	text, losses, err := teamfile.Write(nil, clean, nil)
	if err != nil {
		return err
	}
	for _, lost := range losses {
		l := at
		l.Loss = lost
		p.report.Losses = append(p.report.Losses, l)
	}
	p.files = append(p.files, file{path, text})
	return nil
}

func (p *packer) zip(b Bundle) ([]byte, error) {
	var buf bytes.Buffer
	z := zip.NewWriter(&buf)
	total := 0
	for _, f := range p.files {
		h := &zip.FileHeader{Name: f.path, Method: zip.Deflate, Modified: b.At.UTC()}
		h.SetMode(0o644)
		w, err := z.CreateHeader(h)
		if err != nil {
			return nil, fmt.Errorf("bundle: %w", err)
		}
		if _, err := w.Write(f.data); err != nil {
			return nil, fmt.Errorf("bundle: %w", err)
		}
		total += len(f.data)
		p.report.Files = append(p.report.Files, Content{f.path, len(f.data)})
	}
	if err := z.Close(); err != nil {
		return nil, fmt.Errorf("bundle: %w", err)
	}
	if buf.Len() > MaxBytes || total > MaxUnpacked || len(p.files) > MaxFiles {
		return nil, errcode.New(errcode.Validation,
			"the bundle would be larger than a bundle may be (%d MiB, %d files): leave the versions out", MaxBytes>>20,
			MaxFiles)
	}
	return buf.Bytes(), nil
}

// free makes a name one that no other team of the bundle has, whatever the case.
func (p *packer) free(stem string) string {
	name := stem
	for n := 2; p.taken[strings.ToLower(name)]; n++ {
		name = fmt.Sprintf("%s-%d", stem, n)
	}
	p.taken[strings.ToLower(name)] = true
	return name
}

// slug makes a name one that every file system takes; letters of all scripts stay.
func slug(name string) string {
	var b strings.Builder
	dash := false
	for _, r := range name {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			if dash && b.Len() > 0 {
				b.WriteByte('-')
			}
			dash = false
			b.WriteRune(r)
		} else {
			dash = true
		}
		if b.Len() > 60 {
			break
		}
	}
	if b.Len() == 0 {
		return "team"
	}
	return b.String()
}
