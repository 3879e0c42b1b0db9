package tool

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"
)

func named(from, name string) Tool {
	return Tool{Name: name, From: from, Schema: json.RawMessage(`{"type":"object"}`), Call: func(_ context.Context, args json.RawMessage) (string, error) {
		return from + " did " + string(args), nil
	}}
}

// person gives the test's answers and records the questions.
type person struct {
	asked   []Question
	verdict Verdict
	err     error
}

func (p *person) Ask(_ context.Context, q Question) (Verdict, error) {
	p.asked = append(p.asked, q)
	return p.verdict, p.err
}

// TestCH5_PoliciesDecide: auto runs, ask asks, and deny isn't even offered.
func TestCH5_PoliciesDecide(t *testing.T) {
	p := &person{verdict: Verdict{Allow: true}}
	s := NewSet(
		Options{Policies: Policies{Default: Deny, Tools: map[string]Policy{"read": Auto, "write": Ask}}, Asker: p},
		named("x", "read"),
		named("x", "write"),
		named("x", "burn"),
	)
	if got := strings.Join(s.Names(), " "); got != "read write" {
		t.Fatalf("offered %s", got)
	}
	use := func(name, args string) Outcome {
		o, err := s.Use(t.Context(), name, args, "I want to.")
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	if o := use("read", `{"a":1}`); o.Failed || o.Text != `x did {"a":1}` || len(p.asked) > 0 {
		t.Errorf("auto: %+v after %d questions", o, len(p.asked))
	}
	if o := use("write", ``); o.Failed || len(p.asked) != 1 || p.asked[0].Tool != "write" || string(p.asked[0].Arguments) != `{}` || p.asked[0].Said != "I want to." {
		t.Errorf("ask: %+v, asked %+v", o, p.asked)
	}
	p.verdict = Verdict{Word: "use the copy"}
	if o := use("write", `{}`); !o.Failed || !strings.Contains(o.Text, "denied this and replied: use the copy") || !o.Denied || o.Word != "use the copy" {
		t.Errorf("a no with a word: %+v", o)
	}
	p.err = errors.New("the hub is away")
	if o := use("write", `{}`); !o.Failed || !strings.Contains(o.Text, "nobody allowed it: the hub is away") {
		t.Errorf("no answer: %+v", o)
	}
	if o := use("burn", `{}`); !o.Failed || !strings.Contains(o.Text, `no tool "burn". There are: read, write`) {
		t.Errorf("denied: %+v", o)
	}
	if o, err := NewSet(Options{}, named("x", "read")).Use(t.Context(), "read", `{}`, ""); err != nil || !o.Failed || !strings.Contains(o.Text, "nobody can be asked") {
		t.Errorf("without an asker: %+v, %v", o, err)
	}
}

// TestCH5_WhatGoesWrongIsToldToTheModel: the model's mistakes are text for it and don't end the turn.
func TestCH5_WhatGoesWrongIsToldToTheModel(t *testing.T) {
	broken := named("x", "broken")
	broken.Call = func(context.Context, json.RawMessage) (string, error) { return "", errors.New("disk on fire") }
	quiet := named("x", "quiet")
	quiet.Call = func(context.Context, json.RawMessage) (string, error) { return " \n", nil }
	loud := named("x", "loud")
	loud.Call = func(context.Context, json.RawMessage) (string, error) {
		return "a\xff" + strings.Repeat("あ", MaxResult) + "z sk-key", nil
	}
	s := NewSet(
		Options{
			Policies: Policies{Default: Auto},
			Hide:     func(s string) string { return strings.ReplaceAll(s, "sk-key", "…") },
		},
		broken,
		quiet,
		loud,
	)
	for _, c := range []struct{ name, args, says string }{
		{"broken", `{"city": Kyo`, `not a JSON object: invalid character 'K'`},
		{"broken", `[1]`, "not a JSON object"},
		{"broken", `{}`, "disk on fire"},
		{"quiet", `null`, "nothing to tell"},
	} {
		if o, err := s.Use(t.Context(), c.name, c.args, ""); err != nil || !strings.Contains(o.Text, c.says) {
			t.Errorf("%s %s: %+v, %v", c.name, c.args, o, err)
		}
	}
	o, _ := s.Use(t.Context(), "loud", "", "")
	if len(o.Text) > MaxResult+100 || !utf8.ValidString(o.Text) || !strings.HasPrefix(o.Text, "a\uFFFDあ") || !strings.HasSuffix(o.Text, "z …") || !strings.Contains(o.Text, "bytes left out") {
		t.Errorf("%d bytes, %.20q … %q", len(o.Text), o.Text, o.Text[len(o.Text)-20:])
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("stop")
	cancel(stop)
	if _, err := s.Use(ctx, "quiet", "", ""); !errors.Is(err, stop) {
		t.Errorf("the end of a turn: %v", err)
	}
}

// Names follow the models' rules and are unique.
func TestNamesOfTools(t *testing.T) {
	s := NewSet(Options{Policies: Policies{Default: Auto, Tools: map[string]Policy{"mine_get": Deny}}},
		named("yours", "get"), named("his", "get"), named("mine", "get"), named("web", "fetch.page/now"), named("web", "…"), named("web", strings.Repeat("n", 90)))
	if got := strings.Join(s.Names(), " "); got != "get his_get fetch_page_now web "+strings.Repeat("n", 64) {
		t.Errorf("names %s", got)
	}
	if o, _ := s.Use(t.Context(), "his_get", "{}", ""); o.Text != "his did {}" {
		t.Errorf("the other source's tool was used: %+v", o)
	}
	if only := s.Only("web").Names(); len(only) != 3 {
		t.Errorf("only of the web: %v", only)
	}
	if err := (Policies{Tools: map[string]Policy{"a": "maybe"}}).Check(); err == nil {
		t.Error("an unknown policy passed")
	}
	var none *Set
	if len(none.Tools()) != 0 {
		t.Error("a nil set has tools")
	}
}

// A tool can be stricter than the policy for certain arguments.
func TestACheckIsStricter(t *testing.T) {
	risky := named("x", "run")
	risky.Check = func(args json.RawMessage) (Policy, error) {
		switch {
		case strings.Contains(string(args), "rm"):
			return "", errors.New("never")
		case strings.Contains(string(args), "install"):
			return Ask, nil
		}
		return "", nil
	}
	p := &person{}
	s := NewSet(Options{Policies: Policies{Default: Auto}, Asker: p}, risky)
	for args, failed := range map[string]bool{`{"c":"ls"}`: false, `{"c":"install"}`: true, `{"c":"rm"}`: true} {
		if o, _ := s.Use(t.Context(), "run", args, ""); o.Failed != failed {
			t.Errorf("%s: %+v", args, o)
		}
	}
	if len(p.asked) != 1 {
		t.Errorf("asked %d times", len(p.asked))
	}
}
