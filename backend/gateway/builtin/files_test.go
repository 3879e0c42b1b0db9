package builtin_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/builtin"
	"agentflow/backend/gateway/client"
	"agentflow/backend/team/topology"
)

// OC-2: the built-in gateway serves the files of a workspace in the form of OpenClaw's gateways.
func TestOC2_WorkspaceFiles(t *testing.T) {
	home := t.TempDir()
	h := start(t, hubOptions{home: home})
	c := h.client(t)
	list, err := client.FilesOf(c).List(ctx(t), "pm-1")
	if err != nil || len(list) != len(topology.FileNames()) {
		t.Fatalf("%+v, %v", list, err)
	}
	for _, f := range list {
		if !f.Missing {
			t.Errorf("%s is there before anybody wrote it", f.Name)
		}
	}
	const soul = "# Soul\r\n\nBe kind. 日本語\n\n"
	wrote, err := client.FilesOf(c).Write(ctx(t), "pm-1", "SOUL.md", soul, "")
	if err != nil || wrote.Hash != topology.HashFile(soul) {
		t.Fatalf("%+v, %v", wrote, err)
	}
	onDisk, err := os.ReadFile(filepath.Join(home, ".openclaw", "workspace-pm-1", "SOUL.md"))
	if err != nil || string(onDisk) != soul {
		t.Fatalf("%q, %v", onDisk, err)
	}
	got, err := client.FilesOf(c).Read(ctx(t), "pm-1", "SOUL.md")
	if err != nil || got.Content != soul || !got.Guarded || got.Binary || got.Size != int64(len(soul)) ||
		got.UpdatedAt.IsZero() {
		t.Fatalf("%+v, %v", got, err)
	}
	_, err = client.FilesOf(c).Write(ctx(t), "pm-1", "SOUL.md", "mine", topology.HashFile("old"))
	if !errcode.Is(err, errcode.Conflict) || !errcode.HasReason(err, errcode.ReasonFileChanged) ||
		errcode.From(err).Details[client.KeyCurrentHash] != got.Hash {
		t.Fatalf("a changed file gave %v, %+v", err, errcode.From(err).Details)
	}
	p := h.peer(t)
	answer := p.ask(`{"jsonrpc":"2.0","id":1,"method":"agents.files.set","params":` +
		`{"agentId":"pm-1","name":"SOUL.md","content":"x","expectedHash":"` + topology.HashFile("old") + `"}}`)
	failed, _ := answer["error"].(map[string]any)
	details, _ := failed["details"].(map[string]any)
	if details["type"] != "agent_file_conflict" || details["currentHash"] != got.Hash {
		t.Errorf("the wire says %v", answer)
	}
	answer = p.ask(`{"jsonrpc":"2.0","id":2,"method":"agents.files.list","params":{"agentId":"pm-1"}}`)
	result, _ := answer["result"].(map[string]any)
	files, _ := result["files"].([]any)
	first, _ := files[0].(map[string]any)
	if result["agentId"] != "pm-1" || first["name"] != "SOUL.md" || first["missing"] != false ||
		first["content"] != nil {
		t.Errorf("the list on the wire is %v", answer)
	}
}

// What isn't a file of the agent's own folder is refused, and nothing of it is read or written.
func TestOC2_WorkspaceFilesStayInTheFolder(t *testing.T) {
	home, outside := t.TempDir(), filepath.Join(t.TempDir(), "secret.txt")
	if err := os.WriteFile(outside, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	h := start(t, hubOptions{home: home})
	dir := filepath.Join(home, ".openclaw", "workspace-pm-1")
	if err := os.MkdirAll(filepath.Join(dir, "MEMORY.md"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, "USER.md")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "TOOLS.md"), []byte("a\xff\x00b"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := h.client(t)
	for name, why := range map[string]string{
		"USER.md": "unsafe workspace file", "MEMORY.md": "not a plain file", "../../x.md": "unsupported file",
		"EVIL.md": "unsupported file",
	} {
		_, _, err := h.File(ctx(t), "pm-1", name)
		if !errcode.Is(err, errcode.Validation) || !strings.Contains(err.Error(), why) ||
			strings.Contains(errcode.From(err).Message, home) {
			t.Errorf("reading %s gave %v", name, err)
		}
		if _, _, err := h.SetFile(ctx(t), "pm-1", name, "x", ""); !errcode.Is(err, errcode.Validation) {
			t.Errorf("writing %s gave %v", name, err)
		}
	}
	if text, err := os.ReadFile(outside); err != nil || string(text) != "secret" {
		t.Fatalf("a link led to %q, %v", text, err)
	}
	if f, err := client.FilesOf(c).Read(ctx(t), "pm-1", "TOOLS.md"); err != nil || !f.Binary {
		t.Errorf("a binary file gave %+v, %v", f, err)
	}
	if _, err := client.FilesOf(c).Read(ctx(t), "nobody", "SOUL.md"); !errcode.Is(err, errcode.NotFound) {
		t.Errorf("nobody's file gave %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// A folder that AgentFlow keeps for itself is nobody's workspace, and a relative one is none.
func TestOC2_WorkspaceIsApartFromTheHub(t *testing.T) {
	refused := errcode.New(errcode.Forbidden, "not this folder")
	h := start(t, hubOptions{home: t.TempDir(), apart: func(...string) error { return refused }})
	if _, _, err := h.SetFile(ctx(t), "pm-1", "SOUL.md", "x", ""); !errors.Is(err, refused) {
		t.Errorf("got %v", err)
	}
	h = start(t, hubOptions{config: "agents:\n  a: {model: talk/a, workspace: here}\n"})
	if _, _, err := h.File(ctx(t), "a", "SOUL.md"); !errcode.Is(err, errcode.Validation) ||
		!strings.Contains(err.Error(), "absolute path") {
		t.Errorf("got %v", err)
	}
}

// An agent reads AGENTS.md and SOUL.md after its persona, and the prompt says where a long file is cut.
func TestOC2_AgentsReadTheirFiles(t *testing.T) {
	dir := t.TempDir()
	h := start(t,
		hubOptions{config: "agents:\n  a:\n    name: Ann\n    model: talk/a\n" +
			"    persona: My persona.\n    workspace: " + dir + "\n"})
	long := "Be kind. " + strings.Repeat("語", builtin.PromptFileChars)
	for name, content := range map[string]string{"AGENTS.md": "Ask Bob.\n", "SOUL.md": long,
		"USER.md": "not for the prompt"} {
		if _, _, err := h.SetFile(ctx(t), "a", name, content, ""); err != nil {
			t.Fatal(err)
		}
	}
	if got, _, err := h.File(ctx(t), "a", "SOUL.md"); err != nil || got != dir {
		t.Fatalf("%q, %v", got, err)
	}
	if _, err := h.ChatSend(ctx(t), builtin.ChatMessage{SessionKey: "agent:a:main", Message: "hello"}); err != nil {
		t.Fatal(err)
	}
	asked := h.model.next(t)
	asked.end <- nil
	said := asked.request.System
	for _, want := range []string{
		"You are Ann.\n\nMy persona.\n\n# AGENTS.md\n\nAsk Bob.\n\n# SOUL.md\n\nBe kind. 語",
		fmt.Sprintf("[SOUL.md is cut here after %d of %d characters]", builtin.PromptFileChars,
			builtin.PromptFileChars+9),
	} {
		if !strings.Contains(said, want) {
			t.Errorf("the prompt lacks %q:\n%.200s … %s", want, said, said[max(0, len(said)-100):])
		}
	}
	if strings.Contains(said, "not for the prompt") {
		t.Error("USER.md is in the prompt")
	}
}
