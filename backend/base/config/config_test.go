package config

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/zalando/go-keyring"

	"agentflow/backend/base/errcode"
)

func load(t *testing.T, dir, text string) (*Settings, error) {
	t.Helper()
	t.Setenv("AGENTFLOW_CONFIG", "")
	t.Setenv("AGENTFLOW_GATEWAY_URL", "")
	if text != "" {
		if err := os.WriteFile(filepath.Join(dir, "agentflow.yaml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return Load(dir)
}

func TestEditsLeaveTheRestOfTheFileAlone(t *testing.T) {
	dir := t.TempDir()
	const head = "# mine\nunknown: {a: 1}   # kept\nproviders:\n  - {name: x, kind: openai, apiKeyEnv: KEY}\n"
	s, err := load(t, dir, head)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.PutGateway("", Gateway{Name: "studio", URL: "ws://127.0.0.1:18789", Color: 3}, true); err != nil {
		t.Fatal(err)
	}
	if err := s.SetUI(UI{Language: "ja", Theme: "dark", GPUPolicy: "never"}); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(s.Path())
	if err != nil || !strings.HasPrefix(string(data), head) {
		t.Errorf("the file is now (%v)\n%s", err, data)
	}
	again, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	list, def := again.Gateways()
	if len(list) != 1 || list[0].Name != "studio" || def != "studio" || again.UI().Language != "ja" {
		t.Errorf("read again: %+v, default %q, %+v", list, def, again.UI())
	}
	if err := again.RemoveGateway("studio"); err != nil {
		t.Fatal(err)
	}
	if list, def := again.Gateways(); len(list) != 0 || def != LocalGateway {
		t.Errorf("after removing it: %+v, default %q", list, def)
	}
}

// Inside a list, too, comments and keys of others stay, and only the line that changed is
// another.
func TestEditsOfAProviderLeaveTheOthersAlone(t *testing.T) {
	dir := t.TempDir()
	s, err := load(t, dir, `# mine
providers:
  # the cheap one
  - {name: x, kind: openai, apiKeyEnv: KEY, later: kept} # do not touch
  - name: box   # in the cellar
    kind: ollama
    baseUrl: "http://box:11434"
ui:
  future: 1 # of a newer version
  theme: dark
`)
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{
		s.PutProvider("box", Provider{Name: "cellar", Kind: "ollama", BaseURL: "http://box:1"}, true),
		s.PutProvider("", Provider{Name: "llm", Kind: "llm-cli", Command: "llm"}, false),
		s.SetUI(UI{Theme: "light"}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	data, _ := os.ReadFile(s.Path())
	const want = `# mine
providers:
  # the cheap one
  - {name: x, kind: openai, apiKeyEnv: KEY, later: kept} # do not touch
  - name: cellar   # in the cellar
    kind: ollama
    baseUrl: "http://box:1"
  - name: llm
    kind: llm-cli
    command: llm
ui:
  future: 1 # of a newer version
  theme: light
defaultProvider: cellar
`
	if string(data) != want {
		t.Errorf("the file is now\n%s", data)
	}
	for _, name := range []string{"cellar", "llm"} {
		if err := s.RemoveProvider(name); err != nil {
			t.Fatal(err)
		}
	}
	again, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	if list, def := again.Providers(); len(list) != 1 || list[0].APIKeyEnv != "KEY" || def != "" {
		t.Errorf("left: %+v, default %q", list, def)
	}
}

func TestFaultBadSettingsNameThePlace(t *testing.T) {
	cases := map[string]string{
		"not YAML":            "gateways:\n  - {name: a\n",
		"wrong type":          "gateways: 7\n",
		"no url":              "gateways:\n  - {name: a}\n",
		"double name":         "gateways:\n  - {name: a, url: ws://a}\n  - {name: a, url: ws://b}\n",
		"the local one":       "gateways:\n  - {name: local, url: ws://a}\n",
		"unknown default":     "defaultGateway: nobody\n",
		"double key":          "providers: []\nproviders: []\n",
		"not UTF-8":           "defaultGateway: \xff\n",
		"several documents":   "a: 1\n---\nb: 2\n",
		"an alias bomb's end": "a: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e,*e]\ng: [*f,*f,*f,*f,*f,*f,*f,*f,*f,*f]\n",
	}
	for name, text := range cases {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			_, err := load(t, dir, text)
			if !errcode.Is(err, errcode.Validation) || !strings.Contains(err.Error(), "agentflow.yaml") {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestFaultAnEmptyOrMissingFileIsFine(t *testing.T) {
	for _, text := range []string{"", "# only a comment\n", "\n"} {
		dir := t.TempDir()
		s, err := load(t, dir, text)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if err := s.SetUI(UI{Theme: "dark"}); err != nil {
			t.Errorf("%q: %v", text, err)
		}
		if again, err := Load(dir); err != nil || again.UI().Theme != "dark" {
			t.Errorf("%q: read again %v", text, err)
		}
		if data, err := os.ReadFile(s.Path()); err != nil || strings.Count(string(data), "#") > 1 {
			t.Errorf("%q: the comment is there more than once (%v)\n%s", text, err, data)
		}
	}
}

func TestTheEnvironmentAddsAGateway(t *testing.T) {
	s, err := load(t, t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("AGENTFLOW_GATEWAY_URL", "ws://gateway:1")
	list, def := s.Gateways()
	if len(list) != 1 || list[0].Name != EnvGateway || list[0].TokenEnv != "AGENTFLOW_GATEWAY_TOKEN" || def != EnvGateway {
		t.Errorf("%+v, default %q", list, def)
	}
}

func TestSecretsWithoutAKeyring(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Log("elsewhere there is a keyring, which a test must not fill")
		return
	}
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "")
	dir := t.TempDir()
	s := NewSecrets(dir)
	if err := s.Set(GatewayKey("ws://a:1/"), "one"); err != nil {
		t.Fatal(err)
	}
	if err := s.Set(GatewayKey("ws://b:1/"), "two"); err != nil {
		t.Fatal(err)
	}
	if got, err := NewSecrets(dir).Get(GatewayKey("ws://a:1/")); err != nil || got != "one" {
		t.Errorf("got %q, %v", got, err)
	}
	info, err := os.Stat(filepath.Join(dir, "secrets.json"))
	if err != nil || info.Mode().Perm() != fs.FileMode(0o600) {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if err := s.Set(GatewayKey("ws://a:1/"), ""); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Get(GatewayKey("ws://a:1/")); err != nil || got != "" {
		t.Errorf("a forgotten secret is %q, %v", got, err)
	}
}

// Without a secret there is no file to name, also after the last one is deleted.
func TestSecretsPlace_NamesOnlyWhatExists(t *testing.T) {
	keyring.MockInit()
	one, other := GatewayKey("ws://a:1/"), ProviderKey("b", "http://b:1/v1")
	for bus, want := range map[string]SecretsPlace{"": SecretsInFile, "unix:path=/nowhere": SecretsInKeyring} {
		if bus == "" && runtime.GOOS != "linux" {
			continue // the keyring is always there
		}
		t.Setenv("DBUS_SESSION_BUS_ADDRESS", bus)
		dir := t.TempDir()
		s := NewSecrets(dir)
		for _, secret := range []string{"", "word", ""} {
			if err := s.Set(other, secret); err != nil {
				t.Fatal(err)
			}
			wantPlace, wantFile := SecretsNowhere, ""
			if secret != "" {
				wantPlace = want
			}
			if wantPlace == SecretsInFile {
				wantFile = filepath.Join(dir, "secrets.json")
			}
			if place, file := s.Place(one, other); place != wantPlace || file != wantFile {
				t.Errorf("bus %q, secret %q: %s, file %q, want %s, %q", bus, secret, place, file, wantPlace, wantFile)
			}
		}
	}
}

func TestOwnerToken(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "")
	t.Setenv("AGENTFLOW_TOKEN", "")
	dir := t.TempDir()
	if got, err := OwnerToken(dir, false); err != nil || got != "" {
		t.Errorf("without a file: %q, %v", got, err)
	}
	made, err := OwnerToken(dir, true)
	if err != nil || len(made) < 32 {
		t.Fatalf("made %q, %v", made, err)
	}
	if got, err := OwnerToken(dir, false); err != nil || got != made {
		t.Errorf("read again: %q, %v", got, err)
	}
	t.Setenv("AGENTFLOW_TOKEN", "from the environment")
	if got, err := OwnerToken(dir, true); err != nil || got != "from the environment" {
		t.Errorf("with the environment: %q, %v", got, err)
	}
}

func TestBudgetsOfAgentsComeBeforeThoseOfTheTeam(t *testing.T) {
	s, err := load(t, t.TempDir(),
		"budgets:\n  task: {tokens: 1000, seconds: 60}\n  agents:\n    dev-1: {tokens: 50, usd: 0.5}\n")
	if err != nil {
		t.Fatal(err)
	}
	if all, one := s.Budget(""), s.Budget("dev-1"); all != (Budget{Tokens: 1000, Seconds: 60}) || one != (Budget{Tokens: 50, USD: 0.5, Seconds: 60}) {
		t.Errorf("%+v %+v", all, one)
	}
	if _, err := load(t, t.TempDir(), "budgets: {task: {tokens: -1}}\n"); err == nil {
		t.Error("a budget below 0 was taken")
	}
}
