package rollout

import (
	"context"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/team/library"
	"agentflow/backend/team/topology"
)

// FileSnapshot is a workspace file of an agent as a gateway had it once.
type FileSnapshot struct {
	ID      library.FileID   `json:"id"`
	Gateway string           `json:"gateway"`
	Agent   topology.AgentID `json:"agent" doc:"ID of the agent."`
	Name    string           `json:"name" doc:"Name of the file."`
	Hash    string           `json:"hash,omitempty" doc:"SHA-256 of the file as hexadecimal digits. Absent if the file was gone."`
	At      time.Time        `json:"at" doc:"Time when this content was first seen, or written."`
	Cause   string           `json:"cause" enum:"read,elsewhere,after_apply,after_rollback" doc:"read: seen for the first time. elsewhere: not changed by AgentFlow. after_apply and after_rollback: written by AgentFlow."`
	Team    library.ID       `json:"teamId,omitempty" doc:"ID of the team that was applied or rolled back."`
	Size    int              `json:"size" doc:"Bytes of the text."`
	Tokens  int              `json:"tokens" doc:"About how many tokens the text has."`
	Missing bool             `json:"missing,omitempty" doc:"The file was gone."`
	Binary  bool             `json:"binary,omitempty" doc:"The file isn't text, so only its hash was kept."`
	HasText bool             `json:"hasText" doc:"The text was kept. It isn't if the file was gone, isn't text or has more than 1 MiB."`
	Before  *FileBefore      `json:"before,omitempty" doc:"The same file before. Absent if nothing older is kept."`
}

// FileBefore is what a file was before a change.
type FileBefore struct {
	ID     library.FileID `json:"id"`
	Size   int            `json:"size" doc:"Bytes of the text."`
	Tokens int            `json:"tokens" doc:"About how many tokens the text had."`
}

// FileText is a kept file with its text.
type FileText struct {
	FileSnapshot
	Content string `json:"content" doc:"Text of the file. Empty without hasText."`
}

// FilePair is a kept file beside another one.
type FilePair struct {
	A *FileText `json:"a,omitempty" doc:"The other file: by default the same one before. Absent if nothing older is kept."`
	B FileText  `json:"b"`
}

func fileView(f library.FileSnapshot) FileSnapshot {
	return FileSnapshot{
		ID: f.ID, Gateway: f.Gateway, Agent: f.Agent, Name: f.Name, Hash: f.Hash, At: f.At, Cause: f.Cause,
		Team: f.Team, Size: f.Size, Tokens: f.Tokens, Missing: f.Missing, Binary: f.Binary, HasText: f.HasText(),
	}
}

// FileSnapshots lists the kept files of a gateway, newest first. It needs no connection to the gateway.
func FileSnapshots(ctx context.Context, m *Machine, gateway string, limit int) ([]FileSnapshot, error) {
	if _, err := m.gateways.Target(gateway); err != nil {
		return nil, err
	}
	all, err := m.files.list(ctx, gateway)
	return all[:min(limit, len(all))], err
}

// list lists the kept files of a gateway, newest first, each with what it was before.
func (k *fileHistory) list(ctx context.Context, gateway string) ([]FileSnapshot, error) {
	if k.history == nil {
		return nil, nil
	}
	all, err := k.history.List(ctx, gateway, library.EveryFile)
	if err != nil {
		return nil, err
	}
	type file struct {
		agent topology.AgentID
		name  string
	}
	out, later := make([]FileSnapshot, len(all)), map[file]int{}
	for i, f := range all {
		out[i] = fileView(f)
		of := file{f.Agent, f.Name}
		if at, is := later[of]; is {
			out[at].Before = &FileBefore{ID: f.ID, Size: f.Size, Tokens: f.Tokens}
		}
		later[of] = i
	}
	return out, nil
}

// CompareFiles returns a kept file beside another one, or beside the same file before if none is named.
func CompareFiles(ctx context.Context, m *Machine, gateway string, id, with library.FileID) (FilePair, error) {
	all, err := FileSnapshots(ctx, m, gateway, library.EveryFile)
	if err != nil {
		return FilePair{}, err
	}
	b, err := m.files.text(ctx, all, id)
	if err != nil {
		return FilePair{}, err
	}
	if with == "" && b.Before != nil {
		with = b.Before.ID
	}
	if with == "" {
		return FilePair{B: b}, nil
	}
	a, err := m.files.text(ctx, all, with)
	return FilePair{A: &a, B: b}, err
}

// text returns one of the listed files with its text.
func (k *fileHistory) text(ctx context.Context, all []FileSnapshot, id library.FileID) (FileText, error) {
	for _, f := range all {
		if f.ID == id {
			kept, err := k.history.File(ctx, id)
			return FileText{FileSnapshot: f, Content: kept.Content}, err
		}
	}
	return FileText{}, errcode.New(errcode.NotFound, "there is no file snapshot %s of this gateway", id)
}
