package filesapi

import (
	"context"
	"slices"
	"time"

	"agentflow/backend/team/bundle"
	"agentflow/backend/team/library"
)

type packTeams struct {
	Body struct {
		Teams    []library.ID `json:"teams" minItems:"1" maxItems:"100" doc:"IDs of the teams, 1 to 100."`
		Versions bool         `json:"versions,omitempty" doc:"Also pack named versions. Default: false."`
		Language string       `json:"language,omitempty" enum:"en,ja" doc:"Language of the README in the bundle. Default: en."`
	}
}

type packedBody struct {
	Body struct {
		Filename string `json:"filename"`
		Data     []byte `json:"data" doc:"Zip file as base64."`
		bundle.Report
	}
}

// versionsPacked bounds the named versions that one team gives along.
const versionsPacked = 200

func (s *Routes) packTeams(ctx context.Context, in *packTeams) (*packedBody, error) {
	var b bundle.Bundle
	for _, id := range in.Body.Teams {
		d, v, err := s.Library.Get(ctx, id)
		if err != nil {
			return nil, err
		}
		team := bundle.Team{Name: d.Name, Topology: v.Topology}
		if in.Body.Versions {
			if team.Versions, err = s.namedVersions(ctx, id); err != nil {
				return nil, err
			}
		}
		if d.UpdatedAt.After(b.At) {
			b.At = d.UpdatedAt
		}
		b.Teams = append(b.Teams, team)
	}
	b.At = b.At.UTC().Truncate(2 * time.Second) // what a zip can say
	b.Name = b.Teams[0].Name
	data, report, err := bundle.Write(b, in.Body.Language)
	if err != nil {
		return nil, err
	}
	out := new(packedBody)
	out.Body.Filename, out.Body.Data, out.Body.Report = bundle.FileName(b.Name), data, report
	return out, nil
}

// namedVersions are a team's named versions, the oldest first.
func (s *Routes) namedVersions(ctx context.Context, id library.ID) ([]bundle.Version, error) {
	list, err := s.Library.Versions(ctx, id, library.Query{Named: true, Limit: versionsPacked})
	if err != nil {
		return nil, err
	}
	out := make([]bundle.Version, 0, len(list))
	for _, v := range slices.Backward(list) {
		whole, err := s.Library.Version(ctx, id, v.ID)
		if err != nil {
			return nil, err
		}
		out = append(out, bundle.Version{Name: v.Name, At: v.At, Author: v.Author, Topology: whole.Topology})
	}
	return out, nil
}
