package client

import (
	"encoding/json"
	"testing"
)

// Messages as OpenClaw 2026.9.6 and 2026.2.26 answered them after a restart in the middle of an answer.
func TestGW9_WhoWroteAMessage(t *testing.T) {
	for name, tc := range map[string]struct{ row, want string }{
		"a user": {`{"role":"user","content":"hello"}`, "user"},
		"the gateway": {`{"role":"user","content":"[System] Go on.",
			"provenance":{"kind":"internal_system"}}`, "system"},
		"the gateway, in parts": {`{"role":"user","content":[{"type":"text","text":"[System] Go on."}],
			"provenance":{"kind":"internal_system","sourceTool":"main_session_restart_recovery"}}`, "system"},
		"another session":   {`{"role":"user","content":"hello","provenance":{"kind":"inter_session"}}`, "user"},
		"an odd provenance": {`{"role":"user","content":"hello","provenance":"internal_system"}`, "user"},
		"an agent's message": {`{"role":"assistant","content":"hi",
			"provenance":{"kind":"internal_system"}}`, "assistant"},
	} {
		var row messageRow
		if err := json.Unmarshal([]byte(tc.row), &row); err != nil {
			t.Fatal(err)
		}
		if got := row.message(); got.Role != tc.want || got.Text() == "" {
			t.Errorf("%s: %s wrote %q, not %s", name, got.Role, got.Text(), tc.want)
		}
	}
}

func TestGW9_APreviewOfWhatAUserWrote(t *testing.T) {
	for preview, want := range map[string][2]string{
		"[Sun 2026-11-29 01:35 UTC] SLOW count two": {"user", "SLOW count two"},
		"Echo: [Sun 2026-11-29 01:35 UTC] hi":       {"assistant", "Echo: [Sun 2026-11-29 01:35 UTC] hi"},
		"[1] is a footnote":                         {"assistant", "[1] is a footnote"},
	} {
		m := sessionRow{Key: "agent:main:main", Preview: preview}.session().LastMessages[0]
		if got := [2]string{m.Role, m.Text()}; got != want {
			t.Errorf("%q: %q, not %q", preview, got, want)
		}
	}
}
