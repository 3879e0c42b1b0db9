package config

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/i18n"
)

// Every error of a value names file, line, the value and what can be there instead, in both languages.
func TestLoad_NamesTheLineOfAWrongValue(t *testing.T) {
	const allowed = "Use CIDR, such as 192.0.2.0/24, or 192.0.2.7/32 for a single address"
	cases := map[string]string{
		"ui: {}\nsandbox:\n  mode: maybe\n": "" +
			`:3: sandbox.mode is "maybe". Use one of: auto, required, off`,
		"sandbox:\n  read: [~/a]\n  write:\n    - ~/b\n    - rel\n": "" +
			`:5: sandbox: "rel" is not an absolute path. Begin it with / or ~/`,
		"budgets:\n  task:\n    tokens: -1\n": "" +
			":3: budgets: tokens is -1. Use 0 or more. 0 is no limit",
		"budgets:\n  agents:\n    a: {usd: 1}\n    b: {usd: -0.5}\n": "" +
			":4: budgets: usd is -0.5. Use 0 or more. 0 is no limit",
		"security:\n  allow:\n    - 192.0.2.0/24\n    - 192.0.2.7\n": "" +
			`:4: security: "192.0.2.7" under allow isn't a network. ` + allowed,
		"security:\n  proxies: [300.0.0.1/8]\n": "" +
			`:2: security: "300.0.0.1/8" under proxies isn't a network. ` + allowed,
		"gateways:\n  - name: a\n    url: ws://a\n  - name: b\n": "" +
			":4: gateways[1] needs a name and a url",
		"gateways:\n  - name: a\n    url: ws://a\n  - url: ws://b\n    name: a\n": "" +
			`:5: gateways[1]: the name "a" is taken. Give the gateway another name`,
		"gateways:\n  - {name: a, url: ws://a}\ndefaultGateway: b\n": "" +
			`:3: defaultGateway names "b", which is not among the gateways. Use one of: local, a`,
		"prices:\n  m: {input: 1}\n": "" +
			`:2: prices has "m": a price is one of provider/model, ` +
			"or of provider/* for all others of that provider",
		"prices:\n  x/m:\n    input: 1\n    output: -2\n": "" +
			":4: prices: output of x/m is -2. Use 0 to 1000000, in US dollars per million tokens",
	}
	for text, want := range cases {
		_, err := load(t, t.TempDir(), text)
		fault := errcode.From(err)
		if fault == nil || fault.Code != errcode.Validation || fault.Details[errcode.KeyLine] == nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		wantFault(t, fault, want)
	}
}

// wantFault checks what a message says after the file, and that it has its Japanese.
func wantFault(t *testing.T, fault *errcode.Error, want string) {
	t.Helper()
	_, got, _ := strings.Cut(fault.Message, "agentflow.yaml")
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	ja := i18n.Japanese.Finished(fault.Message)
	if utf8.RuneCountInString(ja) == len(ja) || !strings.Contains(ja, "agentflow.yaml:") {
		t.Errorf("in Japanese: %s", ja)
	}
}

// YAML takes an empty entry and an edit that is refused is in no line of the file.
func TestLoad_EmptyNetworkAndRefusedEdit(t *testing.T) {
	s, err := load(t, t.TempDir(), "security: {allow: [null]}\nprices:\n  x/m: {input: 1}\n")
	if err != nil {
		t.Fatal(err)
	}
	fault := errcode.From(s.SetPrice("x/m", &Price{Input: -1}))
	if fault == nil || fault.Details[errcode.KeyLine] != nil ||
		!strings.Contains(fault.Message, "agentflow.yaml: prices: input") {
		t.Errorf("got %v", fault)
	}
}

func TestGatewayFault_NamesLineAndValueButNoSecret(t *testing.T) {
	const text = "gateways:\n  - name: studio\n    url: http://x\n" +
		"  - name: other\n    url: wss://me:secret@x\n"
	s, err := load(t, t.TempDir(), text)
	if err != nil {
		t.Fatal(err)
	}
	why := errcode.New(errcode.Validation, "the gateway URL must start with ws:// or wss://").With(errcode.KeyField, "url")
	for name, want := range map[string]string{
		"studio": `:3: gateways: url of studio is "http://x": the gateway URL must start with ws:// or wss://`,
		"other":  ":5: gateways: url of other: the gateway URL must start with ws:// or wss://",
	} {
		wantFault(t, errcode.From(GatewayFault(s, name, why)), want)
	}
	lost := errors.New("lost")
	if got := GatewayFault(s, EnvGateway, why); !errors.Is(got, why) {
		t.Errorf("not in the file: %v", got)
	}
	if got := GatewayFault(s, "studio", lost); !errors.Is(got, lost) {
		t.Errorf("no fault of the file: %v", got)
	}
}

func TestUnknownNames_NameLineAndRemedy(t *testing.T) {
	known := Known{
		Kinds:     []string{"openai", "ollama"},
		Workers:   []string{"codex-cli"},
		Providers: []string{"x", "env", "demo"},
	}
	const text = "providers:\n  - name: x\n    kind: foo\ndefaultProvider: nobody\ncomplexTasks:\n  worker: bar\n"
	s, err := load(t, t.TempDir(), text)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`:3: providers: x has the unknown kind "foo" and isn't used. Use one of: openai, ollama`,
		`:4: defaultProvider names "nobody", but there is no such provider. Use one of: x, env, demo`,
		`:6: complexTasks.worker is "bar", so an agent does complex tasks alone. Use one of: codex-cli`,
	}
	got := UnknownNames(s, known)
	if len(got) != len(want) {
		t.Fatalf("got %v", got)
	}
	for i := range want {
		wantFault(t, got[i], want[i])
	}
	for _, fine := range []string{
		"", "defaultProvider: env\n", "providers: [{name: x, kind: ollama}]\ncomplexTasks: {worker: codex-cli}\n",
	} {
		if s, err = load(t, t.TempDir(), fine); err != nil || len(UnknownNames(s, known)) > 0 {
			t.Errorf("%q: %v, %v", fine, UnknownNames(s, known), err)
		}
	}
}
