package shell

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"

	"agentflow/backend/base/atomicfile"
	"agentflow/backend/base/errcode"
	"agentflow/backend/base/i18n"
	"agentflow/backend/gateway/openclaw"
	"agentflow/backend/team/bundle"
	"agentflow/backend/team/teamfile"
	"agentflow/backend/team/topology"
)

// Stdin is the file name of standard input, and in places of standard output.
const Stdin = "-"

// TeamMode is the mode of a new team file; it holds no secrets.
const TeamMode = 0o644

const maxSource = 16 << 20 // more than any format allows, so the reader reports it

// Source is a file as it was read.
type Source struct {
	Path string
	Data []byte
	File teamfile.File
}

// Name is how messages call the file.
func Name(path string) string {
	if path == Stdin {
		return "standard input"
	}
	return path
}

// Shown is the file's name for a person.
func Shown(path string) i18n.Text {
	if path == Stdin {
		return i18n.T("standard input")
	}
	return i18n.T("%s", path)
}

// ReadBytes reads a file, or standard input for "-".
func (s *Shell) ReadBytes(path string) ([]byte, error) {
	r := s.Screen.In
	if path != Stdin {
		f, err := os.Open(path)
		if err != nil {
			return nil, Unreadable(path, err)
		}
		defer func() { _ = f.Close() }() // only read
		r = f
	}
	data, err := io.ReadAll(io.LimitReader(r, maxSource))
	if err != nil {
		return nil, Unreadable(path, err)
	}
	return data, nil
}

// Unreadable is the error of a file that could not be read.
func Unreadable(path string, err error) error {
	code, why := errcode.Validation, ""
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		why = pathErr.Err.Error()
	}
	if errors.Is(err, fs.ErrNotExist) {
		code, why = errcode.NotFound, "there is no such file"
	}
	return errcode.New(code, "%s cannot be read: %s", Name(path), why).With(errcode.KeyFile, path)
}

// ReadTeam reads a team in any format but a bundle, which can have several.
func (s *Shell) ReadTeam(path string) (Source, error) {
	data, err := s.ReadBytes(path)
	if err != nil {
		return Source{}, err
	}
	if bundle.Is(data) {
		return Source{}, errcode.New(errcode.Validation, "%s is a bundle. Write its team to a file first: "+
			"agentflow topology convert %s --to agentflow -o team.agentflow.yaml", Name(path), Name(path)).
			With(errcode.KeyFile, path)
	}
	file, err := teamfile.Read(data, Name(path))
	if err != nil {
		return Source{}, err
	}
	if err := file.Team.Validate(); err != nil {
		return Source{}, errcode.From(err).With(errcode.KeyFile, Name(path))
	}
	return Source{Path: path, Data: data, File: file}, nil
}

// WriteTeam puts a team file where -o says; "" and "-" are standard output.
func (s *Shell) WriteTeam(path string, data []byte) error {
	if path == "" || path == Stdin {
		if !s.Screen.JSON {
			s.Screen.Shown(data)
		}
		return nil
	}
	return atomicfile.Write(path, data, TeamMode)
}

// OnTop returns the team file with the team in it, written over the source where that
// is a team file, so that comments and unknown keys stay.
func (s Source) OnTop(team *topology.Topology, base *teamfile.Base) ([]byte, []openclaw.Loss, error) {
	var existing []byte
	if s.File.Format == teamfile.AgentFlow {
		existing = s.Data
	}
	return teamfile.Write(existing, team, base)
}

// Unchanged reports whether the file is the same as when it was read.
func (s Source) Unchanged() bool {
	now, err := os.ReadFile(s.Path)
	return err == nil && bytes.Equal(now, s.Data)
}

// TellLosses says on standard error what a format or gateway cannot hold: secrets one by
// one, all else by field.
func (s *Shell) TellLosses(where i18n.Text, losses []openclaw.Loss) {
	var fields []string
	seen := map[string]bool{}
	for _, l := range losses {
		field := l.Field
		if l.Kind != "" {
			field = s.Screen.Say("%s connections", l.Kind)
		}
		if l.Reason != openclaw.LossNoPlace || field == "" {
			s.Screen.Note("not included in %s: %s", where, s.Screen.Words(l.Message))
			continue
		}
		if !seen[field] {
			seen[field] = true
			fields = append(fields, field)
		}
	}
	if len(fields) > 0 {
		s.Screen.Note("%s doesn't support: %s", where, strings.Join(fields, ", "))
	}
}

// Counts counts agents and connections.
func Counts(t *topology.Topology) (agents, connections int) {
	for i := range t.Agents {
		connections += len(t.Agents[i].Connections)
	}
	return len(t.Agents), connections
}
