//go:build linux && workers

package codecli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentflow/backend/plan/codeclitest"
)

// The real Claude Code, Gemini CLI and OpenCode, with a model server for each protocol: a command runs, the reports
// are read, and the verdict is correct.
func TestME11_RealOthersWork(t *testing.T) {
	for name, c := range map[string]struct {
		program string
		kind    Kind
		mode    string
		model   string
	}{
		"claude":       {codeclitest.Claude, Claude, Exec, "claude-sonnet-4-5"},
		"gemini":       {codeclitest.Gemini, Gemini, Exec, "gemini-2.5-flash"},
		"gemini acp":   {codeclitest.Gemini, Gemini, ACP, "gemini-2.5-flash"},
		"opencode":     {codeclitest.OpenCode, OpenCode, Exec, "stub/stub-1"},
		"opencode acp": {codeclitest.OpenCode, OpenCode, ACP, "stub/stub-1"},
	} {
		t.Run(name, func(t *testing.T) {
			path := codeclitest.CLI(t, c.program)
			m := codeclitest.Serve(t, func(_, body string) codeclitest.Reply {
				if codeclitest.Called(body) || !strings.Contains(body, `"tools"`) {
					return codeclitest.Reply{Text: "Made it."}
				}
				return codeclitest.Reply{Text: "I make a file.", Shell: "echo hi > made.txt"}
			})
			dir, home := t.TempDir(), t.TempDir()
			w := Worker{Kind: c.kind, Mode: c.mode, Command: path, Model: c.model, Env: map[string]string{
				"ANTHROPIC_BASE_URL": strings.TrimSuffix(m.URL, "/v1"), "ANTHROPIC_API_KEY": "k", "IS_SANDBOX": "1",
				"GOOGLE_GEMINI_BASE_URL": strings.TrimSuffix(m.URL, "/v1"), "GEMINI_API_KEY": "k",
				"OPENCODE_CONFIG": openCodeConfig(t, m.URL), "STUB_KEY": "k",
			}}
			v, err := w.Run(t.Context(), Place{Dir: dir, Home: home, NoGit: true},
				Call{Kind: c.kind, Mode: c.mode, Prompt: "make a file"}, nil)
			made, _ := os.ReadFile(filepath.Join(dir, "made.txt"))
			if err != nil || !v.Finished || !strings.HasSuffix(v.Message, "Made it.") || v.Commands != 1 || v.Failed != 0 || v.TokensIn == 0 || string(made) != "hi\n" {
				t.Errorf("%+v, %v, made %q", v, err, made)
			}
		})
	}
}

func openCodeConfig(t *testing.T, url string) string {
	t.Helper()
	config, err := json.Marshal(map[string]any{
		"autoupdate":        false,
		"share":             "disabled",
		"model":             "stub/stub-1",
		"small_model":       "stub/stub-1",
		"enabled_providers": []string{"stub"},
		"provider": map[string]any{"stub": map[string]any{
			"npm":     "@ai-sdk/openai-compatible",
			"options": map[string]any{"baseURL": url, "apiKey": "{env:STUB_KEY}"},
			"models": map[string]any{
				"stub-1": map[string]any{"tool_call": true, "limit": map[string]any{"context": 32000, "output": 4000}},
			},
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "opencode.json")
	if err := os.WriteFile(path, config, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// The real Codex over ACP.
func TestME11_RealCodexOverACP(t *testing.T) {
	path := codeclitest.CLI(t, codeclitest.CodexACP)
	asked := 0
	m := codeclitest.Serve(t, func(_, body string) codeclitest.Reply {
		if asked++; asked == 1 {
			return codeclitest.Reply{Text: "I make a file.", Shell: "echo hi > made.txt; echo key=$STUB_KEY. > key.txt"}
		}
		return codeclitest.Reply{Text: "Made it."}
	})
	dir := t.TempDir()
	w := Worker{Kind: Codex, Mode: ACP, Command: path, Model: "stub-1", Env: map[string]string{"STUB_KEY": "sk-not-to-be-seen"}, ToolSpecific: m.Settings()}
	v, err := w.Run(t.Context(), Place{Dir: dir, Home: t.TempDir(), NoGit: true}, Call{Kind: Codex, Mode: ACP, Prompt: "make a file"}, nil)
	made, _ := os.ReadFile(filepath.Join(dir, "made.txt"))
	key, _ := os.ReadFile(filepath.Join(dir, "key.txt"))
	if err != nil || !v.Finished || v.Message != "Made it." || v.Commands != 1 || string(made) != "hi\n" || string(key) != "key=.\n" {
		t.Errorf("%+v, %v, made %q, key %q", v, err, made, key)
	}
}
