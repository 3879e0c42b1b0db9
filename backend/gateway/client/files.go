package client

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/client/internal/dialect"
	"agentflow/backend/team/topology"
)

const (
	methodFilesList = "agents.files.list"
	methodFilesGet  = "agents.files.get"
	methodFilesSet  = "agents.files.set"
)

// KeyCurrentHash is the detail of a refused Write that says what the file's hash is now.
const KeyCurrentHash = dialect.KeyCurrentHash

// maxFileBytes is how long a file's content can be before it isn't read. It leaves room for files that are too long
// for a team, so that a person sees how long they are.
const maxFileBytes = 16 << 20

// AgentFile is one file of an agent's workspace on the gateway.
type AgentFile struct {
	Name        string
	Missing     bool // the workspace has no such file yet
	Unsupported bool // this gateway doesn't serve a file of this name
	Size        int64
	UpdatedAt   time.Time
	Content     string // empty in a list
	Hash        string // SHA-256 of the content in hexadecimal digits; empty in a list, and if Missing
	Guarded     bool   // the gateway gave the hash, so it compares it before it writes
	Binary      bool   // the content isn't UTF-8 text, so Content isn't what the file has
}

type fileRow struct {
	Name        string  `json:"name"`
	Missing     bool    `json:"missing"`
	Size        int64   `json:"size"`
	UpdatedAtMs float64 `json:"updatedAtMs"`
	Content     *string `json:"content"`
	Hash        string  `json:"hash"`
}

func (r fileRow) file() AgentFile {
	f := AgentFile{Name: r.Name, Missing: r.Missing, Size: r.Size, Hash: strings.ToLower(r.Hash), Guarded: r.Hash != ""}
	if r.UpdatedAtMs > 0 {
		f.UpdatedAt = time.UnixMilli(int64(r.UpdatedAtMs)).UTC()
	}
	if r.Content == nil || r.Missing {
		return f
	}
	f.Content = *r.Content
	own := topology.HashFile(f.Content)
	// A gateway shows bytes that aren't UTF-8 as U+FFFD, but counts and hashes those that are in the file.
	f.Binary = r.Hash != "" && f.Hash != own || r.Hash == "" && r.Size > 0 && r.Size != int64(len(f.Content)) ||
		strings.ContainsRune(f.Content, 0)
	if r.Hash == "" {
		f.Hash = own
	}
	return f
}

// Files are the workspace files of a gateway's agents.
type Files struct{ c *Client }

// FilesOf returns the workspace files of the client's gateway.
func FilesOf(c *Client) Files { return Files{c} }

func offersFiles(f Features) bool { return f.AgentFiles }

// List lists the workspace files of an agent that a team can hold, in the order of topology.FileNames, those that
// aren't there yet among them. Contents aren't read.
func (f Files) List(ctx context.Context, agent string) ([]AgentFile, error) {
	raw, err := f.c.call(ctx, request{
		method: methodFilesList, params: map[string]any{"agentId": agent}, timeout: f.c.timing.Call, able: offersFiles,
	})
	if err != nil {
		return nil, err
	}
	var answer struct {
		Files []fileRow `json:"files"`
	}
	if err := decodeResult(methodFilesList, raw, &answer); err != nil {
		return nil, err
	}
	listed := map[string]AgentFile{}
	for _, row := range answer.Files {
		listed[row.Name] = row.file()
	}
	var out []AgentFile
	for _, name := range topology.FileNames() {
		file, ok := listed[name]
		if !ok { // newer gateways don't list each file that they serve
			if file, err = f.Read(ctx, agent, name); err != nil {
				return nil, err
			}
			file.Content, file.Hash = "", ""
		}
		out = append(out, file)
	}
	return out, nil
}

// Read reads one workspace file of an agent. A file that isn't there, or that the gateway doesn't serve, is no
// error.
func (f Files) Read(ctx context.Context, agent, name string) (AgentFile, error) {
	raw, err := f.c.call(ctx, request{
		method: methodFilesGet, params: map[string]any{"agentId": agent, "name": name}, timeout: f.c.timing.Call,
		able: offersFiles,
	})
	if err != nil {
		if unsupportedFile(err) {
			return AgentFile{Name: name, Missing: true, Unsupported: true}, nil
		}
		return AgentFile{}, err
	}
	return decodeFile(methodFilesGet, name, raw)
}

// unsupportedFile tells a file that the gateway doesn't serve from every other refusal.
func unsupportedFile(err error) bool {
	return strings.HasPrefix(errcode.From(err).Message, "unsupported file ")
}

func decodeFile(method, name string, raw json.RawMessage) (AgentFile, error) {
	var answer struct {
		File *fileRow `json:"file"`
	}
	if err := decodeResult(method, raw, &answer); err != nil {
		return AgentFile{}, err
	}
	if answer.File == nil {
		return AgentFile{}, badAnswer(nil, method, "it names no file")
	}
	if !answer.File.Missing && answer.File.Content == nil && method == methodFilesGet {
		return AgentFile{}, badAnswer(nil, method, "it has no content")
	}
	if answer.File.Content != nil && len(*answer.File.Content) > maxFileBytes {
		return AgentFile{}, badAnswer(nil, method, "the file is too long")
	}
	f := answer.File.file()
	f.Name = name
	return f, nil
}

// Write writes a workspace file if it still is what the caller read: expectedHash is the hash of that, or "" if
// the file was missing. Otherwise it is a CONFLICT with reason file_changed and the hash as it is now in the details.
// Gateways that compare hashes get it with the write. From others, and for a file that was missing, the file is read
// once more just before it is written. That leaves a short moment in which another write isn't seen.
//
// It is sent once: without an answer the error has reason outcome_unknown.
func (f Files) Write(ctx context.Context, agent, name, content, expectedHash string) (AgentFile, error) {
	now, err := f.Read(ctx, agent, name)
	switch {
	case err != nil:
		return AgentFile{}, err
	case now.Unsupported:
		return AgentFile{}, errcode.New(errcode.Gateway, "this gateway doesn't serve the file %s", name).
			With(errcode.KeyReason, errcode.ReasonRejected)
	case now.Hash != strings.ToLower(expectedHash):
		return AgentFile{}, dialect.FileChanged(nil, now.Hash)
	}
	params := map[string]any{"agentId": agent, "name": name, "content": content}
	if now.Guarded {
		params["expectedHash"] = now.Hash
	}
	raw, err := f.c.call(ctx, request{
		method: methodFilesSet, params: params, timeout: f.c.timing.Call, changes: true, scope: dialect.ScopeAdmin,
		able: offersFiles,
	})
	if err != nil {
		return AgentFile{}, err
	}
	var said struct {
		OK   *bool    `json:"ok"`
		File *fileRow `json:"file"`
	}
	if err := decodeResult(methodFilesSet, raw, &said); err != nil {
		return AgentFile{}, unknownOutcome(err)
	}
	if said.OK != nil && !*said.OK {
		return AgentFile{}, errcode.New(errcode.Gateway, "the gateway didn't take the file and didn't say why").
			With(errcode.KeyReason, errcode.ReasonRejected)
	}
	return AgentFile{
		Name: name, Content: content, Size: int64(len(content)), Hash: topology.HashFile(content), Guarded: now.Guarded,
		UpdatedAt: time.Now().UTC(),
	}, nil
}
