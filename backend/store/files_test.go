package store_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/store"
	"agentflow/backend/team/library"
	"agentflow/backend/team/topology"
)

func TestOC4_FilesAreKept(t *testing.T) { keepsFiles(t, open(t, t.TempDir())) }

// fileAt makes a snapshot of a workspace file. Its ID is in the order of n.
func fileAt(n int, agent topology.AgentID, name, content string) library.FileSnapshot {
	return library.FileSnapshot{
		ID: library.FileID(fmt.Sprintf("%04d", n)), Gateway: "g", Agent: agent, Name: name, Content: content,
		Hash: topology.HashFile(content), Size: len(content), Tokens: topology.AboutTokens(content), Cause: "elsewhere",
		Team: "team", At: time.Now().UTC().Truncate(time.Microsecond),
	}
}

// keepsFiles checks that files come back as they were, share equal texts, stay in their bounds, and go with a clean-up.
func keepsFiles(t *testing.T, s *store.Store) {
	files := store.Files{Store: s}
	put := func(f library.FileSnapshot, bounds library.FileBounds) {
		t.Helper()
		if err := files.PutFile(t.Context(), f, bounds); err != nil {
			t.Fatal(err)
		}
	}
	count := func(kind string) int64 {
		t.Helper()
		size, err := store.Maintenance{Store: s}.Size(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range size.Parts {
			if p.Kind == kind {
				return p.Count
			}
		}
		return -1
	}
	wide := library.FileBounds{Newest: 3, Bytes: 1 << 20}
	first := fileAt(1, "a", "SOUL.md", "Be kind. 日本語\r\n")
	put(first, wide)
	put(fileAt(2, "b", "SOUL.md", first.Content), wide)
	gone := library.FileSnapshot{ID: "0003", Gateway: "g", Agent: "a", Name: "SOUL.md", Missing: true, At: first.At}
	put(gone, wide)
	got, err := files.File(t.Context(), first.ID)
	got.At = got.At.UTC()
	if err != nil || got != first {
		t.Errorf("got %+v, %v, want %+v", got, err, first)
	}
	if f, err := files.File(t.Context(), gone.ID); err != nil || !f.Missing || f.Content != "" {
		t.Errorf("got %+v, %v", f, err)
	}
	if _, err := files.File(t.Context(), "none"); !errcode.Is(err, errcode.NotFound) {
		t.Errorf("an unknown one: %v", err)
	}
	if ids := fileIDs(files.NewestFiles(t.Context(), "g", "a")); ids != "0003" {
		t.Errorf("newest of a: %s", ids)
	}
	for n := 4; n < 7; n++ {
		put(fileAt(n, "a", "SOUL.md", fmt.Sprint("text ", n)), wide)
	}
	// The text of the first one is still that of another agent.
	if ids := fileIDs(files.Files(t.Context(), "g", 9)); ids != "0006 0005 0004 0002" {
		t.Errorf("kept %s", ids)
	}
	if f, err := files.File(t.Context(), "0002"); err != nil || f.Content != first.Content {
		t.Errorf("the shared text is %q, %v", f.Content, err)
	}
	// The newest snapshot of each file stays, however long it is.
	put(fileAt(7, "c", "AGENTS.md", strings.Repeat("x", 300)), library.FileBounds{Newest: 3, Bytes: 200})
	if ids := fileIDs(files.Files(t.Context(), "g", 9)); ids != "0007 0006 0002" {
		t.Errorf("within 200 bytes: %s", ids)
	}
	if err := s.RenameGateway(t.Context(), "g", "h"); err != nil {
		t.Fatal(err)
	}
	if ids := fileIDs(files.Files(t.Context(), "h", 2)); ids != "0007 0006" {
		t.Errorf("after the rename: %s", ids)
	}
	lines, err := store.Maintenance{Store: s}.FileLines(t.Context())
	if err != nil || len(lines) != 3 || lines[0].ID != "0007" || lines[0].Bytes == 0 || lines[2].Agent != "b" {
		t.Errorf("lines %+v, %v", lines, err)
	}
	removed := library.Removal{Files: []library.FileID{"0002", "0007"}}
	if err := (store.Maintenance{Store: s}).Remove(t.Context(), removed); err != nil {
		t.Fatal(err)
	}
	if n := count("files"); n != 1 {
		t.Errorf("%d are left", n)
	}
	// Its text went with the last snapshot that had it.
	put(fileAt(8, "d", "SOUL.md", first.Content), wide)
	if f, err := files.File(t.Context(), "0008"); err != nil || f.Content != first.Content {
		t.Errorf("kept once more: %+v, %v", f, err)
	}
}

func fileIDs(files []library.FileSnapshot, err error) string {
	if err != nil {
		return err.Error()
	}
	var ids []string
	for _, f := range files {
		if f.Content != "" {
			return "a list has texts"
		}
		ids = append(ids, string(f.ID))
	}
	return strings.Join(ids, " ")
}
