package openclaw

import (
	"context"
	"slices"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/team/gatewayconfig"
	"agentflow/backend/team/topology"
)

// File is one workspace file as a gateway has it.
type File struct {
	Content     string
	Hash        string // "" if Missing
	Missing     bool
	Unsupported bool   // this gateway doesn't serve a file of this name
	Guarded     bool   // the gateway itself compares the hash when it writes
	Binary      bool   // not text, so it can't be edited or put back
	NoFolder    string // why the agent has no folder for files on this gateway, or ""
}

// ListedFile is a workspace file in a gateway's list, without its text.
type ListedFile struct {
	Name      string
	Missing   bool
	Size      int64
	UpdatedAt time.Time
}

// foldered is a gateway that knows before an apply whether an agent will have a folder for its files.
type foldered interface {
	// NoFolder says why the agent has none, or returns "".
	NoFolder(a *topology.Agent) string
}

// Files are workspace files that were read from a gateway.
type Files map[topology.AgentID]map[string]File

// Of returns what the gateway has of one file, and whether that is known.
func (f Files) Of(agent topology.AgentID, name string) (File, bool) {
	file, ok := f[agent][name]
	return file, ok
}

// Blocked says why a file can't be written, or returns "".
func (f File) Blocked(agent topology.AgentID, name string) string {
	switch {
	case f.NoFolder != "":
		return name + " stays in the team: " + f.NoFolder
	case f.Unsupported:
		return "this gateway doesn't serve " + name + ". It stays in the team"
	case f.Binary:
		return name + " of " + string(agent) + " isn't text on the gateway, so AgentFlow leaves it as it is"
	}
	return ""
}

// ReadFiles reads the files that one of the teams names, of the agents that the gateway has.
func ReadFiles(ctx context.Context, gw Gateway, there *topology.Topology, teams ...*topology.Topology) (Files, error) {
	out := Files{}
	if !gw.Capabilities().Files {
		return out, nil
	}
	has := gatewayconfig.ByID(there.Agents)
	for _, t := range teams {
		if t == nil {
			continue
		}
		for i := range t.Agents {
			a := &t.Agents[i]
			if len(a.Files) == 0 {
				continue
			}
			if has[a.ID] == nil {
				out.meet(gw, a)
				continue
			}
			for _, name := range topology.FileNames() {
				_, named := a.Files[name]
				if _, known := out.Of(a.ID, name); !named || known {
					continue
				}
				f, err := readFile(ctx, gw, a.ID, name)
				if err != nil {
					return nil, err
				}
				out.put(a.ID, name, f)
			}
		}
	}
	return out, nil
}

// readFile reads one file. Where the gateway is this computer and keeps none for the agent, the file says why.
func readFile(ctx context.Context, gw Gateway, agent topology.AgentID, name string) (File, error) {
	f, err := gw.ReadFile(ctx, agent, name)
	if _, here := gw.(foldered); !here || err == nil {
		return f, err
	}
	e := errcode.From(err)
	if e.Code == errcode.Forbidden || e.Code == errcode.Validation && e.Details[errcode.KeyField] == "workspace" {
		return File{NoFolder: e.Message}, nil
	}
	return f, err // a file that can't be read safely is no missing folder
}

// meet notes the files of a new agent that will have no folder for them.
func (f Files) meet(gw Gateway, a *topology.Agent) {
	g, knows := gw.(foldered)
	if !knows {
		return
	}
	if why := g.NoFolder(a); why != "" {
		for name := range a.Files {
			f.put(a.ID, name, File{NoFolder: why})
		}
	}
}

func (f Files) put(agent topology.AgentID, name string, file File) {
	if f[agent] == nil {
		f[agent] = map[string]File{}
	}
	f[agent][name] = file
}

// Into returns the team with the files as the gateway has them. A file that can't be read as text stays as the team
// has it, and so do those of agents that the gateway doesn't have.
func (f Files) Into(t *topology.Topology) *topology.Topology {
	if len(f) == 0 {
		return t
	}
	out := t.Clone()
	for i := range out.Agents {
		a := &out.Agents[i]
		for name, file := range f[a.ID] {
			switch {
			case file.Blocked(a.ID, name) != "":
			case file.Missing:
				delete(a.Files, name)
			default:
				if a.Files == nil {
					a.Files = topology.Files{}
				}
				a.Files[name] = topology.AgentFile{Content: file.Content, BasedOn: topology.HashFile(file.Content)}
			}
		}
		if len(a.Files) == 0 {
			a.Files = nil
		}
	}
	return out
}

// Moved reports whether the gateway has another text of some file than the team.
func (f Files) Moved(t *topology.Topology) bool {
	at := f.Into(t)
	return slices.ContainsFunc(topology.Diff(t, at), func(c topology.Change) bool {
		_, isFile := topology.FileOf(c.Field)
		return isFile
	})
}

// FileWrite is one file that a push writes.
type FileWrite struct {
	Agent   topology.AgentID
	Name    string
	Content string
	Hash    string // of the file that is replaced; "" if there is none
	New     bool   // the agent gets its workspace only with the config: the file comes after it
}

// FileWrites lists what draft says of workspace files and the gateway doesn't have, agents in the order of the draft.
func FileWrites(files Files, there, draft *topology.Topology, c Capabilities) []FileWrite {
	if !c.Files {
		return nil
	}
	has := gatewayconfig.ByID(there.Agents)
	var out []FileWrite
	for i := range draft.Agents {
		a := &draft.Agents[i]
		for _, name := range topology.FileNames() {
			want, named := a.Files[name]
			if !named {
				continue
			}
			w := FileWrite{Agent: a.ID, Name: name, Content: want.Content, New: has[a.ID] == nil}
			now, known := files.Of(a.ID, name)
			switch {
			case !known && !w.New: // nobody read it, so nobody saw what would be replaced
				continue
			case now.Blocked(a.ID, name) != "" || now.Content == want.Content: // an empty file is the same as none
				continue
			}
			w.Hash = now.Hash
			out = append(out, w)
		}
	}
	return out
}

// KeptFile is a workspace file as it was before a push, in its snapshot.
type KeptFile struct {
	Agent   topology.AgentID `json:"agent"`
	Name    string           `json:"name"`
	Content string           `json:"content,omitempty"`
	Missing bool             `json:"missing,omitempty"` // there was none
}

// AddReplaced adds the files and the jobs that a later snapshot keeps: until the change after that one, they were as it
// has them. A file and the jobs of an agent that the snapshot has already stay as they are, so the later snapshots are
// added from the earliest to the newest.
func (s *Snapshot) AddReplaced(later Snapshot) {
	for _, f := range later.Files {
		known := func(k KeptFile) bool { return k.Agent == f.Agent && k.Name == f.Name }
		if !slices.ContainsFunc(s.Files, known) {
			s.Files = append(s.Files, f)
		}
	}
	had := s.Jobs
	for _, j := range later.Jobs {
		if !slices.ContainsFunc(had, func(k Job) bool { return k.Agent == j.Agent }) {
			s.Jobs = append(s.Jobs, j)
		}
	}
}

// keptInto returns a team with the files of a snapshot. Gateways can't delete a file, so one that wasn't there becomes
// an empty one, unless it still isn't there.
func keptInto(t *topology.Topology, kept []KeptFile, now Files) *topology.Topology {
	if len(kept) == 0 {
		return t
	}
	out := t.Clone()
	for _, k := range kept {
		a, ok := out.Agent(k.Agent)
		if !ok {
			continue
		}
		if f, known := now.Of(k.Agent, k.Name); k.Missing && (!known || f.Missing) {
			continue
		}
		if a.Files == nil {
			a.Files = topology.Files{}
		}
		a.Files[k.Name] = topology.AgentFile{Content: k.Content}
	}
	return out
}

// Team returns the team of a snapshot with the workspace files that it keeps.
func (s Snapshot) Team() (*topology.Topology, error) {
	r, err := s.Reading()
	if err != nil {
		return nil, err
	}
	t := r.Topology.Clone()
	for _, k := range s.Files {
		if a, ok := t.Agent(k.Agent); ok {
			if a.Files == nil {
				a.Files = topology.Files{}
			}
			a.Files[k.Name] = topology.AgentFile{Content: k.Content}
		}
	}
	return t, nil
}

// FileRef names a workspace file.
type FileRef struct {
	Agent topology.AgentID `json:"agent"`
	Name  string           `json:"name"`
}

// PreviewFile is one workspace file that an apply would write.
type PreviewFile struct {
	FileRef
	Guarded bool `json:"guarded" doc:"The gateway itself checks that the file didn't change. Otherwise AgentFlow reads it again just before it writes, and a change in between isn't seen."`
	Created bool `json:"created,omitempty" doc:"The gateway has no such file yet."`
	Later   bool `json:"later,omitempty" doc:"The agent is new, so the file is written after the config."`
}

func previewFiles(writes []FileWrite, files Files) []PreviewFile {
	out := []PreviewFile{}
	for _, w := range writes {
		f, known := files.Of(w.Agent, w.Name)
		out = append(out, PreviewFile{
			FileRef: FileRef{Agent: w.Agent, Name: w.Name}, Guarded: f.Guarded, Created: known &&
				f.Missing, Later: w.New,
		})
	}
	return out
}

// blockedFiles names the files of the draft that the gateway doesn't take, as losses.
func blockedFiles(files Files, draft *topology.Topology) []Loss {
	var out []Loss
	for _, a := range draft.Agents {
		for _, name := range topology.FileNames() {
			if _, named := a.Files[name]; !named {
				continue
			}
			f, _ := files.Of(a.ID, name)
			why := f.Blocked(a.ID, name)
			if why == "" {
				continue
			}
			l := Loss{Agent: a.ID, Field: topology.FileField(name), Reason: LossNoPlace, Message: why}
			switch {
			case f.NoFolder != "":
				l.Reason = LossFolder
			case f.Binary:
				l.Reason = LossShape
			}
			out = append(out, l)
		}
	}
	return out
}
