package config

import (
	"os"
	"strings"
	"testing"

	"agentflow/backend/base/errcode"
)

func TestPricesAreKeptAndFollowTheirProvider(t *testing.T) {
	dir := t.TempDir()
	const head = "# mine\nproviders:\n  - {name: x, kind: openai}\nprices:\n  x/big: {input: 1.25, output: 10}   # since June\n  other/m: {input: 2, output: 4}\n"
	s, err := load(t, dir, head)
	if err != nil {
		t.Fatal(err)
	}
	if p := s.Prices(); p["x/big"] != (Price{Input: 1.25, Output: 10}) || p["other/m"].Output != 4 {
		t.Fatalf("%+v", p)
	}
	if err := s.SetPrice("x/org/small", &Price{Input: 0.1, Output: 0.4}); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(s.Path())
	if err != nil || !strings.HasPrefix(string(data), head) {
		t.Errorf("the file is now (%v)\n%s", err, data)
	}
	if err := s.PutProvider("x", Provider{Name: "y", Kind: "openai"}, false); err != nil {
		t.Fatal(err)
	}
	again, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	if p := again.Prices(); len(p) != 3 || p["y/big"].Output != 10 || p["y/org/small"].Input != 0.1 || p["other/m"].Input != 2 {
		t.Errorf("after another name: %+v", p)
	}
	if err := again.RemoveProvider("y"); err != nil {
		t.Fatal(err)
	}
	if err := again.SetPrice("other/m", nil); err != nil {
		t.Fatal(err)
	}
	if last, err := Load(dir); err != nil || len(last.Prices()) != 0 {
		t.Errorf("at the end: %+v, %v", last.Prices(), err)
	}
}

func TestPricesThatAreNone(t *testing.T) {
	for text, field := range map[string]string{
		"prices: {m: {input: 1}}":               "model",
		"prices: {x/: {input: 1}}":              "model",
		"prices: {x/m: {input: -1}}":            "input",
		"prices: {x/m: {output: .nan}}":         "output",
		"prices: {x/m: {output: 2000000}}":      "output",
		"prices: {x/m: {input: 1, output: -1}}": "output",
	} {
		_, err := load(t, t.TempDir(), text)
		if e := errcode.From(err); err == nil || e.Code != errcode.Validation || e.Details[errcode.KeyField] != field {
			t.Errorf("%s: %v", text, err)
		}
	}
}
