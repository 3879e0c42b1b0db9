package tool

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
)

// A tool that panics has failed: the agent gets the error, and its other tools still work.
func TestTR5_APanicEndsOneToolCall(t *testing.T) {
	broken := Tool{Name: "broken", From: "x", Call: func(context.Context, json.RawMessage) (string, error) { panic("secret") }}
	fine := Tool{Name: "fine", From: "x", Call: func(context.Context, json.RawMessage) (string, error) { return "done", nil }}
	s := NewSet(Options{Policies: Policies{Default: Auto}}, broken, fine)
	o, err := s.Use(t.Context(), "broken", `{}`, "")
	if err != nil || !o.Failed || !strings.Contains(o.Text, "unexpected") || strings.Contains(o.Text, "secret") {
		t.Errorf("%+v, %v", o, err)
	}
	if o, err := s.Use(t.Context(), "fine", `{}`, ""); err != nil || o.Text != "done" {
		t.Errorf("%+v, %v", o, err)
	}
}
