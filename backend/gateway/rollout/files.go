package rollout

import (
	"context"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/openclaw"
	"agentflow/backend/team/topology"
)

// Workspace is the files of an agent on its gateway, without their text.
type Workspace struct {
	Served bool            `json:"served" doc:"The gateway serves workspace files."`
	Exists bool            `json:"exists" doc:"The gateway has the agent. A new one gets its files when the team is applied."`
	Files  []WorkspaceFile `json:"files" doc:"Files that a team can hold, those that aren't there yet among them."`
}

// WorkspaceFile is one file of an agent's workspace on the gateway.
type WorkspaceFile struct {
	Name    string `json:"name"`
	Missing bool   `json:"missing" doc:"The workspace has no such file yet."`
	Served  bool   `json:"served" doc:"The gateway serves a file of this name."`
	Size    int    `json:"size" doc:"Bytes of the text."`
	Hash    string `json:"hash,omitempty" doc:"SHA-256 of the file. Put it into basedOn of an edited file."`
	Guarded bool   `json:"guarded" doc:"The gateway itself checks that the file didn't change before it is written."`
	Binary  bool   `json:"binary" doc:"The file isn't text, so it can't be edited."`
	Content string `json:"content,omitempty" doc:"Text of the file. Absent in a list."`
}

func workspaceFile(name string, f openclaw.File) WorkspaceFile {
	out := WorkspaceFile{
		Name: name, Missing: f.Missing, Served: !f.Unsupported, Size: len(f.Content), Hash: f.Hash, Guarded: f.Guarded,
		Binary: f.Binary, Content: f.Content,
	}
	if f.Binary {
		out.Content = ""
	}
	return out
}

// Files reads which workspace files an agent has on a gateway.
func (m *Machine) Files(ctx context.Context, gateway string, agent topology.AgentID) (Workspace, error) {
	at, err := m.read(ctx, gateway)
	if err != nil {
		return Workspace{}, err
	}
	_, exists := at.reading.Topology.Agent(agent)
	mark, seen := m.files.keptSoFar(gateway), []seenFile{}
	out := Workspace{Served: at.target.Gateway.Capabilities().Files, Exists: exists, Files: []WorkspaceFile{}}
	for _, name := range topology.FileNames() {
		f := openclaw.File{Missing: true}
		if out.Served && exists {
			if f, err = at.target.Gateway.ReadFile(ctx, agent, name); err != nil {
				return Workspace{}, err
			}
			seen = append(seen, seenFile{agent, name, f})
		}
		file := workspaceFile(name, f)
		file.Content = ""
		out.Files = append(out.Files, file)
	}
	return out, m.seen(ctx, gateway, mark, seen...)
}

// File reads one workspace file of an agent with its text.
func (m *Machine) File(ctx context.Context, gateway string, agent topology.AgentID, name string) (WorkspaceFile,
	error) {
	if !topology.IsFileName(name) {
		return WorkspaceFile{}, errcode.New(errcode.NotFound,
			"there is no workspace file %.100q that a team can hold", name)
	}
	target, err := m.gateways.Target(gateway)
	if err != nil {
		return WorkspaceFile{}, err
	}
	if !target.Gateway.Capabilities().Files {
		return WorkspaceFile{}, errcode.New(errcode.NotFound, "the gateway %s doesn't serve workspace files", gateway)
	}
	mark := m.files.keptSoFar(gateway)
	f, err := target.Gateway.ReadFile(ctx, agent, name)
	if err != nil {
		return WorkspaceFile{}, err
	}
	return workspaceFile(name, f), m.seen(ctx, gateway, mark, seenFile{agent, name, f})
}
