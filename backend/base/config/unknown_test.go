package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentflow/backend/base/config"
)

func TestSettings_TellsKeysThatMeanNothing(t *testing.T) {
	dir := t.TempDir()
	text := "providers:\n  - {name: box, kind: ollama, baseURL: x}\nsandbx: {mode: auto}\nui: {theme: dark, zzz: 1}\n" +
		"budgets: {agents: {anything: {token: 1}}}\nprices: {a/b: {input: 1, output: 2}}\nsecurity: {allow: [127.0.0.1/32]}\n"
	if err := os.WriteFile(filepath.Join(dir, "agentflow.yaml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := config.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, u := range config.Unknown(s) {
		got = append(got, strings.TrimPrefix(u.Message, s.Path()))
	}
	want := ":2: the key baseURL isn't known. Did you mean baseUrl?|" +
		":3: the key sandbx isn't known. Did you mean sandbox?|" +
		":4: the key zzz isn't known and does nothing.|:5: the key token isn't known. Did you mean tokens?"
	if strings.Join(got, "|") != want {
		t.Errorf("got %s", strings.Join(got, "|"))
	}
}
